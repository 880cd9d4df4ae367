"""Partial knowledge: the worst columns that an intruder may know."""

from collections import Counter

import numpy as np
import pyarrow as pa
import pytest

import shoal
from reference.attribute import worst_set
from shoal.assessment.risk import partial_knowledge as searched
from shoal.assessment.risk.partial_knowledge import partial_knowledge
from shoal.assessment.risk.release_counts import RecordsInMemory, ReleaseCounts

NAMES = ["age", "town", "job", "shoe"]


def people(seed, n=60):
    chance = np.random.default_rng(seed)
    columns = {name: chance.integers(0, most, n) for name, most in zip(NAMES, (4, 5, 6, 7), strict=True)}
    return pa.table(columns | {"who": chance.integers(0, n // 2, n)})


def release_of(table, quasi_identifiers=("age", "town"), **more):
    schema = shoal.Schema([shoal.Column(name, "quasi_identifier") for name in quasi_identifiers])
    outside = tuple(name for name in NAMES if name not in quasi_identifiers)
    release = ReleaseCounts(RecordsInMemory(table), schema, (tuple(quasi_identifiers),), len(table), outside=outside)
    return ReleaseCounts(**{**vars(release), **more})


def estimates(release, records):
    return [attack.figure.estimate for attack in partial_knowledge(release, records)]


@pytest.mark.parametrize("unit", [None, "who"])
@pytest.mark.parametrize("seed", range(6))
def test_the_worst_set_is_that_of_a_slow_twin(seed, unit):
    table = people(seed)
    units = table["who"].to_pylist() if unit else None
    expected = [100 * worst_set(table.to_pylist(), NAMES, size, units) / len(table) for size in (1, 2, 3)]
    assert estimates(release_of(table, unit=unit), table) == pytest.approx(expected)


@pytest.mark.parametrize("unit", [None, "who"])
def test_of_many_records_a_sample_chooses_and_all_are_counted(monkeypatch, unit):
    """Where every set is counted, the choice by a sample does not matter."""
    table = people(3)
    whole = estimates(release_of(table, unit=unit), table)
    monkeypatch.setattr(searched, "MOST_SEARCHED", 20)
    monkeypatch.setattr(searched, "N_COUNTED", 6)
    assert estimates(release_of(table, unit=unit), table) == whole
    (single, *_) = partial_knowledge(release_of(table, unit=unit), table)
    assert "chosen by 20 records and counted over all" in single.figure.meaning


def test_records_without_a_unit_are_persons_of_their_own():
    """Two of them share every value with another; the two of one unit do not."""
    alike = pa.table({"age": [1, 1, 2, 2], "town": [1, 1, 2, 2], "job": [1, 1, 2, 2], "shoe": [5, 5, 6, 6]})
    table = alike.append_column("who", pa.array([None, None, 7, 7]))
    assert estimates(release_of(table, unit="who"), table) == [50, 50, 50]


def test_sets_of_quasi_identifiers_of_a_k_anonymous_release_are_left_out():
    table = pa.table({"age": [1, 1, 2, 2], "town": [1, 1, 2, 2], "job": [1, 2, 1, 2], "shoe": [5, 5, 5, 5]})
    single, pair, triple = partial_knowledge(release_of(table, k=2), table)
    assert [each.figure.estimate for each in (single, pair, triple)] == [0, 100, 100]
    assert single.subject == "outside columns"
    assert "the worst of 5 sets" in pair.figure.meaning  # of six pairs, one is of quasi-identifiers
    assert "job" in pair.figure.meaning
    assert "k-anonymous" in pair.figure.meaning


def test_key_sets_for_which_no_k_is_required_are_counted():
    table = pa.table({"age": [1, 1, 2, 2], "town": [1, 2, 3, 4]})
    release = release_of(table, k=2, outside=(), key_sets=(("age",), ("town",)))
    unproven = release_of(table, k=2, outside=(), key_sets=(("age",), ("town",)), unproven={("town",)})
    assert estimates(release, table)[0] == 0
    assert estimates(unproven, table)[0] == 100


def test_closeness_of_a_key_set_is_no_k_anonymity():
    chance = np.random.default_rng(0)
    columns = {name: chance.integers(0, most, 90).astype(str) for name, most in (("a", 3), ("b", 60), ("s", 2))}
    roles = {"a": {"role": "quasi_identifier"}, "b": {"role": "quasi_identifier"}, "s": {"role": "sensitive"}}
    asked = [
        {"name": "k_anonymity", "k": 3, "columns": ["a"]},
        {"name": "t_closeness", "t": 1.0, "column": "s", "columns": ["b"]},
    ]
    release = shoal.protect(pa.table(columns), {"columns": roles, "requirements": asked, "local_suppression": {}})
    unique = [attack.figure for attack in release.assessment.attacks if attack.figure.name == "unique on one column"]
    n = sum(n == 1 for n in Counter(release.records["b"].to_pylist()).values())
    assert n > 0
    assert unique[0].estimate == pytest.approx(100 * n / 90)


def test_without_other_columns_k_anonymity_says_all():
    table = pa.table({"age": [1, 1, 2, 2], "town": [1, 1, 2, 2]})
    found = partial_knowledge(release_of(table, k=2, outside=()), table)
    assert [each.figure.estimate for each in found] == [0, 0, 0]
    assert "at least 2" in found[1].figure.meaning


def test_perturbed_columns_and_blanks_are_not_known():
    table = people(1)
    for more in ({"perturbed": {"age", "town"}}, {"wildcards": True}):
        _, pair, _ = partial_knowledge(release_of(table, **more), table)
        assert "job" in pair.figure.meaning
        assert "shoe" in pair.figure.meaning
        assert "the worst of 1 set;" in pair.figure.meaning


def test_of_no_records_nothing_is_told():
    table = people(1)
    assert partial_knowledge(release_of(table.slice(0, 0)), table.slice(0, 0)) == ()


def test_a_period_of_the_file_does_not_choose_the_set(monkeypatch):
    """Every tenth record is unique by age, all others by town."""
    place = np.arange(2000)
    is_tenth, same = place % 10 == 0, np.zeros(2000, dtype=np.int64)
    table = pa.table(
        {"age": np.where(is_tenth, place, -1), "town": np.where(is_tenth, -1, place), "job": same, "shoe": same}
    )
    monkeypatch.setattr(searched, "MOST_SEARCHED", 200)
    monkeypatch.setattr(searched, "N_COUNTED", 1)
    assert estimates(release_of(table), table)[0] == 90
