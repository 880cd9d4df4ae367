"""Subtotals of numeric columns in original and release, by the columns that the policy names, summed piece by piece."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from shoal.assessment.assessment import FEWEST_SHOWN
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
        sums, engine = pair.sums, original.engine
        recoded = replace(sums, recoding=PieceRecoding(_recodings_of(original, sums.by)))
        before = engine.total(original.as_read, sums.columns, recoded)
        return pair.compared(before, engine.total(protected, [*sums.columns, GROUP], sums))
    return pair.compared() if pair else None


def subtotals_of_tables(tables: TablePair, records: pa.Table, schema: Schema, plan: ReleasePlan) -> Subtotals | None:
    """The same for tables in memory. ``records``: the released ones, with the sensitive values of an anatomy."""
    pair = _SumPair.of(plan, schema, records.column_names)
    if pair is not None and pair.has_sums:
        original = tables.as_read.select(pair.sums.columns)
        for name in pair.sums.by:
            original = original.set_column(original.schema.get_field_index(name), name, tables.original[name])
        return pair.compared(pair.sums(original), pair.sums(records.select(pair.sums.columns)))
    return pair.compared() if pair else None


def _recodings_of(original: FittedTable[F], names: Sequence[str]) -> dict[str, ColumnRecoding]:
    found = original.recoding.recodings if original.recoding else {}
    return {name: found[name] for name in names if name in found}


@dataclass(frozen=True)
class _SumPair:
    sums: SubtotalSums  # of the original and of the release
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
        steps = {name: float(schema[name].step_of_means or 0) if name in plan.means else 0.0 for name in names}
        return cls(SubtotalSums(plan.totals_by, names, weight), steps, plan.k or FEWEST_SHOWN, reasons)

    @property
    def has_sums(self) -> bool:
        return bool(self.sums.names)

    def compared(self, *found: CellSums) -> Subtotals:
        """``found``: the sums of the original and of the release; none, if no column is added up."""
        by, names, is_weighted = self.sums.by, self.sums.names, self.sums.weight is not None
        unfit = frozenset[str]().union(*(each.unfit for each in found))
        fit = tuple(name for name in names if name not in unfit)
        not_measured = _unmeasured(by, {**self.reasons, **dict.fromkeys(sorted(unfit), UNFIT)})
        if not fit:
            return Subtotals(by, (), (), 0, self.k, is_weighted, not_measured)
        sums = [each.by_cell() for each in found]
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


@dataclass(frozen=True)
class SubtotalSums:
    """Function of a piece: sums by cell of columns, of the weights and of the records. Suppressed records are not
    counted."""

    by: tuple[str, ...]
    names: tuple[str, ...]
    weight: str | None
    recoding: PieceRecoding | None = None  # applied to a piece first

    @property
    def columns(self) -> list[str]:
        return list(dict.fromkeys([*self.by, *self.names, *([self.weight] if self.weight else [])]))

    def __call__(self, piece: pa.Table) -> CellSums:
        if GROUP in piece.column_names:
            piece = piece.filter(pc.is_valid(piece[GROUP]))
        if self.recoding is not None:
            piece = self.recoding(piece)
        unfit = frozenset(name for name in self.names if not are_numbers(piece[name]))
        weights = to_numbers(self.weight, piece[self.weight]).values if self.weight else np.ones(len(piece))
        nothing = np.zeros(len(piece))
        numbers = [nothing if name in unfit else to_numbers(name, piece[name]).values for name in self.names]
        keys = [_plain(piece[name]).cast(pa.string()) for name in self.by]
        columns = [*keys, *(pa.array(each * weights) for each in numbers), pa.array(weights), pa.array(nothing + 1)]
        return CellSums.of(len(self.by), columns, unfit)


@dataclass(frozen=True)
class CellSums:
    """Columns of keys, then of sums; a column may be both, so that all have numbers for names."""

    n_keys: int
    table: pa.Table
    unfit: frozenset[str]  # columns with cells that are not numbers

    @classmethod
    def of(cls, n_keys: int, columns: Sequence[Any], unfit: frozenset[str]) -> CellSums:
        names = [str(at) for at in range(len(columns))]
        return cls(n_keys, _summed(pa.table(columns, names=names), n_keys), unfit)

    def __add__(self, other: CellSums) -> CellSums:
        both = pa.concat_tables([self.table, other.table])
        return CellSums(self.n_keys, _summed(both, self.n_keys), self.unfit | other.unfit)

    def by_cell(self) -> dict[Values, Any]:
        """Values of a cell -> (n_columns + 2,) sums of the columns, of the weights and of the records."""
        keys = zip(*(self.table[at].to_pylist() for at in range(self.n_keys)), strict=True)
        sums = np.column_stack([self.table[at].to_numpy() for at in range(self.n_keys, self.table.num_columns)])
        return dict(zip(keys, sums, strict=True))


def _summed(table: pa.Table, n_keys: int) -> pa.Table:
    keys, sums = table.column_names[:n_keys], table.column_names[n_keys:]
    found: Any = table.group_by(keys, use_threads=False).aggregate([(name, "sum") for name in sums])
    renamed: pa.Table = found.select([*keys, *(f"{name}_sum" for name in sums)]).rename_columns(table.column_names)
    return renamed


def _plain(column: pa.ChunkedArray[Any]) -> Any:
    return column.cast(column.type.value_type) if pa.types.is_dictionary(column.type) else column
