"""The kept releases: how one is made, what of it is kept, and which of its cells differ.

    inputs/census.csv       made-up persons
    kept/NAME/              the files of a release that others may see, and its manifest without versions, times, paths
    sha256.json             the SHA-256 of every file of every release

``make golden`` makes all of them anew, says which cells differ, and keeps the new ones. A release changes only in a
commit of its own that names the cause.
"""

from __future__ import annotations

import csv
import hashlib
import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import tomlkit

import shoal
from golden.cases import CASES

HERE = Path(__file__).parent
INPUTS, KEPT, HASHES = HERE / "inputs", HERE / "kept", HERE / "sha256.json"
MANIFEST, PRIVATE, FINDINGS = "release.manifest.json", "release.private.json", "findings.json"
KEY = bytes(range(32))
PASSING = ("versions", "made", "cost", "engine")  # of a manifest: what may differ between two runs
DIGITS = 9  # of figures in a manifest: their last bits are not promised on every machine


def make(name: str, folder: Path, engine: str = "memory") -> dict[str, bytes]:
    """The files of the release of a case, by name; the manifest without what is passing."""
    policy, work = with_inputs(name, folder), folder / "release"
    work.mkdir()
    shoal.protect(folder / "census.csv", policy, output=work / "release.csv", engine=engine, key=KEY)
    files = {path.name: path.read_bytes() for path in sorted(work.iterdir())}
    findings = json.loads(files.pop(PRIVATE))["findings"]
    return files | {MANIFEST: lasting(files[MANIFEST]), FINDINGS: _json(findings)}


def with_inputs(name: str, folder: Path) -> Path:
    """The policy of a case in a folder that has all its files."""
    for path in INPUTS.iterdir():
        shutil.copy(path, folder / path.name)
        (folder / path.name).chmod(0o600)  # a checkout has modes of its own, and a key that others may read is noted
    policy = folder / "policy.toml"
    policy.write_text(tomlkit.dumps(CASES[name]), encoding="utf-8")
    return policy


def lasting(manifest: bytes) -> bytes:
    """A manifest without versions, times and paths, its figures to ``DIGITS`` digits."""
    content = {key: value for key, value in json.loads(manifest).items() if key not in PASSING}
    return _json(content)


def _json(content: Any) -> bytes:
    return (json.dumps(_rounded(content), indent=1, ensure_ascii=False) + "\n").encode()


def _rounded(content: Any) -> Any:
    match content:
        case float():
            return float(f"{content:.{DIGITS}g}")
        case dict():
            return {key: _rounded(value) for key, value in content.items() if key != "path"}
        case list():
            return [_rounded(value) for value in content]
        case _:
            return content


def hashes(files: dict[str, bytes]) -> dict[str, str]:
    return {name: hashlib.sha256(content).hexdigest() for name, content in files.items()}


def kept(name: str) -> dict[str, bytes]:
    folder = KEPT / name
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())} if folder.exists() else {}


def keep(name: str, files: dict[str, bytes]) -> None:
    shutil.rmtree(KEPT / name, ignore_errors=True)
    (KEPT / name).mkdir(parents=True)
    for file, content in files.items():
        (KEPT / name / file).write_bytes(content)


def differences(before: dict[str, bytes], after: dict[str, bytes]) -> Iterator[str]:
    """One line for every cell of a CSV, or line of another file, that differs."""
    for file in sorted(before | after):
        if file not in before or file not in after:
            yield f"{file}: {'new' if file in after else 'gone'}"
        elif before[file] != after[file]:
            compare = _cells if file.endswith(".csv") else _lines
            yield from (f"{file}, {line}" for line in compare(before[file].decode(), after[file].decode()))


def _cells(before: str, after: str) -> Iterator[str]:
    (old_names, *old), (new_names, *new) = (list(csv.reader(text.splitlines())) for text in (before, after))
    if old_names != new_names:
        yield f"columns: {old_names} -> {new_names}"
        return
    if len(old) != len(new):
        yield f"records: {len(old)} -> {len(new)}"
    for number, (one, other) in enumerate(zip(old, new, strict=False), 1):
        for column, a, b in zip(old_names, one, other, strict=True):
            if a != b:
                yield f"record {number}, {column}: {a!r} -> {b!r}"


def _lines(before: str, after: str) -> Iterator[str]:
    from difflib import unified_diff

    yield from unified_diff(before.splitlines(), after.splitlines(), lineterm="", n=0)
