"""The figures of a profile against counting records one by one, and against hand-computed examples."""

import random
from collections import Counter

import numpy as np
import pyarrow as pa
import pytest

import shoal
from reference import profile as twin
from shoal.assessment.profile import unique_sets as unique_sets_module
from shoal.assessment.profile.column_summary import ColumnCounts
from shoal.assessment.profile.key_table import KeyTable
from shoal.assessment.profile.table_profile import KeyRoles, Profile
from shoal.assessment.risk.suda import suda
from shoal.encode.combination_counts import count_combinations
from shoal.report.profile_outline import profile_outline
from shoal.schema import Column

KEYS = ("a", "b", "c", "d")
SIZES = (2, 3, 5)


def people(seed, n=60, *, weights=False, units=False):
    """Records with gaps; with weights, and with units that some records lack."""
    draw = random.Random(seed)
    found = []
    for _ in range(n):
        record = {key: draw.choice([None, *range(n_values)]) for key, n_values in zip(KEYS, (2, 3, 5, 9), strict=True)}
        if weights:
            record["weight"] = draw.choice([1.0, 2.5, 7.25, 40.0])
        if units:
            record["unit"] = draw.choice([None, *range(n // 3)])
        found.append(record)
    return found


def profile_of(records, keys=KEYS, coarser=None, *, units_are_persons=False):
    weight, unit = (name if name in records[0] else None for name in ("weight", "unit"))
    names = [*keys, *(name for name in (weight, unit) if name)]
    table = pa.table({name: pa.array([record[name] for record in records]) for name in names})
    counts = count_combinations(table, names)
    counted = KeyTable.of(counts, keys, weight, unit, units_are_persons=units_are_persons)
    return Profile.of(counted, KeyRoles(tuple(keys), False, weight, unit), (), coarser or {})


KINDS = [
    pytest.param({}, id="records"),
    pytest.param({"weights": True}, id="weights"),
    pytest.param({"units": True}, id="units"),
    pytest.param({"weights": True, "units": True}, id="both"),
]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", range(4))
def test_violations_agree_with_their_twin(seed, kind):
    records = people(seed, **kind)
    for found in profile_of(records).violations:
        n_records, by_units, below_map = twin.violations(records, KEYS, found.k)
        assert found.n_records == n_records
        assert found.by_units == (by_units if "units" in kind else None)
        assert found.below_map == (below_map if "weights" in kind else None)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", range(4))
def test_individual_and_household_risk_agree_with_their_twin(seed, kind):
    records = people(seed, **kind)
    found = profile_of(records)
    own = twin.risks(records, KEYS)
    assert found.risk.expected == pytest.approx(sum(own), rel=1e-6)
    assert found.risk.highest == pytest.approx(100 * max(own), rel=1e-6)
    assert found.risk.mean == pytest.approx(100 * sum(own) / len(own), rel=1e-6)
    if "units" not in kind:
        assert found.unit_risk is None
        return
    of_units = twin.unit_risks(records, KEYS)
    assert found.unit_risk.expected == pytest.approx(sum(of_units), rel=1e-6)
    assert found.unit_risk.highest == pytest.approx(100 * max(of_units), rel=1e-6)


@pytest.mark.gate(but=("0-units", "0-both", "1-units"))
@pytest.mark.parametrize("kind", KINDS[2:])
@pytest.mark.parametrize("seed", range(4))
def test_where_a_unit_is_a_person_risks_count_units(seed, kind):
    records = people(seed, n=90, **kind)
    found = profile_of(records, ["a", "b"], units_are_persons=True)
    own = twin.risks(records, ["a", "b"], of_units=True)
    assert found.risk.expected == pytest.approx(sum(own), rel=1e-6)
    assert found.risk.highest == pytest.approx(100 * max(own), rel=1e-6)
    of_units = twin.unit_risks(records, ["a", "b"], of_units=True)
    assert found.unit_risk.expected == pytest.approx(sum(of_units), rel=1e-6)
    assert found.unit_risk.highest == pytest.approx(100 * max(of_units), rel=1e-6)
    if "weights" in kind:
        below = [twin.violations(records, ["a", "b"], each.k, of_units=True)[2] for each in found.violations]
        assert [each.below_map for each in found.violations] == below


@pytest.mark.gate(but=("0-records", "0-weights", "0-units"))
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", range(4))
def test_sets_of_keys_agree_with_their_twin(seed, kind):
    records = people(seed, **kind)
    found = profile_of(records)
    expected = twin.minimal_sets(records, KEYS, len(KEYS))
    assert {each.keys: (each.n_records, each.n_minimal) for each in found.unique_sets} == {
        keys: (len(all_of), len(minimal)) for keys, (all_of, minimal) in expected.items() if len(keys) <= 3
    }
    counts = [each.n_records for each in found.unique_sets]
    assert counts == sorted(counts, reverse=True)
    special = set().union(*(minimal for _, minimal in expected.values()))
    assert found.special.n_records == len(special)
    smallest = Counter(min(len(keys) for keys, (_, minimal) in expected.items() if at in minimal) for at in special)
    assert found.special.by_size == tuple(smallest[size] for size in (1, 2, 3, 4))
    assert (found.special.n_hidden, found.notes) == (0, ())


@pytest.mark.parametrize("seed", range(2))
def test_where_the_work_is_bounded_the_profile_says_what_that_hides(seed, monkeypatch):
    records = people(seed, n=180)
    monkeypatch.setattr(unique_sets_module, "MOST_SETS", 10)
    found = profile_of(records)
    expected = twin.minimal_sets(records, KEYS, len(KEYS))
    few = set().union(*(minimal for keys, (_, minimal) in expected.items() if len(keys) <= 3))
    (all_keys,) = (all_of for keys, (all_of, _) in expected.items() if keys == KEYS)
    assert (found.special.n_records, found.special.n_hidden) == (len(few), len(all_keys - few))
    assert found.special.n_hidden
    assert "sets of up to 3 of the 4 keys" in found.notes[-1]
    page = str(profile_outline(found, "people"))
    assert f"{found.special.n_hidden} further record" in page


@pytest.mark.parametrize("seed", range(4))
def test_contributions_and_dis_are_those_of_suda(seed):
    records = people(seed, weights=True)
    found = profile_of(records).special
    codes = np.array([[-1 if record[key] is None else record[key] for key in KEYS] for record in records])
    classes = {tuple(sorted(twin.sharers(records, at, KEYS))) for at in range(len(records))}
    persons = sum(max(len(each), sum(records[at]["weight"] for at in each)) for each in classes)
    expected = suda(codes, fraction=len(records) / persons)
    assert found.contributions == pytest.approx(expected.contributions.tolist(), rel=1e-12)
    assert found.n_records == int((expected.scores > 0).sum())
    assert found.highest_dis == pytest.approx(100 * expected.dis.max(), rel=1e-12)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", range(3))
def test_the_cost_of_a_key_is_counted_without_it(seed, kind):
    records = people(seed, **kind)
    pairs_of = {
        "d": np.array([*(value // 2 for value in range(9)), -1])
    }  # 0 and 1, 2 and 3, ...; missing stays missing
    recoded = [{**record, "d": None if record["d"] is None else record["d"] // 2} for record in records]
    counted_in = 1 if "units" in kind else 0
    for cost in profile_of(records, coarser=pairs_of).key_costs:
        others = [key for key in KEYS if key != cost.key]
        assert cost.left_out == tuple(twin.violations(records, others, k)[counted_in] for k in SIZES)
        expected = tuple(twin.violations(recoded, KEYS, k)[counted_in] for k in SIZES) if cost.key == "d" else None
        assert cost.coarser == expected


def test_household_risk_by_hand():
    """Without weights a record is linked with chance 1 / f. Two members of chance 1/2 each: 1 - 1/2 * 1/2 = 3/4."""
    records = [
        {"a": 1, "unit": "x"},
        {"a": 1, "unit": "y"},
        {"a": 2, "unit": "x"},
        {"a": 2, "unit": "z"},
        {"a": 3, "unit": None},
        {"a": 3, "unit": None},
        {"a": 3, "unit": None},
        {"a": 3, "unit": None},
    ]
    found = profile_of(records, ["a"])
    assert found.risk.expected == 1 + 1 + 1
    assert found.unit_risk.highest == 75
    assert found.unit_risk.expected == 2 * 0.75 + 2 * 0.5 + 4 * 0.25


def test_members_of_one_household_do_not_hide_each_other():
    """Twins share all keys, but only their household has them: two records, one unit."""
    records = [{"a": 1, "b": 1, "unit": "x"}, {"a": 1, "b": 1, "unit": "x"}, {"a": 1, "b": 2, "unit": "y"}]
    found = profile_of(records, ["a", "b"])
    assert [(v.n_records, v.by_units) for v in found.violations] == [(1, 3), (3, 3), (3, 3)]
    assert {each.keys: each.n_records for each in found.unique_sets} == {("a",): 0, ("b",): 3, ("a", "b"): 3}


def test_the_ten_records_of_the_practice_guide():
    """Mean individual risk 0.01582 as printed in the SDC practice guide of the IHSN; four of ten records are unique."""
    records = [
        {"residence": r, "gender": g, "education": e, "labor": w, "weight": weight}
        for r, g, e, w, weight in zip(
            ["urban"] * 4 + ["rural"] + ["urban"] * 5,
            "fffmfmfmff",
            [3, 3, 1, 4, 4, 4, 2, 5, 3, 3],
            ["employed"] * 2 + ["none", "employed", "jobless", "employed", "none", "jobless", "none", "none"],
            [180, 180, 215, 76, 186, 76, 180, 215, 186, 76],
            strict=True,
        )
    ]
    found = profile_of(records, ["residence", "gender", "education", "labor"])
    assert found.risk.mean == pytest.approx(1.582, abs=5e-4)
    assert found.violations[0].n_records == 4
    assert found.special.n_records == 4


def test_many_keys_are_combined_as_far_as_the_work_allows(monkeypatch):
    records = people(1)
    monkeypatch.setattr(unique_sets_module, "MOST_WORK", 7 * len({tuple(r.values()) for r in records}))
    found = profile_of(records)
    assert found.special.keys == ("b", "c", "d")  # those with the most values
    assert {each.keys for each in found.unique_sets} >= {("a",), ("b",), ("c", "d"), ("b", "c", "d")}
    assert ("a", "b") not in {each.keys for each in found.unique_sets}
    assert found.special.highest_dis is None
    assert "3 of the 4 keys" in found.notes[-1]
    full = twin.minimal_sets(records, KEYS)
    assert all(each.n_records == len(full[each.keys][0]) for each in found.unique_sets)


def summary_of(column, cells):
    counts = count_combinations(pa.table({column.name: cells}), [column.name])
    return ColumnCounts.of(column, counts.to_table()).summary(column)


def test_a_column_shows_no_extreme():
    """Quartiles are intervals of at least five records; the one person of 104 and the rare name are only counted."""
    ages = [*range(20, 60), *range(20, 60), 104, None]
    found = summary_of(Column("age", "quasi_identifier", "numeric"), ages)
    assert (found.n_missing, found.n_distinct, found.n_unique, found.n_rare) == (1, 41, 1, 81)
    known = sorted(age for age in ages if age is not None)
    for interval, rank in zip(found.quartiles, (20, 40, 60), strict=True):
        low, high = map(float, interval.strip("[)").split(","))
        assert low <= known[rank] < high
        assert sum(low <= age < high for age in known) >= 5
    assert summary_of(Column("name"), ["x"] * 9 + ["y"]).quartiles == ()


def test_few_numbers_have_no_quartiles():
    assert summary_of(Column("x", "other", "numeric"), [1.5, 2.5, 3.5]).quartiles == ()


def test_a_profile_prints_as_counts():
    assert repr(profile_of([{"a": 1}, {"a": 1}, {"a": 2}], ["a"])) == (
        "Profile: 3 records, 0 columns (internal)\n"
        "  keys: a\n"
        "  violate 2-anonymity: 1 (33.33 %)\n"
        "  violate 3-anonymity: 3 (100 %)\n"
        "  violate 5-anonymity: 3 (100 %)\n"
        "  expected re-identifications: 2\n"
        "  special uniques: 1"
    )
    assert issubclass(shoal.Profile, Profile)
