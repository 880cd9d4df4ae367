"""The full assessment of a release by comparison with its original.

Aligned, Intruder -> Assessment

Classes and uniqueness are counted over all records; measures that compare records one by one use a regular sample of
very large tables, and a note says so.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from math import comb
from typing import Any

import numpy as np
import pyarrow as pa

from shoal.assessment.assessment import Assessment, assess, assess_unpaired, class_sizes
from shoal.assessment.attacks import attacks
from shoal.assessment.release_score import scored
from shoal.assessment.risk.individual_risk import individual_risk_findings
from shoal.assessment.risk.interval import interval_findings
from shoal.assessment.risk.suda import suda_of_table
from shoal.assessment.risk.uniqueness import key_counts, uniqueness_findings
from shoal.assessment.table_pair import MOST_RECORDS, AlignedTables, TablePair
from shoal.assessment.utility.moments import BOUNDED, moment_findings
from shoal.assessment.utility.probabilistic import probabilistic_findings
from shoal.findings import Findings, UnmeasuredFigure
from shoal.linkage.intruder import Intruder
from shoal.linkage.link_tables import households_of

Told = tuple[Findings, tuple[str, ...]]

USUAL_K = 3  # persons who must share a key at least, where no policy states it
MOST_KEYS = 100_000_000  # records times sets of columns searched for special uniques
SUDA_COLUMNS = 3  # columns of a special unique, at most
NEEDED = "not measured: needs --policy (of releases of other tools --id or --truth)"
NEED_PAIRS = (
    "linked persons, distance",
    "linked persons, probabilistic",
    "linked persons, rank",
    "persons at high risk",
    "interval disclosure",
    "information loss",
    "mean variation",
    "IL1s",
    BOUNDED,
    "probabilistic loss (PIL)",
    "score",
    "disclosure risk of the score",
)


def side_by_side(
    aligned: AlignedTables,
    who: Intruder,
    k: int | None,
    *,
    wildcards: bool = False,
    units: pa.ChunkedArray[Any] | None = None,
) -> Assessment:
    """``k``: what the policy requires; None where it requires none. ``wildcards``: a missing released cell may be any
    value. ``units``: the unit of every original record, where the release does not contain it."""
    before, after, read = aligned.before, aligned.after(aligned.released), aligned.after(aligned.read)
    schema = aligned.schema
    base = assess(
        before,
        after,
        schema,
        k=k,
        suppressed=aligned.n_suppressed / len(aligned.original),
        sizes=(
            class_sizes(aligned.original, schema, units=units),
            class_sizes(aligned.released, schema, wildcards=wildcards, units=_of_released(aligned, units)),
        ),
        by_extents=aligned.by_extents,
    )
    unique, of_unique = _uniqueness(aligned, k or USUAL_K)
    special, of_special = _special(aligned)
    tried = attacks(aligned, who, who.columns or schema.quasi_identifiers)
    score, of_score = scored(aligned, who, tried)
    numbers = (found(before, read, schema) for found in (interval_findings, moment_findings, probabilistic_findings))
    return replace(
        base.with_findings(
            unique + special + sum(numbers, tried.findings) + (score.findings() if score else Findings())
        ),
        linkages=tried.linkages,
        score=score,
        notes=(*aligned.notes, *_sampled(aligned), *of_unique, *of_special, *tried.notes, *of_score),
    )


def _of_released(aligned: AlignedTables, units: pa.ChunkedArray[Any] | None) -> pa.ChunkedArray[Any] | None:
    """The units of released records; missing for a record that belongs to no original one."""
    if units is None:
        return None
    kept = np.flatnonzero(aligned.truth >= 0)
    whose = np.full(len(aligned.released), -1, dtype=np.int64)
    whose[aligned.truth[kept]] = kept
    return units.take(pa.array(whose, pa.int64(), mask=whose < 0))


def without_pairs(tables: TablePair, k: int | None, *, wildcards: bool = False) -> Assessment:
    """The assessment without known pairs: figures that need pairs are listed as not measured, not guessed."""
    unique, of_unique = _uniqueness(tables, k or USUAL_K)
    special, of_special = _special(tables)
    names = (*NEED_PAIRS, *_more_that_needs_pairs(tables))
    return replace(
        assess_unpaired(tables, k, wildcards=wildcards).with_findings(unique + special),
        notes=(f"Not measured, since nobody said whose record is whose: {', '.join(names)}.", *tables.notes, *of_unique,
               *of_special),
        not_measured=tuple(UnmeasuredFigure(name, NEEDED) for name in names),
    )  # fmt: skip


def _more_that_needs_pairs(tables: TablePair) -> Iterator[str]:
    """Figures that are reported for some tables only."""
    if tables.by_extents:
        yield "linked persons, extents"
    if tables.schema.with_role("household"):
        yield "linked households"


def _uniqueness(tables: TablePair, k: int) -> Told:
    """Uniqueness in the population and individual risks, which need weights."""
    if not tables.schema.with_role("weight"):
        return Findings(), ("Without a column of weights the table is taken for the population: no k-map is told.",)
    counts = key_counts(tables.released, tables.schema)
    households = households_of(tables.released, tables.schema, np.arange(len(tables.released)))
    return uniqueness_findings(counts, k) + individual_risk_findings(counts, households), ()


def _special(tables: TablePair) -> Told:
    d = len(tables.schema.quasi_identifiers)
    n_sets = sum(comb(d, size) for size in range(1, SUDA_COLUMNS + 1))
    if n_sets * len(tables.released) > MOST_KEYS:
        return Findings(), ("Special uniques were not looked for: too many records and columns.",)
    return suda_of_table(tables.released, tables.schema, SUDA_COLUMNS).findings(), ()


def _sampled(aligned: AlignedTables) -> tuple[str, ...]:
    n_released = len(aligned.original) - aligned.n_suppressed
    if n_released <= MOST_RECORDS:
        return ()
    return (f"Losses and intervals are of {len(aligned.kept):,} of {n_released:,} records, evenly spread.",)
