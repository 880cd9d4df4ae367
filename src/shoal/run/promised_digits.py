"""Promised digits: how many a mean of the release may have and on which step it lies, by policy, original, manifest."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

from shoal.errors import ManifestError
from shoal.policy import Policy
from shoal.release.manifest import Manifest
from shoal.release.step_gate import StepOfMeans
from shoal.run.wholeness import manifest_beside
from shoal.schema import Schema


@dataclass(frozen=True)
class Digits:
    """By column; whatever is not known is left out."""

    decimals: Mapping[str, Any] = field(default_factory=dict)
    steps: Mapping[str, StepOfMeans] = field(default_factory=dict)

    @classmethod
    def resolved(cls, policy: Policy, schema: Schema) -> Self:
        """Of every column that is told by means, as they were rounded; a manifest says them."""
        columns = [schema[name] for name in policy.told_by_means]
        return cls(
            {column.name: column.decimals for column in columns if column.decimals is not None},
            {column.name: StepOfMeans(step, column.offset) for column in columns if (step := column.step_of_means)},
        )

    @classmethod
    def told(cls, manifest: Manifest) -> Self:
        decimals, steps = (each if isinstance(each, Mapping) else {} for each in (manifest.decimals, manifest.steps))
        return cls(decimals, {name: step for name, one in steps.items() if (step := StepOfMeans.read(one))})

    @classmethod
    def beside(cls, source: Any) -> Self:
        """What the manifest beside a file says; nothing where there is none that can be read."""
        if not isinstance(source, str | os.PathLike):
            return cls()
        try:
            found = manifest_beside(Path(source))
        except (ManifestError, OSError):
            return cls()
        return cls.told(found[1]) if found else cls()

    def described(self) -> dict[str, dict[str, str]]:
        """The steps, for a manifest."""
        return {name: step.described() for name, step in self.steps.items()}

    def with_policy(self, policy: Policy) -> Self:
        """What the policy says and what is told, the fewer digits where both do; of columns that are told by means."""
        names = policy.told_by_means
        both = {name: (policy.columns[name].decimals, self.decimals.get(name)) for name in names}
        known = {name: [each for each in found if isinstance(each, int)] for name, found in both.items()}
        steps = {name: step for name, step in self.steps.items() if name in names}
        return type(self)({name: min(found) for name, found in known.items() if found}, steps)
