"""From the table to the written centroid, against plain Python."""

import math
from collections import Counter, defaultdict
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from fractions import Fraction
from statistics import median_low

import pyarrow as pa
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import shoal
from example_numbers import examples
from survey_example import GRADES, in_order, of_records, read_cells, survey, survey_policy, write_csv

DAY_ZERO = date(1970, 1, 1)
WHOLE_YEARS = {"step": "1", "offset": "0"}


def weighted_mean(values, weights):
    """Sums are exact and rounded once; a mean never leaves the range of its values."""
    products = sum(Fraction(value * weight) for value, weight in zip(values, weights, strict=True))
    return min(max(float(products) / float(sum(map(Fraction, weights))), min(values)), max(values))


def centroids(name, known, weights, step):
    """By hand, of the known values of a group: what it may be shown by, of a mean age the steps beside it."""
    if name == "age":
        exact = [Fraction(Decimal(str(weight))) for weight in weights]
        mean = sum(age * weight for age, weight in zip(known, exact, strict=True)) / sum(exact)
        size, offset = int(step["step"]), int(step["offset"])
        return {offset + size * to((mean - offset) / size) for to in (math.floor, math.ceil)}
    return {centroid(name, known, weights)}


def centroid(name, known, weights):
    if name == "born":
        mean = weighted_mean([(day - DAY_ZERO).days for day in known], weights)
        return DAY_ZERO + timedelta(round(mean))  # half to even, as IEEE rounds
    if name == "grade":
        return GRADES[median_low(map(GRADES.index, known))]
    most = max(Counter(known).values())
    return min(value for value, n in Counter(known).items() if n == most)


def by_hand(table, groups, step):
    members = defaultdict(list)
    for record, group in zip(table.to_pylist(), groups, strict=True):
        members[group].append(record)
    found = {}
    for group, records in members.items():
        for name in ("zip", "age", "grade", "born"):
            known = [record[name] for record in records if record[name] is not None]
            weights = [record["weight"] for record in records if record[name] is not None]
            mostly_missing = 2 * (len(records) - len(known)) >= len(records)
            found[group, name] = {None} if mostly_missing else centroids(name, known, weights, step)
    return found


@settings(max_examples=examples(30), deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(seed=st.integers(0, 10**6), n=st.integers(6, 40), k=st.integers(2, 5))
def test_every_cell_is_the_centroid_by_hand(seed, n, k):
    table = survey(n, seed)
    release = shoal.protect(table, of_records(survey_policy(k)))
    groups = release.groups["group"].to_pylist()
    assert min(Counter(groups).values()) >= k
    expected = by_hand(table, groups, release.manifest.steps.get("age", WHOLE_YEARS))
    for record, group in zip(release.records.to_pylist(), groups, strict=True):
        for name in ("zip", "age", "grade", "born"):
            assert record[name] in expected[group, name], name


def test_missing_values_end_to_end(tmp_path):
    """At least half missing: an empty cell; less: the centroid of the known fills the gap."""
    table = pa.table({"a": [1.0, 3.0, None, 100.0, None, None], "g": ["x"] * 3 + ["y"] * 3})
    policy = {
        "requirements": [{"name": "k_anonymity", "k": 3}],
        "columns": {
            "a": {"role": "quasi_identifier", "kind": "numeric"},
            "g": {"role": "quasi_identifier"},
        },
    }
    source = write_csv(table, tmp_path / "in.csv")
    policy = in_order(policy)
    shoal.protect(source, policy, output=tmp_path / "out.csv")
    assert [(r["a"], r["g"]) for r in read_cells(tmp_path / "out.csv")] == [("2", "x")] * 3 + [("", "y")] * 3
    assert shoal.protect(table, policy).table["a"].to_pylist() == [2.0] * 3 + [None] * 3


@pytest.mark.parametrize(
    ("decimals", "written"), [(None, {"1", "2"}), (2, {"1.33", "1.34"}), (0, {"1", "2"}), (-1, {"0", "10"})]
)
def test_decimals(tmp_path, decimals, written):
    source = tmp_path / "in.csv"
    source.write_text("a,b\n1,x\n1,x\n2,x\n")
    rule = {"role": "quasi_identifier", "kind": "numeric"} | ({} if decimals is None else {"decimals": decimals})
    policy = {"method": {"k": 3}, "columns": {"a": rule, "b": {"role": "other"}}}
    shoal.protect(source, policy, output=tmp_path / "out.csv")
    (told,) = {record["a"] for record in read_cells(tmp_path / "out.csv")}
    assert told in written


def test_times_of_day_are_averaged_too():
    def at(month, hour, minute=0):
        return datetime(2024, month, 1, hour, minute, tzinfo=UTC)

    policy = {"method": {"k": 2}, "columns": {"t": {"role": "quasi_identifier", "kind": "date"}}}
    released = shoal.protect({"t": [at(1, 1), at(1, 2), at(6, 5), at(6, 8)]}, in_order(policy)).table["t"]
    assert released == [at(1, 1, 30)] * 2 + [at(6, 6, 30)] * 2


@pytest.mark.parametrize("kind", ["ordinal", "nominal"])
def test_numbers_written_as_text_are_in_the_order_of_numbers(tmp_path, kind):
    """A CSV and a file with types agree: 9 is beside 10, not after 19."""
    grades = [1, 2, 9, 10, 11, 12, 1, 2, 9, 10, 19, 20]
    policy = {"method": {"k": 3}, "columns": {"a": {"role": "quasi_identifier", "kind": kind}, "b": {"role": "other"}}}
    table = pa.table({"a": grades, "b": ["x"] * 12})
    source = write_csv(table, tmp_path / "in.csv")
    from_text = shoal.protect(source, policy).records["a"].to_pylist()
    assert [int(value) for value in from_text] == shoal.protect(table, policy).records["a"].to_pylist()


@pytest.mark.parametrize(
    ("values", "kind", "rule"),
    [
        ([33.0, 34.0, 61.0, 62.5], "nominal", {"intervals": [5, 10]}),
        ([1234567, 1234568, 7654321, 7654322], "nominal", {"intervals": [10, 100]}),
        (["01067", "01069", "99084", "99086"], "nominal", {"prefixes": [3, 1]}),
        ([date(2024, 1, 1), date(2024, 1, 2), date(1999, 1, 1), date(1999, 1, 2)], "nominal", {"date_parts": ["year"]}),
    ],
    ids=["reals", "large integers", "codes", "dates"],
)
def test_taxonomies_by_rule_bring_near_values_together(values, kind, rule):
    policy = {"method": {"k": 2}, "columns": {"a": {"role": "quasi_identifier", "kind": kind, "taxonomy": rule}}}
    released = shoal.protect({"a": [values[i] for i in (0, 2, 1, 3)]}, in_order(policy)).table["a"]
    assert released == [values[0], values[2]] * 2


def test_the_information_loss_is_that_of_what_was_written():
    """100 * SSE / SST by hand, after rounding."""
    ages = [18, 19, 33, 34, 60, 90]
    rule = {"role": "quasi_identifier", "kind": "numeric", "decimals": 0}
    release = shoal.protect({"a": ages}, in_order({"method": {"k": 2}, "columns": {"a": rule}}))
    mean = sum(ages) / 6
    sse = sum((a - b) ** 2 for a, b in zip(ages, release.table["a"], strict=True))
    loss = release.findings["information loss of a"].estimate
    assert math.isclose(loss, 100 * sse / sum((a - mean) ** 2 for a in ages))
