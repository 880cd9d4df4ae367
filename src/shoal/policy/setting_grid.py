"""Variants of a policy for a parameter grid: every combination of given settings.

A setting is a key of policy.toml with its tables joined by dots, ``method.k`` or ``perturbations.0.p``. Setting a name
clears that table first, because the parameters of one method do not apply to another.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import Any

from shoal.errors import ComparisonError
from shoal.policy.load import load
from shoal.policy.policy import Policy

Settings = Mapping[str, Any]


def combinations(grid: Mapping[str, Sequence[Any]]) -> Iterator[Settings]:
    """All combinations of the values, the last setting changing fastest; an empty grid has one, without settings."""
    for key, values in grid.items():
        if isinstance(values, str) or not len(values):
            raise ComparisonError.no_values(key)
    for values in product(*grid.values()):
        yield dict(zip(grid, values, strict=True))


def with_settings(policy: Policy, settings: Settings) -> Policy:
    """The policy with some keys replaced, validated like any other."""
    if not settings:
        return policy
    content = policy.model_dump(mode="json", exclude_unset=True)
    for key in sorted(settings, key=lambda key: not key.endswith("name")):  # names first
        _set(content, key, settings[key])
    changed = load(content)
    return changed.read_from(policy.file) if policy.file else changed


def _set(content: dict[str, Any], key: str, value: Any) -> None:
    *tables, last = key.split(".")
    at: Any = content
    for part in tables:
        at = _table_at(at, part, key)
    if not isinstance(at, dict):
        raise ComparisonError.no_such_table(key)
    if last == "name":
        at.clear()
    at[last] = value


def _table_at(at: Any, part: str, key: str) -> Any:
    """The table at key ``part``, created where there is none; in a list, the item at that index, from 0."""
    if isinstance(at, dict) and not part.isdecimal():
        if at.get(part) is None:
            at[part] = {}
        return at[part]
    if isinstance(at, list) and part.isdecimal() and int(part) < len(at):
        return at[int(part)]
    raise ComparisonError.no_such_table(key)
