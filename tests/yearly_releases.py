"""Releases of the years of a growing population, in the files that a steward holds."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import tomlkit

import shoal
from yearly_example import policy, write_years

K, N = 5, 400
BELOW = "persons below k, earlier releases"


def release_years(folder: Path) -> None:
    """The originals and policy, the release of the first year, and of the second one made alone and kept."""
    first, second, _ = write_years(folder, N, n_years=3)
    (folder / "policy.toml").write_text(tomlkit.dumps(policy(K)), encoding="utf-8")
    protect(folder, first, "old.csv")
    protect(folder, second, "alone.csv")
    protect(folder, second, "kept.csv", earlier=[folder / "old.csv"])


def protect(folder: Path, source: Path, name: str, rules: str = "policy.toml", **how: Any) -> shoal.Release:
    return shoal.protect(source, folder / rules, output=folder / name, key=folder / "policy.key", **how)


def protect_second(folder: Path, name: str, **how: Any) -> shoal.Release:
    """Nothing is written."""
    return shoal.protect(folder / "year2.csv", folder / "policy.toml", key=folder / "policy.key", **how)


def assess(folder: Path, name: str, rules: str = "policy.toml", **how: Any) -> shoal.Assessment:
    found = {"earlier": [folder / "old.csv"]} | how
    return shoal.assess(folder / "year2.csv", folder / name, folder / rules, key=folder / "policy.key", **found)
