"""Linkage attacks that are tried on every release, within limits on the work.

In large tables a random sample of persons is searched for, but always in the whole release, so that the same risk is
estimated and only its confidence interval widens.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from shoal import progress
from shoal.assessment.assessment import class_sizes
from shoal.assessment.risk.containment import link_by_extents
from shoal.assessment.table_pair import AlignedTables
from shoal.errors import LinkageError
from shoal.findings import Findings
from shoal.kernels import Labels
from shoal.linkage.intruder import Intruder
from shoal.linkage.link_tables import as_quasi_identifiers, link_tables
from shoal.linkage.linkage_risk import Linkage
from shoal.linkage.linkage_tables import check_single_values
from shoal.schema import Schema

MEASURES = ("distance", "probabilistic", "rank", "extents")  # the last one for releases with extents
MOST_PERSONS = 25_000
MOST_PAIRS = 20_000_000  # compared one by one
MOST_CONTAINMENT_CHECKS = 50_000_000  # persons times classes, compared with each other
FEWEST_PERSONS = 100  # for a usable estimate; not tried where these need more than ten times MOST_PAIRS
SAMPLING_KEY = 1  # spawn key for the sample, from the seed of the intruder


@dataclass(frozen=True)
class LinkageAttacks:
    linkages: Mapping[str, Linkage]  # by measure
    notes: tuple[str, ...] = ()

    @property
    def findings(self) -> Findings:
        return Findings(
            tuple(
                replace(finding, name=f"{finding.name}, {by}")
                for by, linkage in self.linkages.items()
                for finding in linkage.findings
            )
        )


def linkage_attacks(
    aligned: AlignedTables,
    intruder: Intruder,
    columns: Sequence[str],
    measures: Sequence[str] = MEASURES,
    most_persons: int = MOST_PERSONS,
) -> LinkageAttacks:
    """The attacks of an intruder who knows ``columns``; columns that distinguish nobody are left out."""
    for name in columns:
        if name not in aligned.schema:
            raise LinkageError.unknown_column(name, aligned.schema.names)
        check_single_values(name, aligned.original, aligned.single_valued)
    distinguishing = [name for name in columns if _distinguishes_persons(aligned, name)]
    notes = [f"{name}: tells nobody apart, so linkage leaves it out." for name in columns if name not in distinguishing]
    if not distinguishing:
        return LinkageAttacks({}, (*notes, "Linkage was not tried: no column is left that an intruder could compare."))
    linkages = {}
    persons = intruder.known_persons(len(aligned.original))
    for by in measures:
        known = [name for name in distinguishing if by != "extents" or name in aligned.by_extents]
        if not known:
            continue
        limit = min(most_persons, _most_persons(by, aligned))
        if not limit:
            notes.append(
                f"{by.capitalize()} linkage was not tried: the release is too large. Try shoal link --blocking."
            )
            continue
        if limit < len(persons):
            notes.append(
                f"{by.capitalize()} linkage was tried for {limit:,} persons drawn at random, who represent all."
            )
        sampled = replace(intruder, columns=(), persons=tuple(_draw_persons(persons, limit, intruder.seed).tolist()))
        attack = _link_by_extents if by == "extents" else _link_by_values
        with progress.stage(f"{by} linkage", 0):
            linkages[by] = attack(aligned, sampled, as_quasi_identifiers(aligned.schema, known), by)
    return LinkageAttacks(linkages, tuple(notes))


def _link_by_values(aligned: AlignedTables, intruder: Intruder, known: Schema, by: str) -> Linkage:
    return link_tables(aligned.original, aligned.single_valued, aligned.truth, aligned.schema, known, intruder, by=by)


def _link_by_extents(aligned: AlignedTables, intruder: Intruder, known: Schema, _: str) -> Linkage:
    return link_by_extents(aligned, intruder, known)


def _distinguishes_persons(aligned: AlignedTables, name: str) -> bool:
    original, released = aligned.original[name], aligned.single_valued[name]
    varies = len(original.unique()) > 1 and original.null_count < len(original)
    return varies and released.null_count < len(released)


def _most_persons(by: str, aligned: AlignedTables) -> int:
    """How many persons can be searched for within the limits; 0 where these are too few for an estimate."""
    if by in ("distance", "rank"):
        return MOST_PERSONS
    if by == "extents":
        n_classes = class_sizes(aligned.released, aligned.schema).n
        return min(MOST_PERSONS, max(FEWEST_PERSONS, MOST_CONTAINMENT_CHECKS // n_classes))
    n_released = len(aligned.released)
    is_feasible = FEWEST_PERSONS * n_released <= 10 * MOST_PAIRS
    return max(FEWEST_PERSONS, MOST_PAIRS // n_released) if is_feasible else 0


def _draw_persons(persons: Labels, limit: int, seed: int) -> Labels:
    if limit >= len(persons):
        return persons
    generator = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(SAMPLING_KEY,)))
    return np.sort(generator.choice(persons, limit, replace=False))
