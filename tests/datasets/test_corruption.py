"""A corrupted twin differs as much as was asked, and in nothing else."""

import numpy as np
import pyarrow as pa
import pytest
from rapidfuzz.distance import DamerauLevenshtein

from shoal import datasets
from shoal.datasets.corruption import MISSPELLINGS
from shoal.datasets.typos import with_typos
from shoal.errors import DatasetError

NONE = {"typos": 0.0, "misspellings": 0.0, "missing": 0.0, "swaps": 0.0}
FIELDS = ["given_name", "surname", "birth_year"]
ROSTER = datasets.roster(3000, seed=2)


def changed(one, other, name):
    return np.array([a != b for a, b in zip(one[name].to_pylist(), other[name].to_pylist(), strict=True)])


def test_nothing_asked_nothing_done():
    assert datasets.corrupt(ROSTER, columns=FIELDS, **NONE) == ROSTER


def test_the_same_seed_the_same_twin():
    again = [datasets.corrupt(ROSTER, columns=FIELDS, seed=seed) for seed in (1, 1, 2)]
    assert again[0] == again[1]
    assert again[0] != again[2]


@pytest.mark.parametrize("kind", ["typos", "misspellings", "missing"])
def test_shares_are_as_asked_and_other_columns_stay(kind):
    twin = datasets.corrupt(ROSTER, columns=["surname"], **{**NONE, kind: 0.3})
    assert changed(ROSTER, twin, "surname").mean() == pytest.approx(0.3, abs=0.05)
    assert twin.drop("surname") == ROSTER.drop("surname")
    assert twin.schema == ROSTER.schema


def test_a_misspelling_is_one():
    """Of "ph", "th", "ie" and others, a single one is written otherwise."""
    table = pa.table({"name": ["phothienny"] * 500})
    names = datasets.corrupt(table, columns=["name"], **{**NONE, "misspellings": 1.0})["name"].to_pylist()
    variants = {"phothienny".replace(written, instead, 1) for written, instead in MISSPELLINGS}
    assert set(names) <= variants - {"phothienny"}
    assert len(set(names)) == 1  # the rules are tried in one order


def test_a_typo_is_one_error():
    texts = np.array(["martha", "a", "", "Holdal Street"] * 200)
    typed = with_typos(texts, "abc", np.random.default_rng(0), keep_length=False)
    assert max(DamerauLevenshtein.distance(a, b) for a, b in zip(texts.tolist(), typed.tolist(), strict=True)) == 1
    assert {len(b) - len(a) for a, b in zip(texts.tolist(), typed.tolist(), strict=True)} == {-1, 0, 1}


def test_numbers_stay_numbers_of_their_length():
    twin = datasets.corrupt(ROSTER, columns=["birth_year"], **{**NONE, "typos": 0.5})
    years = twin["birth_year"].to_numpy()
    assert twin["birth_year"].type == pa.int64()
    assert (years != ROSTER["birth_year"].to_numpy()).mean() > 0.3
    assert years.max() <= 9999


def test_fields_change_places():
    twin = datasets.corrupt(ROSTER, columns=[], swapped=[("given_name", "surname")], **{**NONE, "swaps": 0.2})
    there = changed(ROSTER, twin, "surname")
    assert there.mean() == pytest.approx(0.2, abs=0.03)
    moved = ROSTER.filter(pa.array(there))
    assert twin.filter(pa.array(there))["surname"].to_pylist() == moved["given_name"].to_pylist()
    assert twin.filter(pa.array(there))["given_name"].to_pylist() == moved["surname"].to_pylist()


def test_missing_cells_stay_missing():
    table = pa.table({"name": ["anna", None, "otto"] * 50})
    twin = datasets.corrupt(table, columns=["name"], typos=1.0, misspellings=1.0, missing=0.0)
    assert twin["name"].null_count == 50


@pytest.mark.parametrize(
    "more", [{"typos": 1.1}, {"swaps": -0.1}, {"columns": ["nme"]}, {"swapped": [("a", "surname")]}]
)
def test_the_impossible_is_refused(more):
    with pytest.raises(DatasetError):
        datasets.corrupt(ROSTER, **{"columns": FIELDS, **more})


def test_the_roster_is_made_in_any_batches():
    batches = datasets.roster_batches(3000, seed=2, batch_size=700)
    assert pa.Table.from_batches(batches) == ROSTER
    assert ROSTER["person_id"].to_pylist() == list(range(1, 3001))
