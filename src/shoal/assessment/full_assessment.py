"""The full assessment of a release by comparison with its original.

AlignedTables, Intruder -> Assessment

Classes and uniqueness are counted over all records; measures that compare records one by one use a random sample of
very large tables, and a note says so.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pyarrow as pa

from shoal import progress
from shoal.assessment.assessment import (
    Assessment,
    assess,
    assess_unpaired,
    class_sizes,
    group_sizes,
    unique_on_untouched,
)
from shoal.assessment.linkage_attacks import linkage_attacks, unmeasured_attack
from shoal.assessment.release_score import release_score
from shoal.assessment.risk.class_sizes import ClassSizes
from shoal.assessment.risk.individual_risk import individual_risk_findings
from shoal.assessment.risk.informed.published_methods import PublishedMethods
from shoal.assessment.risk.interval import interval_attacks
from shoal.assessment.risk.population_uniques import population_unique_findings
from shoal.assessment.risk.suda import largest_size, suda_of_table
from shoal.assessment.risk.uniqueness import key_counts, sampling_fraction, uniqueness_findings
from shoal.assessment.score import BOUNDED_SCORE
from shoal.assessment.table_pair import MOST_RECORDS, NEEDS_PAIRS, AlignedTables, TablePair
from shoal.assessment.utility.moments import BOUNDED, moment_findings
from shoal.assessment.utility.probabilistic import probabilistic_findings
from shoal.encode.codes import to_codes
from shoal.findings import Findings, UnmeasuredFigure
from shoal.linkage.blocking_options import BlockingOptions
from shoal.linkage.intruder import Intruder
from shoal.linkage.link_tables import household_numbers

NO_FRACTION = "No weights tell which share of the population was sampled, so there is no DIS-SUDA score."
FindingsAndNotes = tuple[Findings, tuple[str, ...]]

DEFAULT_K = 3  # persons who must share a key at least, where no policy states it
UNPAIRED = "Not measured, because it is not known which released record belongs to which original one:"
PAIRED_FIGURES = (
    "linked persons, distance",
    "linked persons, probabilistic",
    "linked persons, rank",
    "linked persons, informed",
    "persons at high risk",
    "interval disclosure",
    "information loss",
    "mean variation",
    "IL1s",
    BOUNDED,
    "probabilistic loss (PIL)",
    "score",
    BOUNDED_SCORE,
    "disclosure risk of the score",
    "disclosure risk of the bounded score",
)


@dataclass(frozen=True, eq=False)
class ReleaseFacts:
    """What is known about a release besides its records.

    k                  what the policy requires; None where it requires none
    wildcards          a missing released cell may be any value
    units              the unit of every original record; None: as the release shows them
    units_are_persons  all records of a unit are of one person, as the stays of a patient are
    group              the column of groups of an anatomy, whose size is ``k`` then
    published          how values were changed, for the intruder who knows it; None where no policy says it
    blocking           of the linkage attacks; empty: they compare all pairs
    """

    k: int | None = None
    wildcards: bool = False
    units: pa.ChunkedArray[Any] | None = None
    units_are_persons: bool = False
    group: str | None = None
    published: PublishedMethods | None = None
    blocking: Sequence[BlockingOptions] = ()


def full_assessment(aligned: AlignedTables, intruder: Intruder, facts: ReleaseFacts) -> Assessment:
    basic = _classes_and_losses(aligned, facts)
    with progress.stage("estimating population uniques", 0):
        persons = _units_of_released(aligned, facts.units) if facts.units_are_persons else None
        unique, unique_notes = _uniqueness(aligned, facts.k or DEFAULT_K, persons)
    special, special_notes = _special_uniques(aligned)
    known, published = intruder.columns or aligned.schema.quasi_identifiers, facts.published
    attacks = linkage_attacks(aligned, intruder, known, published=published, blocking=facts.blocking)
    score, score_notes = release_score(aligned, intruder, attacks, published)
    single_valued = aligned.after(aligned.single_valued)
    with progress.stage("comparing numbers", 0):
        intervals = interval_attacks(aligned.before, single_valued, aligned.schema)
        measured = unique + special + attacks.findings + _losses_of_numbers(aligned, single_valued)
    if score:
        measured += score.findings(measured[BOUNDED].estimate)
    unmeasured = () if published else (unmeasured_attack(known),)
    linked = replace(basic.with_findings(measured), attacks=attacks.attacks)
    return replace(
        linked.with_attacks((*unmeasured, *intervals)),
        linkages=attacks.linkages,
        score=score,
        notes=(*aligned.notes, *_sampling_notes(aligned), *unique_notes, *special_notes, *attacks.notes, *score_notes),
    )


def _classes_and_losses(aligned: AlignedTables, facts: ReleaseFacts) -> Assessment:
    schema, units, of_released = aligned.schema, facts.units, _units_of_released(aligned, facts.units)
    with progress.stage("counting classes and losses", 0):
        return assess(
            aligned.before,
            aligned.after(aligned.released),
            schema,
            k=facts.k,
            suppressed=aligned.n_suppressed / len(aligned.original),
            sizes=(
                class_sizes(aligned.as_read, schema, units=units),
                class_sizes(aligned.released, schema, wildcards=facts.wildcards, units=of_released),
            ),
            by_extents=aligned.by_extents,
            exposure_findings=unique_on_untouched(aligned.released, schema, of_released),
            recoded_losses=aligned.recoded_losses,
            groups=_group_sizes(aligned, units, facts.group),
        )


def _losses_of_numbers(aligned: AlignedTables, single_valued: pa.Table) -> Findings:
    """Compared with the numbers before recoding."""
    tables = aligned.before_recoding, single_valued, aligned.schema_of_distances
    return moment_findings(*tables) + probabilistic_findings(*tables)


def _group_sizes(aligned: AlignedTables, units: pa.ChunkedArray[Any] | None, group: str | None) -> ClassSizes | None:
    released, unit = aligned.released, aligned.schema.unit
    if group is None or group not in released.column_names:
        return None
    shown = released[unit.name] if unit else None
    return group_sizes(released[group], shown if units is None else _units_of_released(aligned, units))


def _units_of_released(aligned: AlignedTables, units: pa.ChunkedArray[Any] | None) -> pa.ChunkedArray[Any] | None:
    """The units of released records; missing for a record that belongs to no original one."""
    return None if units is None else aligned.of_released(units)


def unpaired_assessment(tables: TablePair, k: int | None, *, wildcards: bool = False) -> Assessment:
    """The assessment without known pairs: figures that need pairs are listed as not measured, not guessed."""
    unique, unique_notes = _uniqueness(tables, k or DEFAULT_K)
    special, special_notes = _special_uniques(tables)
    names = (*PAIRED_FIGURES, *_further_paired_figures(tables))
    return replace(
        assess_unpaired(tables, k, wildcards=wildcards).with_findings(unique + special),
        notes=(f"{UNPAIRED} {'; '.join(names)}.", *tables.notes, *unique_notes, *special_notes),
        not_measured=tuple(UnmeasuredFigure(name, NEEDS_PAIRS) for name in names),
    )


def _further_paired_figures(tables: TablePair) -> Iterator[str]:
    """Figures that are reported for some tables only."""
    if tables.by_extents:
        yield "linked persons, extents"
    if tables.schema.with_role("household"):
        yield "linked persons, households"
        yield "linked households"


def _uniqueness(tables: TablePair, k: int, persons: pa.ChunkedArray[Any] | None = None) -> FindingsAndNotes:
    """Uniqueness in the population and individual risks, which need weights. ``persons``: of the released records,
    where several are of one."""
    if not tables.schema.with_role("weight"):
        return Findings(), (
            "There is no column of weights, so the table is taken to be the population and k-map is not reported.",
        )
    of_records = None if persons is None else to_codes("unit", persons).codes
    counts = key_counts(tables.released, tables.schema, persons=of_records)
    households = household_numbers(tables.released, tables.schema, np.arange(len(tables.released)))
    found = uniqueness_findings(counts, k) + individual_risk_findings(counts, households)
    if persons is not None:
        return found, ("Several records are of one person, so no population uniques were estimated.",)
    fraction = sampling_fraction(tables.released, tables.schema)
    if fraction is None or not fraction < 1:
        return found, ("The weights add up to no more than the records, so no population uniques were estimated.",)
    return found + population_unique_findings(tables.released, tables.schema.quasi_identifiers, fraction), ()


def _special_uniques(tables: TablePair) -> FindingsAndNotes:
    if not largest_size(len(tables.released), len(tables.schema.quasi_identifiers)):
        return Findings(), ("Special uniques were not searched for: there are too many records and columns.",)
    fraction = sampling_fraction(tables.released, tables.schema)
    is_sample = fraction is not None and fraction < 1
    found = suda_of_table(tables.released, tables.schema, fraction=fraction if is_sample else None)
    return found.findings(), () if is_sample else (NO_FRACTION,)


def _sampling_notes(aligned: AlignedTables) -> tuple[str, ...]:
    n_released = len(aligned.original) - aligned.n_suppressed
    if n_released <= MOST_RECORDS:
        return ()
    sample = f"{len(aligned.compared_records):,} of {n_released:,} records"
    return (f"Losses and intervals were computed from {sample}, drawn at random.",)
