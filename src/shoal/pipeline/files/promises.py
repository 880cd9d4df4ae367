"""Properties that a release states besides its requirements: decimals, steps and grids, by the run or the manifest."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

from shoal.errors import ManifestError
from shoal.gate.step_of_means import StepOfMeans
from shoal.pipeline.verify.completeness import find_manifest
from shoal.pipeline.verify.interval_ends import grids_of_manifest
from shoal.pipeline.verify.manifest_figures import is_of_policy
from shoal.policy import Policy, ReleasePlan
from shoal.release.manifest import Manifest
from shoal.schema import Schema
from shoal.schema.grid import Grid

MOST_DECIMALS = 400  # more than any number has


@dataclass(frozen=True)
class Promises:
    """By column. ``decimals``: most digits after the point of means or perturbed numbers; ``steps``: the step of which
    they are multiples, up to an offset; ``grids``: where intervals may end."""

    decimals: Mapping[str, int] = field(default_factory=dict)
    grids: Mapping[str, Grid] = field(default_factory=dict)
    steps: Mapping[str, StepOfMeans] = field(default_factory=dict)

    @classmethod
    def of_schema(cls, plan: ReleasePlan, schema: Schema) -> Self:
        """From the schema: how means and perturbed numbers were rounded, and the grids of intervals."""
        columns = [schema[name] for name in (*plan.means, *plan.means_of_dates)]
        made = {name: found for name in plan.as_perturbed if (found := schema[name].resolution)}
        steps = {
            column.name: StepOfMeans(step, column.offset_of_means, column.kind == "date")
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
        """From a manifest; malformed entries are ignored."""
        decimals, stated = (each if isinstance(each, Mapping) else {} for each in (manifest.decimals, manifest.steps))
        steps = {name: step for name, one in stated.items() if (step := StepOfMeans.read(one))}
        return cls(_whole_numbers(decimals), grids_of_manifest(manifest), steps)

    @classmethod
    def of_file(cls, source: Any, policy: Policy) -> Self:
        """From the manifest next to the file ``source``, if it describes a release under ``policy``. Errors of the
        manifest are reported elsewhere."""
        try:
            found = find_manifest(Path(source)) if isinstance(source, str | os.PathLike) else None
        except (ManifestError, OSError):
            return cls()
        return cls.of_manifest(found[1]) if found and is_of_policy(found[1], policy.summary()) else cls()

    def digits(self, plan: ReleasePlan) -> dict[str, int]:
        """Decimals by column as stated by the policy or the promises; the smaller number where both state one."""
        names = (*plan.means, *plan.as_perturbed)
        declared = _whole_numbers({name: plan.columns[name].decimals for name in names})
        both = {name: [stated[name] for stated in (declared, self.decimals) if name in stated] for name in names}
        return {name: min(found) for name, found in both.items() if found}

    def steps_of(self, plan: ReleasePlan) -> dict[str, StepOfMeans]:
        """Steps of the columns that are released as means or as perturbed values."""
        names = (*plan.means, *plan.means_of_dates, *plan.as_perturbed)
        return {name: self.steps[name] for name in names if name in self.steps}


def _whole_numbers(stated: Mapping[str, Any]) -> dict[str, int]:
    return {
        name: number
        for name, number in stated.items()
        if isinstance(number, int) and not isinstance(number, bool) and abs(number) <= MOST_DECIMALS
    }
