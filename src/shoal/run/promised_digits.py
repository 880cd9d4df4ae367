"""Promised digits: how many a mean of the release may have, by policy, original or manifest."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from shoal.errors import ManifestError
from shoal.policy import Policy
from shoal.run.wholeness import manifest_beside
from shoal.schema import Schema

Decimals = Mapping[str, int]


def resolved_decimals(policy: Policy, schema: Schema) -> dict[str, int]:
    """Of every column that is told by means, as they were rounded; a manifest says them."""
    found = {name: schema[name].decimals for name in policy.told_by_means}
    return {name: decimals for name, decimals in found.items() if decimals is not None}


def promised_decimals(policy: Policy, told: Mapping[str, Any]) -> dict[str, int]:
    """What the policy says and what ``told`` says, the fewer where both do."""
    given = {name: policy.columns[name].decimals for name in policy.told_by_means}
    both = {name: [each for each in (given[name], told.get(name)) if isinstance(each, int)] for name in given}
    return {name: min(found) for name, found in both.items() if found}


def told_beside(source: Any) -> Mapping[str, Any]:
    """What the manifest beside a file says; nothing where there is none that can be read."""
    if not isinstance(source, str | os.PathLike):
        return {}
    try:
        found = manifest_beside(Path(source))
    except (ManifestError, OSError):
        return {}
    return found[1].decimals if found and isinstance(found[1].decimals, Mapping) else {}
