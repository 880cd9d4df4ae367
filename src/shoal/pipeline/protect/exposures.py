"""Disclosure despite equivalence classes: unique records on unchanged columns, and homogeneous classes.

Counted over all records by the engine.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Generic

import pyarrow as pa

from shoal.assessment.exposure import (
    N_NAMED,
    Exposure,
    by_number_of_values,
    columns_to_cover,
    homogeneous_finding,
    n_homogeneous,
    n_homogeneous_by_wildcards,
    n_unique,
    unique_finding,
)
from shoal.encode.codes import has_codes, is_countable
from shoal.encode.combination_counts import count_combinations
from shoal.encode.count_table import CountTable
from shoal.engines.protocol import GROUP, F
from shoal.findings import Findings
from shoal.pipeline.protect.fitted_table import FittedTable
from shoal.policy.policy_advice import advice_to_diversify, advice_to_protect


@dataclass(frozen=True)
class ExposureResult:
    findings: Findings
    exposures: tuple[Exposure, ...] = ()


@dataclass(frozen=True)
class ExposureMeasurement(Generic[F]):
    """Measures both kinds of disclosure. ``kept``: all released records; ``sample``: some of them."""

    original: FittedTable[F]
    kept: F
    n_records: int
    sample: pa.Table

    def __call__(self) -> ExposureResult:
        if not self.n_records:
            return ExposureResult(Findings())
        found = (self._unique(), self._homogeneous())
        return ExposureResult(
            Findings(tuple(finding for each in found for finding in each.findings)),
            tuple(exposure for each in found for exposure in each.exposures),
        )

    def _unique(self) -> ExposureResult:
        """Records that are unique on unchanged columns, in case an intruder knows these."""
        plan = self.original.plan
        names = [name for name in self.original.plan.unchanged if is_countable(self.sample[name].type)]
        if not names:
            return ExposureResult(Findings())
        limit = 100 * plan.warn.unique
        share = self._percent(n_unique(self._counts(names)))
        found = Findings((unique_finding(share, names, limit),))
        if share <= limit:
            return ExposureResult(found)
        ranked = by_number_of_values(self.sample, names)
        remedy = advice_to_protect(plan, columns_to_cover(self.sample, ranked, limit))
        return ExposureResult(found, (Exposure("unique", share, limit, ranked[:N_NAMED], remedy),))

    def _homogeneous(self) -> ExposureResult:
        """Records in classes whose records all share one sensitive value."""
        plan = self.original.plan
        limit = 100 * plan.warn.homogeneous
        names = [name for name in self.original.schema.sensitive if self._has_several_values(name)]
        shares = {name: self._homogeneous_share(name) for name in names}
        found = Findings(tuple(homogeneous_finding(share, name, limit) for name, share in shares.items()))
        above_limit = sorted((name for name in names if shares[name] > limit), key=lambda name: -shares[name])
        if not above_limit:
            return ExposureResult(found)
        worst = shares[above_limit[0]]
        remedy = advice_to_diversify(plan, above_limit)
        return ExposureResult(found, (Exposure("homogeneous", worst, limit, tuple(above_limit[:N_NAMED]), remedy),))

    def _has_several_values(self, name: str) -> bool:
        """Whether a column has several values; a single value is no secret."""
        values = self.sample[name]
        return has_codes(values.type) and len(count_combinations(self.sample, [name]).known) > 1

    def _homogeneous_share(self, name: str) -> float:
        count = n_homogeneous_by_wildcards if self.original.plan.blanks_are_wildcards else n_homogeneous
        return max(self._percent(count(self._counts(columns, name))) for columns in self._classes())

    def _counts(self, columns: Sequence[str], *values: str) -> Iterator[CountTable]:
        return map(CountTable.of, self.original.engine.class_counts(self.kept, columns, values))

    def _classes(self) -> list[tuple[str, ...]]:
        """The columns of classes: of each key set, since an intruder knows one of them; or the group of an anatomy."""
        if self.original.plan.representation.separates_sensitive:
            return [(GROUP,)]
        if self.original.plan.k is None:
            return [self.original.schema.quasi_identifiers]
        return [key.columns for key in self.original.keys]

    def _percent(self, n: int) -> float:
        return 100 * n / self.n_records
