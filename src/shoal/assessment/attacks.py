"""Linkage attacks that are tried on every release, within limits on the work.

In large tables a random sample of persons is searched for, but always in the whole release, so that the same risk is
estimated and only its confidence interval widens.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from shoal.assessment.assessment import class_sizes
from shoal.assessment.risk.containment import containment_linkage
from shoal.assessment.table_pair import AlignedTables
from shoal.errors import LinkageError
from shoal.findings import Findings
from shoal.kernels import Labels
from shoal.linkage.intruder import Intruder
from shoal.linkage.link_tables import compared, households_of, linked, weights_of
from shoal.linkage.linkage_risk import Linkage
from shoal.linkage.linkage_tables import check_single
from shoal.schema import Schema

TRIED = ("distance", "probabilistic", "rank", "extents")  # the last one for releases with extents
MOST_PERSONS = 25_000
MOST_PAIRS = 20_000_000  # compared one by one
MOST_HELD = 50_000_000  # persons times classes, compared with each other
FEWEST_PERSONS = 100  # for a usable estimate; not tried where these need more than ten times MOST_PAIRS
SAMPLING = 1  # spawn key for the sample, from the seed of the intruder


@dataclass(frozen=True)
class Attacks:
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


def attacks(
    aligned: AlignedTables,
    who: Intruder,
    columns: Sequence[str],
    tried: Sequence[str] = TRIED,
    most_persons: int = MOST_PERSONS,
) -> Attacks:
    """The attacks of an intruder who knows ``columns``; columns that distinguish nobody are left out."""
    for name in columns:
        if name not in aligned.schema:
            raise LinkageError.unknown_column(name, aligned.schema.names)
        check_single(name, aligned.original, aligned.read)
    telling = [name for name in columns if _tells(aligned, name)]
    notes = [f"{name}: tells nobody apart, so linkage leaves it out." for name in columns if name not in telling]
    if not telling:
        return Attacks({}, (*notes, "Linkage was not tried: no column is left that an intruder could compare."))
    found = {}
    everybody = who.whom(len(aligned.original))
    for by in tried:
        known = [name for name in telling if by != "extents" or name in aligned.by_extents]
        if not known:
            continue
        most = min(most_persons, _most_persons(by, aligned))
        if not most:
            notes.append(
                f"{by.capitalize()} linkage was not tried: the release is too large. Try shoal link --blocking."
            )
            continue
        if most < len(everybody):
            notes.append(
                f"{by.capitalize()} linkage was tried for {most:,} persons drawn at random, who stand for all."
            )
        some = replace(who, columns=(), persons=tuple(_drawn(everybody, most, who.seed).tolist()))
        attack = _by_extents if by == "extents" else _by_values
        found[by] = attack(aligned, some, compared(aligned.schema, known), by)
    return Attacks(found, tuple(notes))


def _by_values(aligned: AlignedTables, who: Intruder, known: Schema, by: str) -> Linkage:
    return linked(aligned.original, aligned.read, aligned.truth, aligned.schema, known, who, by=by)


def _by_extents(aligned: AlignedTables, who: Intruder, known: Schema, by: str) -> Linkage:
    original, roles = aligned.original, aligned.schema
    persons = who.whom(len(original))
    truth = aligned.truth[persons]
    links = containment_linkage(who.knowledge(original, known).take(persons), aligned.released, known, truth)
    weights, households = weights_of(original, roles, persons), households_of(original, roles, persons)
    names = known.quasi_identifiers
    return Linkage(persons, truth, links, weights, households, len(aligned.released), 1, names, None)


def _tells(aligned: AlignedTables, name: str) -> bool:
    original, released = aligned.original[name], aligned.read[name]
    varies = len(original.unique()) > 1 and original.null_count < len(original)
    return varies and released.null_count < len(released)


def _most_persons(by: str, aligned: AlignedTables) -> int:
    """How many persons can be searched for within the limits; 0 where these are too few for an estimate."""
    if by in ("distance", "rank"):
        return MOST_PERSONS
    if by == "extents":
        n_classes = class_sizes(aligned.released, aligned.schema).n
        return min(MOST_PERSONS, max(FEWEST_PERSONS, MOST_HELD // n_classes))
    n_released = len(aligned.released)
    fits = FEWEST_PERSONS * n_released <= 10 * MOST_PAIRS
    return max(FEWEST_PERSONS, MOST_PAIRS // n_released) if fits else 0


def _drawn(everybody: Labels, most: int, seed: int) -> Labels:
    if most >= len(everybody):
        return everybody
    chance = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(SAMPLING,)))
    return np.sort(chance.choice(everybody, most, replace=False))
