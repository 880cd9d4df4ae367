"""Cells of a release that can be computed from the released means or interval ends of their class.

For records on an engine, or for tables in memory.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

import pyarrow as pa

from shoal import progress
from shoal.assessment.exposure import N_NAMED, Exposure
from shoal.assessment.risk.determined_cells import (
    Classes,
    DeterminedCells,
    determined_by_ends,
    determined_by_means,
)
from shoal.assessment.risk.public_range import PublicRange
from shoal.assessment.risk.release_counts import RecordsInMemory
from shoal.engines.protocol import F
from shoal.findings import Findings
from shoal.pipeline.protect.exposures import ExposureResult
from shoal.pipeline.protect.fitted_table import FittedTable
from shoal.policy import ReleasePlan
from shoal.policy.column_profile import ColumnProfile
from shoal.policy.policy_advice import advice_to_round
from shoal.schema import Schema
from shoal.schema.time_unit import units_of_a_day
from shoal.total import Total, TotalOfClasses, total_of_table


def determined_cells_of_release(original: FittedTable[F], kept: F) -> ExposureResult:
    """Determined cells of a release on an engine. ``kept``: all released records."""
    return DeterminedCellSearch(
        original.plan,
        original.schema,
        original.total,
        partial(original.engine.class_total, kept),
        original.frame.names,
    )()


def determined_cells_of_tables(
    plan: ReleasePlan, schema: Schema, before: pa.Table, released: pa.Table
) -> ExposureResult:
    """Determined cells of a release, with both tables in memory."""
    classes = RecordsInMemory(released).class_total
    return DeterminedCellSearch(plan, schema, total_of_table(before), classes, released.column_names)()


@dataclass(frozen=True)
class DeterminedCellSearch:
    """The search for determined cells. ``total``: over the original; ``classes``: over those of the released records,
    whose columns are ``released``."""

    plan: ReleasePlan
    schema: Schema
    total: Total
    classes: TotalOfClasses
    released: Collection[str]

    def __call__(self) -> ExposureResult:
        names = self._columns()
        if not names:
            return ExposureResult(Findings())
        with progress.stage("solving classes", 0):
            known = self._public_ranges(names)
            found = [
                one for classes in self._classes() for one in self._determined_cells(classes, known) if one.n_cells
            ]
        limit = 100 * self.plan.warn.determined
        findings = Findings(tuple(one.finding(limit) for one in found))
        above_limit = sorted(
            (one for one in found if 100 * one.share_with_undecided > limit), key=lambda one: -one.share_with_undecided
        )
        if not above_limit:
            return ExposureResult(findings)
        named = tuple(one.column for one in above_limit)
        remedy = (
            advice_to_round(self.plan, {name: known[name].step for name in named}) if self.plan.releases_means else ""
        )
        return ExposureResult(
            findings,
            (Exposure("determined", 100 * above_limit[0].share_with_undecided, limit, named[:N_NAMED], remedy),),
        )

    def _columns(self) -> tuple[str, ...]:
        """Numbers and dates released as means or as ends of original values, without perturbed columns and columns of
        strata. None after local suppression: blanks divide groups into classes for which the mean does not hold."""
        if not (self.plan.releases_means or self.plan.releases_ends_of_values) or self.plan.blanks_cells:
            return ()
        columns = [column for column in self.schema.with_role("quasi_identifier") if column.kind in ("numeric", "date")]
        names = [column.name for column in columns if column.name not in self.plan.within]
        return tuple(name for name in names if not self.plan.columns[name].is_perturbed)

    def _public_ranges(self, names: Sequence[str]) -> dict[str, PublicRange]:
        """The publicly known range and step of each column that has a step."""
        profiles = ColumnProfile.of_columns(names, self.total, names)
        ranges = {
            name: PublicRange.of(profile.steps, units_of_a_day(profile.type))
            for name, profile in profiles.items()
            if profile.steps is not None
        }
        return {name: found for name, found in ranges.items() if found}

    def _classes(self) -> Iterator[Classes]:
        weights = self.schema.with_role("weight")
        for columns in [key.columns for key in self.plan.key_sets]:
            strata = [name for name in self.plan.within if name not in columns and name in self.released]
            yield Classes(self.classes, (*columns, *strata), weights[0].name if weights else None)

    def _determined_cells(self, classes: Classes, known: dict[str, PublicRange]) -> Iterator[DeterminedCells]:
        names = [name for name in classes.columns if name in known]
        sample = classes.sample() if names else None
        for name in names:
            assert sample is not None, "there are columns to solve"
            if self.plan.releases_means:
                yield determined_by_means(classes, sample, self.schema[name], known[name])
            else:
                half_open = self.plan.columns[name].step is not None
                yield determined_by_ends(sample, self.schema[name], known[name], half_open=half_open)
