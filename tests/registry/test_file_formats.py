"""The table of file formats: every entry is complete, and what finds carriers shares no code with what writes."""

from __future__ import annotations

import ast
from importlib import import_module
from importlib.util import find_spec
from itertools import chain
from pathlib import Path

import pytest

from attacks import planted
from shoal.sources.formats import BY_EXTENSION, COMPRESSED, FORMATS, FileFormat, format_of


def imported(module: str, prefix: str = "shoal.sources") -> set[str]:
    """The modules below ``prefix`` that a module imports, directly or by others."""
    found: set[str] = set()
    waiting = [module]
    while waiting:
        name = waiting.pop()
        spec = find_spec(name) if name.startswith(prefix) and name not in found else None
        if spec and spec.origin:
            found.add(name)
            tree = ast.parse(Path(spec.origin).read_text())
            waiting += [each.module for each in ast.walk(tree) if isinstance(each, ast.ImportFrom) and each.module]
    return found - {module}


def test_every_extension_has_one_format() -> None:
    extensions = [extension for each in FORMATS for extension in each.extensions]
    assert len(extensions) == len(set(extensions)) == len(BY_EXTENSION)
    assert not set(extensions) & set(COMPRESSED)
    assert len({each.name for each in FORMATS}) == len(FORMATS)
    for extension in extensions:
        assert extension in format_of(Path(f"x{extension}")).extensions


@pytest.mark.parametrize("each", FORMATS, ids=lambda each: each.name)
def test_its_modules_hold_what_the_table_states(each: FileFormat) -> None:
    module = import_module(each.module)
    assert callable(module.read)
    if each.written:
        assert callable(module.write_pieces if each.in_pieces else module.write)
    if each.in_pieces:
        assert callable(module.open_pieces)
    if not each.has_types:
        assert callable(module.options_written)
    assert callable(import_module(each.carriers_module).carriers)
    assert set(each.read_only) <= set(each.extensions)


@pytest.mark.gate(but=("csv", "parquet"))
@pytest.mark.parametrize("each", FORMATS, ids=lambda each: each.name)
def test_what_finds_carriers_shares_no_code_with_a_writer(each: FileFormat) -> None:
    writers = {other.module for other in FORMATS} | {"shoal.sources.csv_out", "shoal.sources.bare"}
    assert not imported(each.carriers_module) & writers
    assert not {name for name in chain.from_iterable(map(imported, writers)) if ".carriers" in name}


def test_every_written_format_has_an_original_with_carriers() -> None:
    assert {format_of(Path(f"x{suffix}")).name for suffix in planted.ORIGINALS} == {
        each.name for each in FORMATS if each.written
    }
