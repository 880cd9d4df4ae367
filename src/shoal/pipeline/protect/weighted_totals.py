"""Totals of numeric columns in original and release by stratum, summed piece by piece."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from shoal import kernels
from shoal.assessment.assessment import FEWEST_SHOWN
from shoal.assessment.utility.totals import Totals
from shoal.encode.number_column import to_numbers
from shoal.engines.protocol import GROUP, RECORD_ID, F
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
    strata = stratum_of_records(changed) if plan.within else None
    of = TotalsByStratum(tuple(names), weight, strata, 1 if strata is None else int(strata.max()) + 1)
    before = original.engine.total(original.as_read, of.columns, of)
    after = original.engine.total(protected, [*of.columns, GROUP], of)
    fit = [at for at, name in enumerate(names) if name not in before.unfit | after.unfit]
    steps = [schema[names[at]].step_of_means if names[at] in by_means else None for at in fit]
    return Totals(
        tuple(names[at] for at in fit),
        before.sums[:, fit],
        after.sums[:, fit],
        after.sums[:, -1],
        after.n_records,
        np.array([float(step or 0) for step in steps]),
        plan.k or FEWEST_SHOWN,
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


@dataclass(frozen=True)
class TotalsByStratum:
    """Function of a piece: its sums by stratum. Suppressed records are not counted; a missing value adds nothing."""

    names: tuple[str, ...]
    weight: str | None
    strata: Labels | None  # (n_records,) stratum of each original record; None: there is only one
    n_strata: int

    @property
    def columns(self) -> list[str]:
        return [*self.names, *([self.weight] if self.weight else []), RECORD_ID]

    def __call__(self, piece: pa.Table) -> StratumSums:
        strata, counted = self._strata_of(piece), np.ones(len(piece))
        if GROUP in piece.column_names:
            counted = piece[GROUP].is_valid().to_numpy().astype(np.float64)
        weights = counted * to_numbers(self.weight, piece[self.weight]).values if self.weight else counted
        unfit = frozenset(name for name in self.names if not _has_numbers(piece, name))
        terms = [to_numbers(n, piece[n]).values * weights if n not in unfit else 0 * weights for n in self.names]
        sums = kernels.group_sums(np.column_stack([*terms, weights]), strata, self.n_strata)
        n_records = np.bincount(strata, weights=counted, minlength=self.n_strata).astype(np.int64)
        return StratumSums(sums, n_records, unfit)

    def _strata_of(self, piece: pa.Table) -> Labels:
        if self.strata is None:
            return np.zeros(len(piece), dtype=np.int64)
        strata: Labels = self.strata[piece[RECORD_ID].to_numpy()]
        return strata


def _has_numbers(piece: pa.Table, name: str) -> bool:
    try:
        to_numbers(name, piece[name])
    except TableError:
        return False
    return True


@dataclass(frozen=True)
class StratumSums:
    sums: Matrix  # (n_strata, n_columns + 1) of columns and, last, of the weights
    n_records: Labels  # (n_strata,)
    unfit: frozenset[str]  # columns with cells that are not numbers

    def __add__(self, other: StratumSums) -> StratumSums:
        return StratumSums(self.sums + other.sums, self.n_records + other.n_records, self.unfit | other.unfit)
