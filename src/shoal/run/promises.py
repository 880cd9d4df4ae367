"""Promises: what a release says of itself besides its requirements, by its maker or by its manifest."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

from shoal.errors import ManifestError
from shoal.policy import Policy, ReleasePlan
from shoal.release.manifest import Manifest
from shoal.release.step_gate import StepOfMeans
from shoal.run.figures import is_of_policy
from shoal.run.grids import told_grids
from shoal.run.wholeness import manifest_beside
from shoal.schema import Schema
from shoal.schema.grid import Grid

MOST_DECIMALS = 400  # no number has more


@dataclass(frozen=True)
class Promises:
    """By column. ``decimals``: how many digits its means, or the numbers of a perturbation, may have; ``steps``: on
    which they lie; ``grids``: where its intervals may end."""

    decimals: Mapping[str, int] = field(default_factory=dict)
    grids: Mapping[str, Grid] = field(default_factory=dict)
    steps: Mapping[str, StepOfMeans] = field(default_factory=dict)

    @classmethod
    def of_schema(cls, plan: ReleasePlan, schema: Schema) -> Self:
        """As the means were rounded, the numbers of perturbations made and the ends found."""
        columns = [schema[name] for name in (*plan.means, *plan.means_of_dates)]
        made = {name: found for name in plan.as_made if (found := schema[name].resolution)}
        steps = {
            column.name: StepOfMeans(step, column.offset, column.kind == "date")
            for column in columns
            if (step := column.step_of_means)
        }
        steps |= {
            name: StepOfMeans(found.step, found.offset, schema[name].kind == "date") for name, found in made.items()
        }
        digits: dict[str, int | None] = {column.name: column.decimals for column in columns}
        digits |= {name: found.decimals for name, found in made.items() if schema[name].kind == "numeric"}
        return cls(_whole_numbers(digits), schema.grids, steps)

    @classmethod
    def of_manifest(cls, manifest: Manifest) -> Self:
        """Whatever else it holds is no promise."""
        decimals, told = (each if isinstance(each, Mapping) else {} for each in (manifest.decimals, manifest.steps))
        steps = {name: step for name, one in told.items() if (step := StepOfMeans.read(one))}
        return cls(_whole_numbers(decimals), told_grids(manifest), steps)

    @classmethod
    def beside(cls, source: Any, policy: Policy) -> Self:
        """Of the manifest beside a file, where it tells of a release of ``policy``; what is wrong with it is said
        elsewhere."""
        try:
            found = manifest_beside(Path(source)) if isinstance(source, str | os.PathLike) else None
        except (ManifestError, OSError):
            return cls()
        return cls.of_manifest(found[1]) if found and is_of_policy(found[1], policy) else cls()

    def digits(self, plan: ReleasePlan) -> dict[str, int]:
        """Those that the policy says and those promised, the fewer where both do."""
        names = (*plan.means, *plan.as_made)
        given = _whole_numbers({name: plan.columns[name].decimals for name in names})
        both = {name: [told[name] for told in (given, self.decimals) if name in told] for name in names}
        return {name: min(found) for name, found in both.items() if found}

    def steps_of(self, plan: ReleasePlan) -> dict[str, StepOfMeans]:
        """Of columns that are released as means, or as a perturbation made them."""
        names = (*plan.means, *plan.means_of_dates, *plan.as_made)
        return {name: self.steps[name] for name in names if name in self.steps}


def _whole_numbers(told: Mapping[str, Any]) -> dict[str, int]:
    return {
        name: number
        for name, number in told.items()
        if isinstance(number, int) and not isinstance(number, bool) and abs(number) <= MOST_DECIMALS
    }
