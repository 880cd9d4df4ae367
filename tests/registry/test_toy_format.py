"""A file format is added by three edits of the package, and is then protected, verified and replayed."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from registry.package_copy import Edit, PackageCopy, files_of, steps_in_contributing
from shoal.errors import SourceError
from shoal.sources import check_writable

# Step 1: a module that reads and writes.
READ_AND_WRITE = """\
import json

import pyarrow as pa

from shoal.sources.columns import select_columns
from shoal.sources.origin import LoadedTable, Origin


def read(path, options, columns):
    cells = json.loads(path.read_text())["columns"]
    table = pa.table({name: cells[name] for name in select_columns(path, list(cells), columns)})
    return LoadedTable(table, Origin("toy", path, options))


def write(table, path, like):
    path.write_text(json.dumps({"columns": table.to_pydict()}))
"""
# Step 2: a reader of whatever the file holds besides its cells.
CARRIERS = """\
import json

from shoal.sources.carriers.carrier import carrier_if_any


def carriers(path):
    others = set(json.loads(path.read_text())) - {"columns"}
    yield from carrier_if_any("remarks", len(others), "remove them")
"""
# Step 3: an entry of the table.
ENTRY = '    FileFormat("toy", (".toy",), "shoal.sources.toy", "shoal.sources.carriers.toy_carriers"),\n'
STEPS = [
    [Edit("src/shoal/sources/toy.py", READ_AND_WRITE)],
    [Edit("src/shoal/sources/carriers/toy_carriers.py", CARRIERS)],
    [Edit("src/shoal/sources/formats.py", ENTRY, before='    FileFormat(\n        "csv",\n')],
    [],  # it needs no package
    [],  # its original is in this file
    [
        Edit("docs/carriers.md", "\nA .toy file is read whole.\n"),
        Edit("CHANGELOG.md", "- A new file format: .toy.\n"),
    ],
]

USE = """\
import json
from pathlib import Path

import shoal

ages, towns = [20 + i % 7 for i in range(60)], ["east", "west", "north"] * 20
original = {"columns": {"age": ages, "town": towns}, "note": "of the original"}
Path("original.toy").write_text(json.dumps(original))
Path("policy.toml").write_text('''
[[requirements]]
name = "k_anonymity"
k = 4
[method]
name = "mdav"
[columns.age]
role = "quasi_identifier"
kind = "numeric"
[columns.town]
role = "quasi_identifier"
kind = "nominal"
''')
release = shoal.protect("original.toy", "policy.toml", output="release.toy", key="policy.key")
print("format", release.manifest.output.format)
print("keys", list(json.loads(Path("release.toy").read_text())))
print("holds", shoal.verify("release.toy", "policy.toml").holds)
again = shoal.replay("release.manifest.json", output="again.toy")
print("equal", Path("again.toy").read_bytes() == Path("release.toy").read_bytes())
remarked = json.loads(Path("release.toy").read_text()) | {"note": "of the original"}
Path("release.toy").write_text(json.dumps(remarked))
print("remarked", any("remarks" in fault for fault in shoal.verify("release.toy", "policy.toml").faults))
"""


def test_the_steps_are_those_of_contributing_and_three_change_the_package() -> None:
    assert steps_in_contributing("file format") == (len(STEPS), len(STEPS))
    assert [all(edit.file.startswith("src/") for edit in step) for step in STEPS[:3]] == [True, True, True]
    assert not any(file.startswith("src/") for file in files_of(STEPS[3:]))


@pytest.mark.gate
def test_a_format_takes_its_steps(tmp_path: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    copy = PackageCopy.of(tmp_path_factory.mktemp("format"))
    copy.take(STEPS)
    ran = subprocess.run(
        [sys.executable, "-c", USE],
        cwd=tmp_path,
        env=copy.scratch.environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    expected = ["format toy", "keys ['columns']", "holds True", "equal True", "remarked True"]
    assert ran.stdout.splitlines() == expected


def test_without_its_entry_the_format_is_unknown() -> None:
    with pytest.raises(SourceError, match=r"'\.toy'"):
        check_writable(Path("release.toy"))
