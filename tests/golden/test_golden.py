"""Every policy makes the release that is kept, on every engine, to the last byte."""

import json

import pyarrow.parquet as pq
import pytest

import shoal
from golden.cases import CASES
from golden.releases import HASHES, KEY, differences, hashes, kept, make, with_inputs
from shoal.policy import load
from shoal.sources import read
from spark_session import MARKS, SPARK, spark_session

# A method gets the same blocks from every engine: there one method that groups suffices.
OTHER_METHODS = (
    "vmdav",
    "vmdav_auto",
    "mu_approx",
    "micro_som",
    "micro_som_refined",
    "microaggregate",
    "mhm",
    "mst_partition",
    "genetic",
    "mdav_weighted_columns",
)
# Workers take seconds to start: every third case always, all of them with the larger cases.
MADE = [
    *((name, "memory") for name in CASES),
    *(
        pytest.param(name, "duckdb", marks=pytest.mark.long if name in OTHER_METHODS else pytest.mark.gate)
        for name in CASES
    ),
    *(
        pytest.param(name, "processes", marks=pytest.mark.long if at % 3 else pytest.mark.gate)
        for at, name in enumerate(CASES)
    ),
]


@pytest.mark.parametrize(("name", "engine"), MADE)
def test_the_release_is_the_one_that_is_kept(tmp_path, name, engine):
    files = make(name, tmp_path, engine)
    assert list(differences(kept(name), files))[:20] == []
    assert hashes(files) == json.loads(HASHES.read_text())[name]


# Spark takes seconds to do anything: some cases always, all of them with the larger cases.
ON_SPARK = [
    pytest.param(name, marks=[*MARKS, *([pytest.mark.long] if at % 10 else [])]) for at, name in enumerate(CASES)
]


@pytest.mark.parametrize("name", ON_SPARK)
def test_the_release_of_spark_is_the_one_that_is_kept(tmp_path, name):
    spark_session()
    files = make(name, tmp_path, "spark")
    assert list(differences(kept(name), files))[:20] == []
    assert hashes(files) == json.loads(HASHES.read_text())[name]


@pytest.mark.long
@pytest.mark.parametrize("engine", ["duckdb", "processes", SPARK])
@pytest.mark.parametrize("name", CASES)
def test_parquet_gives_the_same_release_on_every_engine(tmp_path, name, engine):
    if engine == "spark":
        spark_session()
    policy = load(with_inputs(name, tmp_path))
    table = read(tmp_path / "census.csv", kinds=policy.cell_kinds).table
    pq.write_table(table, tmp_path / "census.parquet", row_group_size=100)
    for each in ("memory", engine):
        shoal.protect(tmp_path / "census.parquet", policy, output=tmp_path / f"{each}.parquet", engine=each, key=KEY)
    assert (tmp_path / f"{engine}.parquet").read_bytes() == (tmp_path / "memory.parquet").read_bytes()


def test_what_is_kept_has_its_hashes_and_no_more():
    assert {name: hashes(kept(name)) for name in CASES} == json.loads(HASHES.read_text())


def test_a_cell_that_differs_is_named():
    before = {"release.csv": b"age,sex\n31,f\n40,m\n"}
    after = {"release.csv": b"age,sex\n31,f\n41,m\n"}
    assert list(differences(before, after)) == ["release.csv, record 2, age: '40' -> '41'"]
    assert list(differences(before, {})) == ["release.csv: gone"]
