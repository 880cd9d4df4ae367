"""A file format, which is protected, verified and replayed."""

from registry.package_copy import Edit, Toy

MODULE = """\
from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

import pyarrow as pa

from shoal.sources.columns import select_columns
from shoal.sources.options import ReadOptions
from shoal.sources.origin import LoadedTable, Origin


def read(path: Path, options: ReadOptions, columns: Iterable[str] | None) -> LoadedTable:
    cells = json.loads(path.read_text())["columns"]
    table = pa.table({name: cells[name] for name in select_columns(path, list(cells), columns)})
    return LoadedTable(table, Origin("toy", path, options))


def write(table: pa.Table, path: Path, like: Origin | None) -> None:
    path.write_text(json.dumps({"columns": table.to_pydict()}))
"""
CARRIERS = """\
from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from shoal.sources.carriers.carrier import Carrier, carrier_if_any


def carriers(path: Path) -> Iterator[Carrier]:
    others = set(json.loads(path.read_text())) - {"columns"}
    yield from carrier_if_any("remarks", len(others), "remove them")
"""
ENTRY = '    FileFormat("toy", (".toy",), "shoal.sources.toy", "shoal.sources.carriers.toy_carriers"),\n'
ORIGINAL = """def toy(path: Path) -> Planted:
    path.write_text(json.dumps({"columns": records().to_pydict(), "note": _name("note", 0)}))
    return Planted(path, (_name("note", 0), *records()["person"].to_pylist()))


"""
PLANTED = "tests/attacks/planted.py"
ADAPTER = """    elif kind == ".toy":
        import json

        cells = json.loads(path.read_text())["columns"]
        columns, reader = {name: list(map(_text, values)) for name, values in cells.items()}, "json"
"""
STEPS = [
    [Edit("src/shoal/sources/toy.py", MODULE)],
    [Edit("src/shoal/sources/carriers/toy_carriers.py", CARRIERS)],
    [
        Edit("src/shoal/sources/formats.py", ENTRY, before='    FileFormat(\n        "csv",\n'),
        Edit("src/shoal/sources/options.py", '"toy", ', before='"csv", "parquet", "arrow"'),
        Edit("src/shoal/verifier/adapter.py", ADAPTER, before="    else:\n        raise RefusedError("),
    ],
    [],  # it needs no package
    [
        Edit(PLANTED, "import json\n", before="import shutil\n"),
        Edit(PLANTED, ORIGINAL, before="ORIGINALS: dict["),
        Edit(PLANTED, '    ".toy": toy,\n', before='    ".csv.gz": csv,\n'),
    ],
    [],  # no test asks for its documents
]
SCRIPT = """
import json
from pathlib import Path

import shoal

ages, towns = [20 + i % 7 for i in range(60)], ["east", "west", "north"] * 20
original = {"columns": {"age": ages, "town": towns}, "note": "of the original"}
Path("original.dat").write_text(json.dumps(original))
Path("policy.toml").write_text('''
[source]
format = "toy"
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
release = shoal.protect("original.dat", "policy.toml", output="release.toy", key="policy.key")
assert release.manifest.output.format == "toy"
assert list(json.loads(Path("release.toy").read_text())) == ["columns"]
assert shoal.verify("release.toy", "policy.toml").holds
shoal.replay("release.manifest.json", output="again.toy")
assert Path("again.toy").read_bytes() == Path("release.toy").read_bytes()
remarked = json.loads(Path("release.toy").read_text()) | {"note": "of the original"}
Path("release.toy").write_text(json.dumps(remarked))
assert any("remarks" in fault for fault in shoal.verify("release.toy", "policy.toml").faults)
"""

TOY = Toy(
    STEPS,
    SCRIPT,
    checks=(
        "tests/registry/test_file_formats.py::test_every_written_format_has_an_original_with_carriers",
        "tests/attacks/test_carriers.py::test_a_careless_copy_tells_what_no_cell_shows[.toy]",
        "tests/pipeline/test_pipeline_carriers.py::test_a_careless_copy_is_refused_and_no_value_is_shown[.toy]",
    ),
    schema=("docs/policy.schema.json", "docs/policy_keys.md", "tests/stable_interface.txt"),
)
