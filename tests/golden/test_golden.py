"""Every policy makes the release that is kept, on every engine, to the last byte."""

import json

import pytest

from golden.cases import CASES
from golden.releases import HASHES, differences, hashes, kept, make

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
MADE = [
    *((name, "memory") for name in CASES),
    *(
        pytest.param(name, engine, marks=[pytest.mark.slow, *[pytest.mark.long] * (name in OTHER_METHODS)])
        for name in CASES
        for engine in ("duckdb", "processes")
    ),
]


@pytest.mark.parametrize(("name", "engine"), MADE)
def test_the_release_is_the_one_that_is_kept(tmp_path, name, engine):
    files = make(name, tmp_path, engine)
    assert list(differences(kept(name), files))[:20] == []
    assert hashes(files) == json.loads(HASHES.read_text())[name]


def test_what_is_kept_has_its_hashes_and_no_more():
    assert {name: hashes(kept(name)) for name in CASES} == json.loads(HASHES.read_text())


def test_a_cell_that_differs_is_named():
    before = {"release.csv": b"age,sex\n31,f\n40,m\n"}
    after = {"release.csv": b"age,sex\n31,f\n41,m\n"}
    assert list(differences(before, after)) == ["release.csv, record 2, age: '40' -> '41'"]
    assert list(differences(before, {})) == ["release.csv: gone"]
