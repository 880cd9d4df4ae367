"""The gate counts units with its own code: as a slow twin does, and against what a faulty run would count."""

from __future__ import annotations

import ast
from collections import defaultdict
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import shoal
import shoal.encode.units
import shoal.gate
from shoal.gate.written_units import UnitSpellings, units_of_values
from shoal.pipeline.verify import prove_file, unit_counts, written_release
from shoal.schema import Column

rows = st.dictionaries(
    st.tuples(st.sampled_from(["1", "2", None]), st.sampled_from(["a", "b", "c", None])), st.integers(1, 5), min_size=1
)
Counted = dict[tuple[str | None, str | None], int]


@given(rows)
def test_units_are_those_of_the_slow_twin(counted: Counted) -> None:
    expected: dict[Any, int] = defaultdict(int)
    for (value, unit), n in counted.items():
        expected[value] += n if unit is None else 1
    values, units = (pa.array([key[at] for key in counted], pa.string()) for at in (0, 1))
    found = units_of_values(pa.table({"group": values, "unit": units, "n": list(counted.values())})).table
    assert dict(zip(*(column.to_pylist() for column in found.columns), strict=True)) == expected


def test_spellings_of_one_unit_are_one() -> None:
    written = pa.chunked_array([["P1", "p1 ", "P2", None, "na"]])
    spellings = UnitSpellings.of(Column("unit", "household", missing=("na",)), written)
    assert spellings is not None
    piece = pa.table({"unit": written, "at": range(5)})
    assert spellings.fill(piece)["unit"].to_pylist() == ["P1", "P1", "P2", None, None]


def test_no_module_of_the_proof_imports_what_produces_a_release() -> None:
    files = [*Path(shoal.gate.__file__).parent.glob("*.py")]
    files += [Path(str(module.__file__)) for module in (prove_file, unit_counts, written_release)]
    for file in files:
        nodes = ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        names = {node.module for node in nodes if isinstance(node, ast.ImportFrom) and node.module}
        assert not {name for name in names if name.startswith(("shoal.release", "shoal.pipeline.protect"))}, file
        assert not {"shoal.encode.units", "shoal.encode.count_table"} & names, file


GROUPS = {"of two households": [1, 1, 1, 2, 2, 2], "of one household": [1, 1, 1, 1, 1, 1]}


@pytest.mark.parametrize("name", GROUPS)
def test_a_group_of_one_household_is_refused(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Even where the code of the run counts records as units."""
    monkeypatch.setattr(shoal.encode.units, "count_units", lambda counts, unit: counts)
    records = pa.table({"household": GROUPS[name], "age": [30, 31, 32, 33, 34, 35], "group": [1] * 6})
    counts = pa.table({"group": [1, 1], "illness": ["flu", "cold"], "count": [3, 3]})
    policy = {
        "columns": {
            "household": {"role": "household"},
            "age": {"role": "quasi_identifier", "kind": "numeric"},
            "illness": {"role": "sensitive"},
        },
        "requirements": [{"name": "k_anonymity", "k": 2}],
        "output": {"representation": "anatomy"},
    }
    assert shoal.verify(records, policy, sensitive=counts).holds == (name == "of two households")
