"""The synthetic census: the same for a seed, and laws that every made-up person obeys."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pytest

from shoal import datasets
from shoal.datasets.census_codes import HEALTH_CONDITIONS, MARITAL_STATUSES, OCCUPATIONS
from shoal.datasets.random_draws import CHUNK

N = 100_000  # more than one chunk


@pytest.fixture(scope="module")
def census() -> pa.Table:
    return datasets.synthetic_census(N, seed=0)


@pytest.fixture(scope="module")
def columns(census: pa.Table) -> dict[str, np.ndarray]:
    return {name: census[name].to_numpy() for name in census.column_names}


@pytest.fixture(scope="module")
def household(census: pa.Table) -> np.ndarray:
    """(n,) number of each person's household."""
    return census["household_id"].combine_chunks().dictionary_encode().indices.to_numpy()


@pytest.mark.gate(but="1000")
@pytest.mark.parametrize("batch_size", [1000, 65_536, 1_000_000])
def test_the_size_of_the_batch_does_not_matter(census: pa.Table, batch_size: int) -> None:
    batches = list(datasets.synthetic_census_batches(N, seed=0, batch_size=batch_size))
    assert max(batch.num_rows for batch in batches) <= batch_size
    assert pa.Table.from_batches(batches).equals(census)


def test_seeds_differ_and_chunks_differ(census: pa.Table) -> None:
    assert not datasets.synthetic_census(N, seed=1)["age"].equals(census["age"])
    ages = census["age"].to_numpy()
    assert not np.array_equal(ages[: N - CHUNK], ages[CHUNK:])


def test_a_huge_census_starts_at_once() -> None:
    batches = datasets.synthetic_census_batches(10**9, batch_size=100)
    assert [batch.num_rows for batch in islice(batches, 3)] == [100, 100, 100]


@pytest.mark.parametrize("n_persons", [0, 1, 2, 3, 10, CHUNK, CHUNK + 1])
def test_as_many_persons_as_asked(n_persons: int) -> None:
    table = datasets.synthetic_census(n_persons)
    assert table.num_rows == n_persons
    assert table.column_names == list(datasets.CENSUS_COLUMNS)


def test_ids_are_unique_and_in_order(columns: dict[str, np.ndarray]) -> None:
    assert columns["person_id"][0] == "P000000001"
    assert (columns["person_id"][1:] > columns["person_id"][:-1]).all()
    assert (columns["household_id"][1:] >= columns["household_id"][:-1]).all()


def test_households_never_straddle_chunks(columns: dict[str, np.ndarray]) -> None:
    assert columns["household_id"][CHUNK - 1] != columns["household_id"][CHUNK]


def test_every_household_has_an_adult(columns: dict[str, np.ndarray], household: np.ndarray) -> None:
    n_adults = np.bincount(household, weights=columns["age"] >= 18)
    assert n_adults.min() >= 1


@pytest.mark.parametrize("name", ["region", "municipality", "moved_in", "rent", "weight"])
def test_a_household_shares_its_dwelling(columns: dict[str, np.ndarray], household: np.ndarray, name: str) -> None:
    same_home = household[1:] == household[:-1]
    assert (columns[name][1:] == columns[name][:-1])[same_home].all()


def test_the_married_live_in_pairs_of_similar_age(columns: dict[str, np.ndarray], household: np.ndarray) -> None:
    married = np.flatnonzero(columns["marital_status"] == "married")
    first, second = married[0::2], married[1::2]
    assert (household[first] == household[second]).all()
    assert columns["age"][married].min() >= 18
    ages = columns["age"]
    assert np.corrcoef(ages[first], ages[second])[0, 1] > 0.9
    assert np.abs(ages[first] - ages[second]).max() <= 30


def test_minors_are_single_pupils_without_income(columns: dict[str, np.ndarray]) -> None:
    is_minor = columns["age"] < 18
    assert set(columns["marital_status"][is_minor]) == {"never married"}
    assert set(columns["occupation"][is_minor]) == {"preschool child", "student"}
    assert (columns["occupation"] == "preschool child").sum() == (columns["age"] < 6).sum()
    assert not columns["income"][columns["age"] < 16].any()


def test_nobody_is_educated_ahead_of_their_age(columns: dict[str, np.ndarray]) -> None:
    levels = {name: level for level, name in enumerate(datasets.CENSUS_EDUCATION_ORDER)}
    level = np.array([levels.get(name, -1) for name in columns["education"]])
    for youngest, lowest in ((11, 1), (15, 2), (18, 3), (22, 4), (24, 5)):
        assert (level[columns["age"] < youngest] < lowest).all()


def test_hours_are_worked_by_those_at_work(columns: dict[str, np.ndarray]) -> None:
    at_work = np.array([OCCUPATIONS[name][-1] == "at work" for name in columns["occupation"]])
    assert ((columns["hours_per_week"] > 0) == at_work).all()
    assert columns["age"][at_work].min() >= 18


def test_learning_pays_and_age_ails(columns: dict[str, np.ndarray]) -> None:
    income = columns["income"]
    at_work = (columns["hours_per_week"] > 0) & ~np.isnan(income)
    medians = [
        np.median(income[at_work & (columns["education"] == level)]) for level in datasets.CENSUS_EDUCATION_ORDER[1:]
    ]
    assert medians == sorted(medians)
    is_ill = columns["health_condition"] != "none"
    shares = [is_ill[columns["age"] // 25 == quarter].mean() for quarter in range(4)]
    assert shares == sorted(shares)


def test_a_municipality_starts_with_the_prefix_of_its_region(columns: dict[str, np.ndarray]) -> None:
    region_prefix = datasets.CENSUS_MUNICIPALITY_PREFIXES[-1]
    prefixes = [code[:region_prefix] for code in columns["municipality"]]
    assert [datasets.CENSUS_REGIONS[prefix] for prefix in prefixes] == list(columns["region"])
    assert {len(code) for code in columns["municipality"]} == {5}
    assert any(code.startswith("0") for code in columns["municipality"])


def test_nobody_moved_in_after_the_census(census: pa.Table) -> None:
    latest = pc.max(census["moved_in"]).as_py()
    assert latest.isoformat() <= "2025-01-01"


def test_shares_are_plausible(census: pa.Table, columns: dict[str, np.ndarray]) -> None:
    def share(name: str, value: str) -> float:
        return float((columns[name] == value).mean())

    assert 0.48 < share("sex", "female") < 0.54
    assert 0.30 < share("marital_status", "married") < 0.40
    assert 0.17 < share("region", "Alderfen") < 0.21
    assert 0.005 < share("region", "Lowater") < 0.015
    assert 0.55 < share("health_condition", "none") < 0.70
    assert 0.01 < census["education"].null_count / N < 0.03
    assert 0.02 < census["income"].null_count / N < 0.05
    assert (columns["age"].min(), columns["age"].max()) == (0, 100)
    assert columns["weight"].min() > 0
    assert set(columns["marital_status"]) == set(MARITAL_STATUSES)
    assert set(columns["health_condition"]) == set(HEALTH_CONDITIONS)


def test_taxonomies_cover_the_values(census: pa.Table, tmp_path: Path) -> None:
    files = datasets.census_taxonomies(tmp_path)
    assert set(files) == {"region", "occupation"}
    for column, path in files.items():
        lines = [line.split(";") for line in path.read_text(encoding="utf-8").splitlines()]
        assert {line[0] for line in lines} == set(census[column].unique().to_pylist())
        assert {line[-1] for line in lines} == {"*"}
        assert len({len(line) for line in lines}) == 1
