"""Uniqueness by counting, individual risk by its sum, SUDA scores by hand."""

import math

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import shoal
from reference.individual_risk import individual_risk as twin
from shoal.assessment.risk import suda as suda_module
from shoal.assessment.risk.individual_risk import individual_risk_findings
from shoal.assessment.risk.suda import suda_of_table
from shoal.assessment.risk.uniqueness import KeyCounts, key_counts, uniqueness_findings

TABLE = pa.table({"sex": ["f", "f", "m", None, None], "age": [1, 1, 1, 2, 2], "w": [10.0, 30.0, 2.0, 1.0, 0.5]})
WEIGHTED = shoal.Schema(
    [
        shoal.Column("sex", "quasi_identifier"),
        shoal.Column("age", "quasi_identifier", "numeric"),
        shoal.Column("w", "weight", "numeric"),
    ]
)


@given(st.integers(1, 60), st.floats(0.005, 1))
def test_individual_risk_is_the_mean_of_one_over_the_population(f, p):
    assert shoal.individual_risk([f], [f / p])[0] == pytest.approx(twin(f, p), rel=1e-6)


@given(st.floats(1e-9, 0.999))
def test_closed_forms_for_one_and_two(p):
    odds = p / (1 - p)
    assert shoal.individual_risk([1], [1 / p])[0] == pytest.approx(odds * math.log(1 / p), rel=1e-9)
    if p < 0.9:  # closer to 1 the closed form itself loses its digits
        assert shoal.individual_risk([2], [2 / p])[0] == pytest.approx(odds - odds**2 * math.log(1 / p), rel=1e-6)


@given(st.integers(1, 10_000), st.floats(1, 1e7))
def test_individual_risk_lies_between_one_over_f_and_one_over_the_population(f, weight):
    risk = shoal.individual_risk([f], [f * weight])[0]
    assert 1 / (f * weight) * (1 - 1e-9) <= risk <= 1 / f * (1 + 1e-9)


def test_the_recurrence_and_the_series_meet():
    f = np.arange(1, 60)
    near, beyond = (shoal.individual_risk(f, f / p) for p in (0.5 - 1e-12, 0.5 + 1e-12))
    assert near == pytest.approx(beyond, rel=1e-9)
    risks = shoal.individual_risk(f, f * 50.0)
    assert (np.diff(risks) < 0).all()
    assert np.diff(np.log(risks))[17:21] == pytest.approx(np.diff(np.log(1 / (50 * f - 49)))[17:21], abs=1e-3)


def test_the_risk_of_a_household_is_that_of_any_member():
    """0.02, 0.03 and 0.03: the example of the practice guide of the IHSN."""
    found = shoal.household_risk([0.02, 0.03, 0.03, 0.5], [0, 0, 0, 1])
    assert found == pytest.approx([0.077918] * 3 + [0.5], abs=1e-6)


def test_counts_with_weights_and_missing_values():
    counts = key_counts(TABLE, WEIGHTED)
    assert counts.sample.tolist() == [2, 2, 1, 2, 2]
    assert counts.population.tolist() == [40, 40, 2, 2, 2]  # never fewer persons than records
    assert counts.below(3).tolist() == [2, 3, 4]
    assert key_counts(TABLE, WEIGHTED, ["age"]).sample.tolist() == [3, 3, 3, 2, 2]
    findings = uniqueness_findings(counts, k=3)
    assert findings["sample uniques"].estimate == 20
    assert findings["below 3-map"].estimate == 60
    assert findings["highest journalist risk"].estimate == 50
    assert findings["marketer risk"].estimate == pytest.approx(100 * (2 / 40 + 3 / 2) / 5)
    assert counts.prosecutor.tolist() == [0.5, 0.5, 1, 0.5, 0.5]


def test_a_weight_and_a_household_change_what_they_must():
    without = shoal.Schema([*WEIGHTED.columns[:2], shoal.Column("w", "other", "numeric")])
    alone = individual_risk_findings(key_counts(TABLE, without))
    weighted = individual_risk_findings(key_counts(TABLE, WEIGHTED))
    assert alone["highest individual risk"].estimate == pytest.approx(100)
    assert weighted["highest individual risk"].estimate < 100
    together = individual_risk_findings(key_counts(TABLE, WEIGHTED), np.array([0, 0, 0, 1, 1]))
    assert together["highest individual risk"].estimate > weighted["highest individual risk"].estimate
    assert together["expected re-identifications"].estimate == weighted["expected re-identifications"].estimate


def test_special_uniques_of_a_table():
    table = pa.table({"a": ["x", "x", "y", None], "b": ["u", "v", "u", "u"], "c": ["p"] * 4})
    schema = shoal.Schema([shoal.Column(name, "quasi_identifier") for name in "abc"])
    found = suda_of_table(table, schema, max_size=2)
    assert found.unique_sets.tolist() == [[0, 1], [1, 0], [1, 0], [1, 0]]  # {a, b}; v; y; missing
    assert found.scores.tolist() == [1, 2, 2, 2]
    assert found.contributions.tolist() == pytest.approx([100 * 5 / 7, 100 * 3 / 7, 0])
    assert found.findings()["special uniques"].estimate == 100


def test_without_a_sampling_fraction_there_is_no_dis_score():
    codes = np.array([[0, 0], [0, 1], [1, 0], [1, 1], [2, 2]])
    found = shoal.suda(codes)
    assert found.dis is None
    assert [finding.name for finding in found.findings()] == ["special uniques"]
    assert "some of the columns" in found.findings()["special uniques"].meaning
    assert shoal.suda(codes, fraction=0.5).scores.tolist() == found.scores.tolist()


@pytest.mark.gate(but=("1.0", "2.0"))
@pytest.mark.parametrize("weight", [1.0, 2.0, 50.0])
def test_the_weights_tell_the_sampling_fraction(weight):
    """Of an assessment, too; where all of the population is in the file, the score is not told."""
    generator = np.random.default_rng(3)
    columns = {name: generator.integers(0, 12, 200) for name in "abc"}
    table = pa.table({**columns, "w": np.full(200, weight)})
    schema = shoal.Schema(
        [*(shoal.Column(name, "quasi_identifier", "nominal") for name in "abc"), shoal.Column("w", "weight", "numeric")]
    )
    found = {finding.name: finding for finding in shoal.assess(table, table, schema).findings}
    if weight == 1:
        assert "highest DIS-SUDA score" not in found
    else:
        scores = suda_of_table(table, schema, fraction=1 / weight).dis
        assert found["highest DIS-SUDA score"].estimate == pytest.approx(100 * scores.max())
        assert "sdcMicro with original_scores=FALSE" in found["highest DIS-SUDA score"].meaning


PARITY = np.array([[*map(int, f"{number:04b}"), f"{number:04b}".count("1") % 2] for number in range(16)])


def test_sets_of_every_size_are_searched():
    """Whoever knows any four of the five columns of a parity knows the fifth, and nobody is alone on three."""
    found = shoal.suda(PARITY)
    assert found.unique_sets.tolist() == [[0, 0, 0, 5, 0]] * 16
    assert found.findings()["special uniques"].estimate == 100
    records = pa.table({name: PARITY[:, at].tolist() for at, name in enumerate("abcde")})
    schema = shoal.Schema([shoal.Column(name, "quasi_identifier") for name in "abcde"])
    assessed = shoal.assess(records, records, schema).findings
    assert assessed["special uniques"].estimate == 100


def test_a_limit_of_the_size_says_what_it_hides(monkeypatch):
    chosen = shoal.suda(PARITY, max_size=3)
    monkeypatch.setattr(suda_module, "MOST_WORK", 16 * 25)  # all sets of up to three of five columns
    bounded = shoal.suda(PARITY)
    for found in (chosen, bounded):
        special = found.findings()["special uniques"]
        assert found.unique_sets.shape == (16, 3)
        assert special.estimate == 0
        assert "up to 3 of the 5 columns" in special.meaning
        assert "another 100 % of the records are unique on these only" in special.meaning


@pytest.mark.parametrize(("n", "d", "largest"), [(30_162, 8, 8), (4_580, 10, 10), (199_523, 40, 2), (10**6, 300, 0)])
def test_the_search_of_many_columns_is_bounded(n, d, largest):
    assert suda_module.largest_size(n, d) == largest


def test_a_person_of_several_records_is_one_of_the_population():
    keys, persons = np.array([0, 1, 1, 2]), np.array([0, 0, 1, 2])
    counts = KeyCounts.of_persons(keys, persons, np.array([5.0, 5.0, 7.0, 9.0]))
    assert counts.n_persons == 5 + 7 + 9


def test_where_all_are_alike_nobody_is_special():
    found = shoal.suda(np.zeros((5, 3), dtype=int), fraction=0.01)
    assert not found.scores.any()
    assert not found.dis.any()


def test_bad_input():
    with pytest.raises(shoal.ShoalError, match="codes must be integers"):
        shoal.suda([[0.5]])
    with pytest.raises(shoal.ShoalError, match="max_size"):
        shoal.suda([[1]], max_size=0)
    with pytest.raises(shoal.ShoalError, match="fraction"):
        shoal.suda([[1]], fraction=1.0)
    with pytest.raises(shoal.ShoalError, match="1 or more"):
        shoal.individual_risk([0], [1])
    with pytest.raises(shoal.ShoalError, match="from 0 to 1"):
        shoal.household_risk([1.5], [0])
    with pytest.raises(shoal.ShoalError, match="no column"):
        key_counts(TABLE, WEIGHTED, ["zip"])
    with pytest.raises(shoal.ShoalError, match="nothing to protect"):
        key_counts(TABLE, WEIGHTED, [])
    bad = TABLE.set_column(2, "w", pa.array([1.0, -1.0, None, 1.0, 1.0]))
    with pytest.raises(shoal.ShoalError, match="2 weights"):
        key_counts(bad, WEIGHTED)
