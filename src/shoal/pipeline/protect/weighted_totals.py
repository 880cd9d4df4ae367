"""Totals of numeric columns in original and release by stratum, summed piece by piece."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import pyarrow as pa

from shoal import kernels
from shoal.assessment.utility.totals import Totals
from shoal.encode.number_column import to_numbers
from shoal.engines.protocol import GROUP, F
from shoal.errors import TableError
from shoal.findings import Findings
from shoal.kernels import Labels, Matrix
from shoal.pipeline.protect.fitted_table import FittedTable
from shoal.pipeline.protect.released_weights import stratum_of_records
from shoal.policy import ReleasePlan
from shoal.schema import Schema


def total_findings(original: FittedTable[F], changed: FittedTable[F], protected: F) -> Findings:
    """Findings on totals of all columns released as numbers, where the release has means, changed weights, or top and
    bottom codes: these are compared with the numbers before recoding."""
    plan, schema, by_means = original.plan, original.schema, set(original.plan.means)
    names = columns_with_totals(plan, schema)
    has_bounds = any(rule.keeps_numbers for rule in plan.recoded.values())
    if not names or not (by_means or has_bounds or plan.weights != "kept"):
        return Findings()
    weight = next((column.name for column in schema.with_role("weight")), None)
    strata = stratum_of_records(changed)
    before, after = TotalsByStratum(tuple(names), weight, strata), TotalsByStratum(tuple(names), weight, strata)
    original.engine.fold(original.as_read, before.columns, before.add)
    original.engine.fold(protected, [*after.columns, GROUP], after.add)
    fit = [at for at, name in enumerate(names) if name not in before.unfit | after.unfit]
    steps = [schema[names[at]].step_of_means if names[at] in by_means else None for at in fit]
    return Totals(
        tuple(names[at] for at in fit),
        before.sums[:, fit],
        after.sums[:, fit],
        after.sums[:, -1],
        after.n_records,
        np.array([float(step or 0) for step in steps]),
        plan.k or 1,
        weight is not None,
    ).findings()


def columns_with_totals(plan: ReleasePlan, schema: Schema) -> list[str]:
    """The columns that are released as numbers, and were numbers before recoding."""
    others = {*plan.extents, *(name for name, rule in plan.recoded.items() if not rule.keeps_numbers)}
    return [name for name in numeric_columns(schema) if name not in others]


def numeric_columns(schema: Schema) -> list[str]:
    """Those of the roles that a release shows."""
    roles = ("quasi_identifier", "sensitive", "other")
    return [c.name for c in schema.columns if c.kind == "numeric" and c.role in roles]


@dataclass
class TotalsByStratum:
    """Sums of columns and, last, of the weights. Suppressed records are not counted; a missing value adds nothing."""

    names: tuple[str, ...]
    weight: str | None
    strata: Labels  # (n_records,) stratum of each original record
    unfit: set[str] = field(default_factory=set)  # columns with cells that are not numbers
    n_seen: int = 0
    sums: Matrix = field(init=False)  # (n_strata, n_columns + 1)
    n_records: Labels = field(init=False)  # (n_strata,)

    def __post_init__(self) -> None:
        n_strata = int(self.strata.max()) + 1
        self.sums, self.n_records = np.zeros((n_strata, len(self.names) + 1)), np.zeros(n_strata, dtype=np.int64)

    @property
    def columns(self) -> list[str]:
        return [*self.names, *([self.weight] if self.weight else [])]

    def add(self, piece: pa.Table) -> None:
        strata = self.strata[self.n_seen : self.n_seen + len(piece)]
        self.n_seen += len(piece)
        counted = np.ones(len(piece))
        if GROUP in piece.column_names:
            counted = piece[GROUP].is_valid().to_numpy().astype(np.float64)
        weights = counted * to_numbers(self.weight, piece[self.weight]).values if self.weight else counted
        terms = [self._numbers(piece, name) * weights for name in self.names]
        self.sums += kernels.group_sums(np.column_stack([*terms, weights]), strata, len(self.sums))
        self.n_records += np.bincount(strata, weights=counted, minlength=len(self.sums)).astype(np.int64)

    def _numbers(self, piece: pa.Table, name: str) -> kernels.Vector:
        """(n_records,) The values, 0 where missing; all 0 for a column with other cells, which is marked unfit."""
        try:
            return to_numbers(name, piece[name]).values
        except TableError:
            self.unfit.add(name)
            return np.zeros(len(piece))
