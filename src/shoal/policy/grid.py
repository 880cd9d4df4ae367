"""A policy many times over: every combination of some settings.

A setting is a key of the policy.toml with its tables joined by dots, ``method.k`` or ``perturbations.0.p``. Who sets a
name starts that table anew: the parameters of one method mean nothing to another.
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
    """The last setting changes fastest; without any there is one combination, which changes nothing."""
    for key, values in grid.items():
        if isinstance(values, str) or not len(values):
            raise ComparisonError.no_values(key)
    for values in product(*grid.values()):
        yield dict(zip(grid, values, strict=True))


def with_settings(policy: Policy, settings: Settings) -> Policy:
    """The same policy with some keys set; it must fit together like any other."""
    if not settings:
        return policy
    content = policy.model_dump(mode="json", exclude_unset=True)
    for key in sorted(settings, key=lambda key: not key.endswith("name")):  # names first
        _set(content, key, settings[key])
    changed = load(content)
    return changed.beside(policy.file) if policy.file else changed


def _set(content: dict[str, Any], key: str, value: Any) -> None:
    *tables, last = key.split(".")
    at: Any = content
    for part in tables:
        at = _inside(at, part, key)
    if not isinstance(at, dict):
        raise ComparisonError.no_such_place(key)
    if last == "name":
        at.clear()
    at[last] = value


def _inside(at: Any, part: str, key: str) -> Any:
    """The table at a key, made where there is none yet; in a list, the one at that place, from 0 on."""
    if isinstance(at, dict) and not part.isdecimal():
        if at.get(part) is None:
            at[part] = {}
        return at[part]
    if isinstance(at, list) and part.isdecimal() and int(part) < len(at):
        return at[int(part)]
    raise ComparisonError.no_such_place(key)
