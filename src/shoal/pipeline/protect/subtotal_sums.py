"""Subtotals of numeric columns in original and release, by the columns that the policy names, summed piece by piece."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Self

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from shoal.assessment.table_pair import TablePair
from shoal.assessment.utility.subtotals import Subtotals, Values, in_order
from shoal.assessment.utility.totals import Totals
from shoal.encode.number_column import are_numbers, to_numbers
from shoal.engines.protocol import GROUP, F
from shoal.findings import UnmeasuredFigure
from shoal.pipeline.protect.fitted_table import FittedTable
from shoal.pipeline.protect.recoding_step import PieceRecoding
from shoal.pipeline.protect.weighted_totals import columns_with_totals, numeric_columns
from shoal.policy import ReleasePlan
from shoal.release.column_recoding import ColumnRecoding
from shoal.schema import Schema
from shoal.schema.helper_columns import COUNT

NO_COLUMN = "not measured: the release does not have all columns to add up by"
ABSENT = "not measured: not in the release"
INTERVALS = "not measured: released as intervals, which cannot be added up"
RECODED = "not measured: recoded to values that are no numbers, which cannot be added up"
UNFIT = "not measured: some cells are no numbers, which cannot be added up"


def subtotals(original: FittedTable[F], protected: F) -> Subtotals | None:
    """The subtotals of all columns released as numbers, compared with the numbers before recoding, by recoded cells,
    and why those of other numeric columns are not given; None where the policy gives no columns to add up by."""
    pair = _SumPair.of(original.plan, original.schema, original.frame.names)
    if pair is not None and pair.has_sums:
        before, after = pair.before, pair.after
        recode = PieceRecoding(_recodings_of(original, before.by))
        original.engine.fold(original.as_read, before.columns, lambda piece: before.add(recode(piece)))
        original.engine.fold(protected, [*after.columns, GROUP], after.add)
    return pair.compared() if pair else None


def subtotals_of_tables(tables: TablePair, records: pa.Table, schema: Schema, plan: ReleasePlan) -> Subtotals | None:
    """The same for tables in memory. ``records``: the released ones, with the sensitive values of an anatomy."""
    pair = _SumPair.of(plan, schema, records.column_names)
    if pair is not None and pair.has_sums:
        original = tables.as_read.select(pair.before.columns)
        for name in pair.before.by:
            original = original.set_column(original.schema.get_field_index(name), name, tables.original[name])
        pair.before.add(original)
        pair.after.add(records.select(pair.after.columns))
    return pair.compared() if pair else None


def _recodings_of(original: FittedTable[F], names: Sequence[str]) -> dict[str, ColumnRecoding]:
    found = original.recoding.recodings if original.recoding else {}
    return {name: found[name] for name in names if name in found}


@dataclass(frozen=True)
class _SumPair:
    before: SubtotalSums
    after: SubtotalSums
    steps: Mapping[str, float]  # of the rounding of means, by column
    k: int
    reasons: Mapping[str, str]  # why a numeric column is not added up

    @classmethod
    def of(cls, plan: ReleasePlan, schema: Schema, released: Collection[str]) -> Self | None:
        """Nothing is added up yet; None where there is nothing to add up, or to add up by. ``released``: names of the
        columns that there are."""
        if not plan.totals_by or not set(numeric_columns(schema)).difference(plan.totals_by):
            return None
        weight = next((column.name for column in schema.with_role("weight") if column.name in released), None)
        reasons = _reasons(plan, schema, released)
        names = tuple(name for name in columns_with_totals(plan, schema) if name not in {*plan.totals_by, *reasons})
        before, after = (SubtotalSums(plan.totals_by, names, weight) for _ in range(2))
        steps = {name: float(schema[name].step_of_means or 0) if name in plan.means else 0.0 for name in names}
        return cls(before, after, steps, plan.k or 1, reasons)

    @property
    def has_sums(self) -> bool:
        return bool(self.before.names)

    def compared(self) -> Subtotals:
        by, names, is_weighted = self.before.by, self.before.names, self.before.weight is not None
        unfit = self.before.unfit | self.after.unfit
        fit = tuple(name for name in names if name not in unfit)
        not_measured = _unmeasured(by, {**self.reasons, **dict.fromkeys(sorted(unfit), UNFIT)})
        if not fit:
            return Subtotals(by, (), (), 0, self.k, is_weighted, not_measured)
        sums = self.before.by_cell(), self.after.by_cell()
        values = sorted(sums[0].keys() | sums[1].keys(), key=in_order)
        nothing = np.zeros(len(names) + 2)
        first, second = (np.array([of_cells.get(value, nothing) for value in values]) for of_cells in sums)
        at = [names.index(name) for name in fit]
        totals = Totals(
            fit,
            first[:, at],
            second[:, at],
            second[:, -2],
            second[:, -1].astype(np.int64),
            np.array([self.steps[name] for name in fit]),
            self.k,
            is_weighted,
        )
        return Subtotals.of(by, values, first[:, -1].astype(int).tolist(), totals, not_measured)


def _reasons(plan: ReleasePlan, schema: Schema, released: Collection[str]) -> dict[str, str]:
    """By numeric column, why its subtotals cannot be given; columns to add up by are left out."""
    numbers = [name for name in numeric_columns(schema) if name not in plan.totals_by]
    if not set(released).issuperset(plan.totals_by):
        return dict.fromkeys(numbers, NO_COLUMN)
    fit = columns_with_totals(plan, schema)
    reasons = {name: INTERVALS if name in plan.extents else RECODED for name in numbers if name not in fit}
    return {**reasons, **{name: ABSENT for name in numbers if name not in released}}


def _unmeasured(by: Sequence[str], reasons: Mapping[str, str]) -> tuple[UnmeasuredFigure, ...]:
    """One figure of every reason, with the columns that it applies to."""
    columns: dict[str, list[str]] = {}
    for name, reason in reasons.items():
        columns.setdefault(reason, []).append(name)
    cells = ", ".join(by)
    return tuple(
        UnmeasuredFigure(f"subtotals by {cells} of {', '.join(names)}", reason) for reason, names in columns.items()
    )


@dataclass
class SubtotalSums:
    """Sums by cell of columns, of the weights and of the records. Suppressed records are not counted."""

    by: tuple[str, ...]
    names: tuple[str, ...]
    weight: str | None
    unfit: set[str] = field(default_factory=set)  # columns with cells that are not numbers
    pieces: list[pa.Table] = field(default_factory=list)

    @property
    def columns(self) -> list[str]:
        return list(dict.fromkeys([*self.by, *self.names, *([self.weight] if self.weight else [])]))

    def add(self, piece: pa.Table) -> None:
        if GROUP in piece.column_names:
            piece = piece.filter(pc.is_valid(piece[GROUP]))
        if not len(piece):
            return
        weights = to_numbers(self.weight, piece[self.weight]).values if self.weight else np.ones(len(piece))
        terms = [pa.array(self._numbers(piece, name) * weights) for name in self.names]
        keys = [_plain(piece[name]).cast(pa.string()) for name in self.by]
        columns = [*keys, *terms, pa.array(weights), pa.array(np.ones(len(piece)))]
        self.pieces.append(self._summed(pa.table(columns, names=self._names)))

    @property
    def _names(self) -> list[str]:
        """Positions, since a column may be both a key and a sum."""
        n_sums = len(self.names) + 2
        return [*(f"key {at}" for at in range(len(self.by))), *(f"{COUNT} {at}" for at in range(n_sums))]

    def _summed(self, table: pa.Table) -> pa.Table:
        keys, sums = self._names[: len(self.by)], self._names[len(self.by) :]
        found: Any = table.group_by(keys, use_threads=False).aggregate([(name, "sum") for name in sums])
        renamed: pa.Table = found.select([*keys, *(f"{name}_sum" for name in sums)]).rename_columns(self._names)
        return renamed

    def _numbers(self, piece: pa.Table, name: str) -> Any:
        if are_numbers(piece[name]):
            return to_numbers(name, piece[name]).values
        self.unfit.add(name)
        return np.zeros(len(piece))

    def by_cell(self) -> dict[Values, Any]:
        """Values of a cell -> (n_columns + 2,) sums of the columns, of the weights and of the records."""
        if not self.pieces:
            return {}
        table = self._summed(pa.concat_tables(self.pieces))
        keys = zip(*(table[name].to_pylist() for name in self._names[: len(self.by)]), strict=True)
        sums = np.column_stack([table[name].to_numpy() for name in self._names[len(self.by) :]])
        return dict(zip(keys, sums, strict=True))


def _plain(column: pa.ChunkedArray[Any]) -> Any:
    return column.cast(column.type.value_type) if pa.types.is_dictionary(column.type) else column
