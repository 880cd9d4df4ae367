"""Usefulness of a release: how far the results of common analyses are from those of the original.

ComparedRecords -> Usefulness

Distributions of columns, correlations, tables of two columns and count queries need no pairs of records. The propensity
score does: it compares original records with released ones of other persons. So do the steward's own analyses, which
are scored on original records that neither fit has seen.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import comb
from typing import Any

import numpy as np

from shoal.assessment.table_pair import NEEDS_PAIRS
from shoal.assessment.utility.analyses.analysis import Analysis
from shoal.assessment.utility.analyses.analysis_result import AnalysisResult
from shoal.assessment.utility.analyses.analysis_run import run_analyses
from shoal.assessment.utility.column_change import ColumnChange, column_change
from shoal.assessment.utility.column_classes import Membership, classes_of
from shoal.assessment.utility.compared_records import ComparedRecords
from shoal.assessment.utility.contingency_change import ContingencyChange, contingency_change
from shoal.assessment.utility.correlation_change import CorrelationChange, change_of_correlations, number_matrix
from shoal.assessment.utility.propensity import PROPENSITY, PropensityScore, propensity_of
from shoal.assessment.utility.release_queries import QueryErrors, release_queries
from shoal.findings import Finding, Findings, UnmeasuredFigure
from shoal.kernels import Labels, Matrix, Vector

MOST_QUERIED = 100_000  # records that count queries are evaluated on
MOST_MODELED = 10_000  # records of each table for the propensity score
FEWEST_MODELED = 20
MOST_EFFECTS = 200  # of the propensity score: of more, those of the first columns
MOST_TABLED = 100_000_000  # records times pairs of columns for the tables of two columns
FEWEST_TABLED = 10_000
SEED = 2018


@dataclass(frozen=True)
class Usefulness:
    columns: tuple[ColumnChange, ...]
    correlations: CorrelationChange | None  # None: fewer than two numeric columns
    tables: ContingencyChange | None  # None: fewer than two columns
    queries: QueryErrors | None
    propensity: PropensityScore | UnmeasuredFigure | None  # None: too few records
    analyses: tuple[AnalysisResult | UnmeasuredFigure, ...]
    notes: tuple[str, ...]

    @classmethod
    def not_measured_because(cls, reason: str) -> Usefulness:
        return cls((), None, None, None, None, (), (f"Usefulness was not measured: {reason}",))

    @property
    def findings(self) -> Findings:
        """The figures that summarize the release; those of single columns are in ``columns``."""
        parts = (self.correlations, self.tables, self.queries, self.propensity, *self.analyses)
        found = (part for part in parts if part is not None and not isinstance(part, UnmeasuredFigure))
        return sum((part.findings() for part in found), _column_findings(self.columns))

    @property
    def not_measured(self) -> tuple[UnmeasuredFigure, ...]:
        parts = (self.propensity, *self.analyses)
        return tuple(part for part in parts if isinstance(part, UnmeasuredFigure))

    def to_dict(self) -> dict[str, Any]:
        """Figures for JSON; no individual record."""
        return {
            "findings": self.findings.to_list() + [figure.to_dict() for figure in self.not_measured],
            "columns": [column.to_dict() for column in self.columns],
            "correlations": self.correlations.to_dict() if self.correlations else None,
            "tables": self.tables.to_dict() if self.tables else None,
            "queries": self.queries.to_dict() if self.queries else None,
            "propensity": self.propensity.to_dict() if isinstance(self.propensity, PropensityScore) else None,
            "analyses": [each.to_dict() for each in self.analyses],
            "notes": list(self.notes),
        }


def usefulness(
    records: ComparedRecords, analyses: Sequence[Analysis] = (), *, k: int = 1, units: Labels | None = None
) -> Usefulness:
    """``k``: fewest original records of a category that an analysis names; ``units``: (n_before,) the unit of each
    record, -1 where it has none: records of one unit are held out together."""
    names = [column.name for column in records.schema.columns]
    if not names or not len(records.after):
        return Usefulness((), None, None, None, None, run_analyses(records, analyses, k, units), _notes(records))
    classes = {column.name: classes_of(column, records.before[column.name]) for column in records.schema.columns}
    before = [classes[name].membership(records.before[name], by_extents=False) for name in names]
    after = [classes[name].membership(records.after[name], by_extents=name in records.by_extents) for name in names]
    n_modeled = _n_modeled(before)
    propensity = _propensity(records, {name: (before[at], after[at]) for at, name in enumerate(names[:n_modeled])})
    return Usefulness(
        tuple(_column_change(records, name) for name in names),
        _correlations(records),
        _tables(records, names, before, after),
        _queries(records),
        propensity,
        run_analyses(records, analyses, k, units),
        (*_notes(records), *_notes_of_effects(propensity, n_modeled, len(names))),
    )


def _column_change(records: ComparedRecords, name: str) -> ColumnChange:
    column, by_extents = records.schema[name], name in records.by_extents
    return column_change(column, records.before[name], records.after[name], by_extents=by_extents)


def _correlations(records: ComparedRecords) -> CorrelationChange | None:
    names = records.numeric
    if len(names) < 2:
        return None
    before, after = (number_matrix(table, names) for table in (records.before, records.single_valued))
    return change_of_correlations(before, after, names)


def _tables(
    records: ComparedRecords, names: Sequence[str], before: Sequence[Membership], after: Sequence[Membership]
) -> ContingencyChange | None:
    """On as many records as the limit of work allows."""
    some = records.some(max(FEWEST_TABLED, MOST_TABLED // max(comb(len(names), 2), 1)), "tables of two columns")
    return contingency_change(
        names, [each.take(some.before) for each in before], [each.take(some.after) for each in after]
    )


def _queries(records: ComparedRecords) -> QueryErrors | None:
    some = records.some(MOST_QUERIED, "count queries")
    before, after = records.before.take(some.before), records.after.take(some.after)
    return release_queries(before, after, records.schema, records.by_extents, some.scale)


def _propensity(
    records: ComparedRecords, members: dict[str, tuple[Membership, Membership]]
) -> PropensityScore | UnmeasuredFigure | None:
    """Of original records and released records of other persons."""
    if records.of_original is None:
        return UnmeasuredFigure(PROPENSITY, NEEDS_PAIRS)  # of the same persons on both sides it would be too low
    order = np.random.default_rng(SEED).permutation(len(records.before))
    first, others = order[: len(order) // 2], order[len(order) // 2 :]
    place = np.full(len(order), -1, dtype=np.int64)
    place[records.of_original] = np.arange(len(records.of_original))
    released = place[others][place[others] >= 0]
    chosen = np.sort(first[:MOST_MODELED]), np.sort(released[:MOST_MODELED])
    if min(map(len, chosen)) < FEWEST_MODELED:
        return None
    effects = [_effects(records, name, members[name], chosen) for name in members]
    before, after = (np.hstack(side) for side in zip(*effects, strict=True))
    return propensity_of(before, after)


def _n_modeled(members: Sequence[Membership]) -> int:
    """How many columns, from the first on, have no more effects than the limit."""
    return max(1, int(np.searchsorted(np.cumsum([each.shares.shape[1] for each in members]), MOST_EFFECTS, "right")))


def _notes_of_effects(
    propensity: PropensityScore | UnmeasuredFigure | None, n_modeled: int, n_columns: int
) -> tuple[str, ...]:
    if n_modeled == n_columns or not isinstance(propensity, PropensityScore):
        return ()
    return (f"The propensity score is of the first {n_modeled} of {n_columns} columns.",)


def _effects(
    records: ComparedRecords, name: str, members: tuple[Membership, Membership], chosen: tuple[Labels, Labels]
) -> tuple[Matrix, Matrix]:
    """Columns of the model: a number and whether it is missing, or the classes of a category."""
    if name not in records.numeric:
        return members[0].take(chosen[0]).of(slice(None)), members[1].take(chosen[1]).of(slice(None))
    tables = records.before.take(chosen[0]), records.single_valued.take(chosen[1])
    numbers = [number_matrix(table, [name])[:, 0] for table in tables]
    known = np.concatenate([each[~np.isnan(each)] for each in numbers])
    center = float(known.mean()) if known.size else 0.0
    return _number_effects(numbers[0], center), _number_effects(numbers[1], center)


def _number_effects(numbers: Vector, center: float) -> Matrix:
    missing = np.isnan(numbers)
    return np.column_stack([np.where(missing, 0.0, numbers - center), missing.astype(np.float64)])


def _column_findings(columns: Sequence[ColumnChange]) -> Findings:
    """The column that changed most, by every distance."""
    found = (
        _most_changed(
            columns, "Kolmogorov-Smirnov distance", "kolmogorov_smirnov", "difference of the shares up to a value"
        ),
        _most_changed(columns, "Hellinger distance", "hellinger", "distance of the shares of all values or classes"),
        _most_changed(columns, "earth mover's distance", "earth_mover", "distance that values moved, of the range"),
    )
    return Findings(tuple(finding for finding in found if finding is not None))


def _most_changed(columns: Sequence[ColumnChange], name: str, measure: str, meaning: str) -> Finding | None:
    known = {column.column: getattr(column, measure) for column in columns}
    known = {column: distance for column, distance in known.items() if distance is not None}
    if not known:
        return None
    most = max(known, key=lambda column: known[column])
    text = f"Largest {meaning}: that of '{most}'."
    return Finding(f"largest {name}", known[most], text, baseline=0, unit="%")


def _notes(records: ComparedRecords) -> tuple[str, ...]:
    notes = []
    if records.is_sample:
        n = f"{len(records.before):,} of {records.n_original:,}"
        notes.append(f"Usefulness is measured on a sample: {n} original records, drawn at random.")
    if records.left_out:
        notes.append(
            f"Not compared, because their cells are no numbers or no categories: {', '.join(records.left_out)}."
        )
    if records.by_extents:
        notes.append(
            "Of columns released as intervals, nodes or sets, distributions, tables and count queries take values as "
            "uniform in them; correlations take the middle of an interval."
        )
    return tuple(notes)
