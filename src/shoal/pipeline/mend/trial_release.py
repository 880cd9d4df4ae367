"""One policy, really run in memory: its release, and the figures by which changes are compared."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import pyarrow as pa

from shoal.assessment.exposure import Exposure
from shoal.assessment.mend.known_columns import KnownColumns
from shoal.assessment.mend.risk_figure import RiskFigure, limit_figures, risk_figures
from shoal.assessment.mend.tried_change import LOST, ReleaseFigures
from shoal.assessment.risk_limits import check_limits
from shoal.assessment.utility.loss import column_loss
from shoal.engines.memory import MemoryEngine
from shoal.kernels import Labels
from shoal.pipeline.files.release import Release
from shoal.pipeline.protect.fitted_table import FittedTable
from shoal.pipeline.protect.protect import protect
from shoal.pipeline.record_pairing import released_positions
from shoal.policy import Policy, ReleasePlan
from shoal.release.anatomize import GROUP
from shoal.sources.key_file import Key


@dataclass(frozen=True, eq=False)
class TrialRelease:
    source: Any
    release: Release

    @classmethod
    def of(cls, source: Any, policy: Policy, key: Key) -> TrialRelease:
        """Nothing is written. ``key``: the same for all policies that are compared."""
        return cls(source, protect(source, policy, engine="memory", key=key.secret))

    @property
    def plan(self) -> ReleasePlan:
        return self.release.plan

    @property
    def records(self) -> pa.Table:
        assert self.release.records is not None, "made in memory"
        return self.release.records

    @property
    def exposures(self) -> tuple[Exposure, ...]:
        """What the policy warns of."""
        return self.release.assessment.exposures

    @property
    def remedies(self) -> tuple[str, ...]:
        """Lines for the policy that its warnings advise."""
        return tuple(each.remedy for each in self.exposures if each.remedy)

    def figures(self, columns: Sequence[str]) -> ReleaseFigures:
        """``columns``: those whose loss counts, in every policy that is compared."""
        counts = self.release.manifest.counts
        n_all = counts["n_released"] + counts["n_suppressed"]
        suppressed = 100 * counts["n_suppressed"] / n_all
        return ReleaseFigures(suppressed, {name: self._loss(name) for name in columns}, self._risks())

    def _risks(self) -> tuple[RiskFigure, ...]:
        known, singled_out = self.known, None
        if known is not None:
            singled_out = known.share_by_wildcards if self.plan.blanks_are_wildcards else known.share
        policy, assessment = self.release.policy, self.release.assessment
        of_limits = limit_figures(check_limits(policy.limits.by_name, assessment))
        return (*risk_figures(assessment, singled_out, unique_limit(policy)), *of_limits)

    @property
    def class_columns(self) -> tuple[str, ...]:
        """The released columns that form classes: the quasi-identifiers, or the group of an anatomy."""
        if self.plan.representation.separates_sensitive:
            return (GROUP,)
        return tuple(name for name in self.plan.quasi_identifiers if name in self.records.column_names)

    @cached_property
    def known(self) -> KnownColumns | None:
        """The columns that an intruder may know; quasi-identifiers with perturbed values only where they form classes,
        since nobody knows the perturbed ones."""
        columns = self.plan.columns
        classes = [n for n in self.class_columns if n == GROUP or self._shows_known_values(n)]
        outside = [name for name in self.plan.unchanged if columns[name].role == "other" and name not in classes]
        return KnownColumns.of(self.records, [*classes, *outside], self._units)

    def _shows_known_values(self, name: str) -> bool:
        return self.plan.method.forms_classes or not self.plan.columns[name].is_perturbed

    @property
    def _units(self) -> Any | None:
        """The unit of every released record, where requirements count units."""
        unit = self.plan.unit
        if unit is not None and unit in self.records.column_names:
            return self.records[unit]
        if self.release.units is None:
            return None
        return pa.chunked_array([pa.array(self.release.units, mask=self.release.units < 0)])

    def _loss(self, name: str) -> float:
        """Percent lost of a column of the table; all of it where it is not released, or no record is."""
        column, assessment = self.plan.columns[name], self.release.assessment
        recoded = {each.column: each.loss for each in assessment.recodings}
        if name not in self.records.column_names or column.role == "identifier" or not len(self.records):
            return LOST
        if name in assessment.losses:
            return assessment.losses[name]
        if recoded.get(name) is not None:
            return float(recoded[name] or 0.0)
        if column.is_unchanged and not (column.role == "weight" and self.plan.weights != "kept"):
            return 0.0
        return self._measured_loss(name)

    def _measured_loss(self, name: str) -> float:
        """The loss of a column that is permuted, perturbed or replaced, record by record."""
        before = self._original.engine.collect(self._original.frame)[name].take(self.numbers)
        return column_loss(self._original.schema[name], before, self.records[name])

    @cached_property
    def _original(self) -> FittedTable[Any]:
        return FittedTable.read(MemoryEngine(), self.source, self.release.policy).with_key(self.release.key)

    @cached_property
    def numbers(self) -> Labels:
        """(n_released,) the position in the original of every released record, from 0."""
        places = released_positions(self._original, self.release.groups)
        kept = np.flatnonzero(places >= 0)
        return kept[np.argsort(places[kept], kind="stable")]


def unique_limit(policy: Policy) -> float:
    """The largest share of records, in percent, that the columns an intruder may know are allowed to single out."""
    return 100 * policy.warn.unique
