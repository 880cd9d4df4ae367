"""The register of the benchmark, small: its release is that of one-hot coordinates, on every engine."""

import importlib.util
import sys
from pathlib import Path

import numpy as np
import pyarrow.csv as pacsv
import pytest

import shoal
from reference.mdav import mdav as twin
from reference.tables import groups
from shoal.encode.embedding import embed
from shoal.schema import Column, Schema

BENCHMARK = Path(__file__).parent.parent.parent / "benchmarks" / "register.py"
KEYS = {"age": "numeric"} | dict.fromkeys(
    ("sex", "marital_status", "education", "occupation", "municipality"), "nominal"
)


@pytest.fixture(scope="module")
def register():
    found = importlib.util.spec_from_file_location("register", BENCHMARK)
    sys.modules["register"] = module = importlib.util.module_from_spec(found)
    found.loader.exec_module(module)
    return module.register


def policy(**more):
    columns = {name: {"role": "quasi_identifier", "kind": kind} for name, kind in KEYS.items()}
    columns |= {"person": {"role": "identifier"}, "income": {"role": "sensitive", "kind": "numeric"}}
    return {"columns": columns, "requirements": [{"name": "k_anonymity", "k": 5}]} | more


def test_its_groups_are_those_of_the_twin(register):
    schema = Schema(tuple(Column(name, role="quasi_identifier", kind=kind) for name, kind in KEYS.items()))
    X = embed(register(120), schema)
    assert X.shape[1] > 40
    assert groups(shoal.mdav(X, 5)) == twin(X, 5)


@pytest.mark.gate
def test_both_engines_release_the_same_within_blocks(register, tmp_path):
    data = tmp_path / "register.csv"
    pacsv.write_csv(register(1200), data)
    rules = policy(blocking={"method": "twod_tree", "limit": 200})
    for engine in ("memory", "duckdb"):
        shoal.protect(data, rules, output=tmp_path / f"{engine}.csv", engine=engine, key=bytes(32))
    assert (tmp_path / "memory.csv").read_bytes() == (tmp_path / "duckdb.csv").read_bytes()


def test_municipalities_are_as_unequal_as_they_are_said_to_be(register):
    counts = np.sort(register(50_000)["municipality"].value_counts().field("counts").to_numpy())
    assert len(counts) == 298
    assert counts[-1] > 10 * counts[0]
