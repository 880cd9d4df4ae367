"""Warning about other releases of the same table in the folder: together they disclose more than each alone."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import Any

from shoal.errors import plural
from shoal.pipeline.files.file_names import private_path_of_manifest
from shoal.release.manifest import Manifest
from shoal.release.private_manifest import PrivateManifest

PATTERN = "*manifest.json"
MOST_FILES = 200  # that are read
MOST_BYTES = 1 << 24  # of each


def sibling_notes(manifest: Manifest, private: PrivateManifest, path: Path | None) -> tuple[str, ...]:
    """A note on other releases of the same input next to ``path``, the manifest to be written (or replaced)."""
    if path is None:
        return ()
    here = {"input": vars(manifest.input), "output": vars(manifest.output), "private": vars(private)}
    n = sum(same_input(here, other) and not same_release(here, other) for other in _others(path))
    if not n:
        return ()
    return (
        f"{n} other {plural(n, 'release')} of the same table {plural(n, 'is', 'are')} in this folder: anyone who has "
        "two of them can subtract the means of one from those of the other. Publish one of them, or none.",
    )


def same_input(one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    """Whether two manifests, as plain data, describe releases of the same table, by keyed hash or by private hash."""
    return _same(one, other, "input", "hmac") or _same(one, other, "private", "input_sha256")


def same_release(one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    """Whether both are the same release: a copy discloses nothing more."""
    return _same(one, other, "output", "sha256")


def _same(one: Mapping[str, Any], other: Mapping[str, Any], part: str, name: str) -> bool:
    found, there = (each.get(part) for each in (one, other))
    if not isinstance(found, Mapping) or not isinstance(there, Mapping):
        return False
    return found.get(name) is not None and found.get(name) == there.get(name)


def _others(path: Path) -> Iterator[dict[str, Any]]:
    """The other manifests in the folder of ``path``, each with its private manifest; other files are skipped."""
    files = (file for file in islice(sorted(path.parent.glob(PATTERN)), MOST_FILES) if file.name != path.name)
    for file in files:
        content = _content(file)
        if isinstance(content, dict):
            yield {**content, "private": _content(private_path_of_manifest(file))}


def _content(file: Path) -> Any:
    """The parsed JSON, or None if the file is missing, too large or not JSON."""
    try:
        if not file.is_file() or file.stat().st_size > MOST_BYTES:
            return None
        return json.loads(file.read_bytes())
    except (OSError, ValueError, RecursionError):
        return None
