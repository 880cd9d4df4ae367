"""A file format is added by three edits of the package, and is then protected, verified and replayed."""

from __future__ import annotations

import filecmp
import re
import subprocess
import sys
from pathlib import Path

import pytest

import shoal
from plant_faults import Scratch
from registry.package_copy import PackageCopy
from shoal.errors import SourceError
from shoal.sources import check_writable

PACKAGE = Path(shoal.__file__).parent
CONTRIBUTING = Path(__file__).parents[2] / "CONTRIBUTING.md"

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


@pytest.fixture
def copy(tmp_path_factory: pytest.TempPathFactory) -> Scratch:
    """A copy of the tree, which Python imports instead of the installed package."""
    return PackageCopy.of(tmp_path_factory.mktemp("format")).scratch


def add_format(package: Path) -> None:
    (package / "sources/toy.py").write_text(READ_AND_WRITE)
    (package / "sources/carriers/toy_carriers.py").write_text(CARRIERS)
    table = package / "sources/formats.py"
    table.write_text(re.sub(r"(?m)^FORMATS = \(\n", lambda found: found[0] + ENTRY, table.read_text(), count=1))


def edited_files(package: Path) -> list[str]:
    files = [path.relative_to(package) for path in package.rglob("*.py")]
    changed = [each for each in files if not _is_as_installed(package, each)]
    return sorted(map(str, changed))


def _is_as_installed(package: Path, file: Path) -> bool:
    installed = PACKAGE / file
    return installed.exists() and filecmp.cmp(package / file, installed, shallow=False)


@pytest.mark.gate
def test_a_format_takes_three_edits(tmp_path: Path, copy: Scratch) -> None:
    package = copy.folder / "src/shoal"
    add_format(package)
    edited = edited_files(package)
    assert edited == ["sources/carriers/toy_carriers.py", "sources/formats.py", "sources/toy.py"]
    steps = CONTRIBUTING.read_text().split("## A new file format in ")[1].split("\n## ")[0]
    assert len(re.findall(r"(?m)^\d\. .*\(package\)", steps)) == len(edited)
    ran = subprocess.run(
        [sys.executable, "-c", USE],
        cwd=tmp_path,
        env=copy.environment,
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
