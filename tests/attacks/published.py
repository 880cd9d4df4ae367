"""A release as a stranger receives it: the files that are handed out, and the policy."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.csv
import tomlkit

import shoal

Protect = Callable[..., Any]


@dataclass(frozen=True)
class Published:
    """``records`` as texts, for that is what a CSV shows; ``sensitive``: the second table of an anatomy."""

    policy: dict[str, Any]
    records: pa.Table
    manifest: dict[str, Any]
    sensitive: pa.Table | None = None


def publish(
    table: pa.Table, policy: dict[str, Any], folder: Path, *, protect: Protect = shoal.protect, **how: Any
) -> Published:
    """Make a release of ``table`` and show what a stranger sees of it. ``folder`` must be empty; ``protect``: who makes
    it."""
    private, public = folder / "private", folder / "public"
    for each in (private, public):
        each.mkdir(parents=True)
    pyarrow.csv.write_csv(table, private / "original.csv")
    (private / "policy.toml").write_text(tomlkit.dumps(policy), encoding="utf-8")
    protect(private / "original.csv", private / "policy.toml", output=public / "release.csv", **how)
    return received(public, policy)


def received(folder: Path, policy: dict[str, Any]) -> Published:
    """What lies in a folder that was handed out."""
    second = folder / "release.sensitive.csv"
    return Published(
        policy,
        as_texts(folder / "release.csv"),
        json.loads((folder / "release.manifest.json").read_text(encoding="utf-8")),
        as_texts(second) if second.exists() else None,
    )


def as_texts(path: Path) -> pa.Table:
    """Cells as they are written; an empty one is empty."""
    names = pyarrow.csv.open_csv(path).schema.names
    kinds = pyarrow.csv.ConvertOptions(column_types=dict.fromkeys(names, pa.string()), strings_can_be_null=False)
    return pyarrow.csv.read_csv(path, convert_options=kinds)
