"""Tolerance: which amounts count as one, by a slow twin, and an intruder who knows an amount to within it."""

from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from math import floor
from typing import ClassVar

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import shoal
from example_numbers import examples
from method_examples import METHODS
from shoal.errors import PolicyError, RequirementError, TableError
from shoal.gate.gate import prove_counts
from shoal.pipeline.files.targets import Targets
from shoal.pipeline.protect.protect import protect_by
from shoal.policy import load
from shoal.requirements.tolerance import cells_of
from shoal.schema import Column, Schema
from survey_example import as_parquet, carrier

PAY = Column("s", "sensitive", "numeric")
AMOUNTS, SHARES = [100, 0.1, 3, 0.25], ["5%", "0.1 %", "33.3%", "100%"]
SEEDS = (0, 1)
GROUPED = {name: example.runs[0] for name, example in METHODS.items() if example.family != "neither"}

decimals = st.decimals(-2000, 2000, places=2).map(float)
floats = st.floats(-1e300, 1e300)
powers = st.floats(1e-6, 1e6).map(lambda value: -value if value > 1e3 else value)  # few steps of a share


def cells(values, tolerance):
    return [reading.tolist() for reading in cells_of(pa.array(values), PAY, tolerance)]


def is_near(low, high, tolerance):
    """Whether two amounts, as they are written, are at most a tolerance apart."""
    low, high = sorted([Fraction(repr(low)), Fraction(repr(high))])
    if not isinstance(tolerance, str):
        return high - low <= Fraction(repr(tolerance))
    ratio = 1 + Fraction(tolerance.rstrip("% ")) / 100
    return low == high or (low > 0 and high <= low * ratio) or (high < 0 and low >= high * ratio)


@pytest.mark.gate(but=("0.1", "5%"))
@pytest.mark.parametrize("tolerance", [*AMOUNTS, *SHARES])
@settings(max_examples=examples(25))
@given(values=st.lists(decimals | powers, min_size=2, max_size=8), data=st.data())
def test_all_amounts_within_a_tolerance_are_one_value_in_one_of_the_readings(tolerance, values, data):
    """Also those that are exactly one tolerance apart, and those that floating-point numbers cannot write exactly."""
    low = Decimal(repr(values[0]))
    share = Decimal(tolerance.rstrip("% ")) / 100 if isinstance(tolerance, str) else None
    width = abs(low) * share if share is not None else Decimal(repr(tolerance))
    values += [float(low + width * part / 8) for part in data.draw(st.lists(st.integers(0, 8), max_size=4))]
    readings = cells(values, tolerance)
    for at, one in enumerate(values):
        near = [place for place, other in enumerate(values) if one <= other and is_near(one, other, tolerance)]
        assert any(len({reading[place] for place in (at, *near)}) == 1 for reading in readings)


@pytest.mark.parametrize("tolerance", AMOUNTS)
@settings(max_examples=examples(60))
@given(values=st.lists(decimals | floats, min_size=1, max_size=12))
def test_cells_are_those_of_the_slow_twin(tolerance, values):
    """Whole numbers of two tolerances, counted from 0 and from minus one tolerance."""
    width = Fraction(repr(tolerance))
    for reading, moved in zip(cells(values, tolerance), (0, width), strict=True):
        twin = [floor((Fraction(repr(value)) + moved) / (2 * width)) for value in values]
        assert reading == [list(dict.fromkeys(twin)).index(each) for each in twin]


@pytest.mark.gate(but="5%")
@pytest.mark.parametrize("tolerance", SHARES)
@settings(max_examples=examples(60))
@given(values=st.lists(decimals.filter(bool), min_size=2, max_size=12))
def test_no_cell_of_a_share_is_longer_than_two_steps(tolerance, values):
    ratio = (1 + Fraction(tolerance.rstrip("% ")) / 100) ** 2 * (1 + Fraction(1, 10**30))
    for reading in cells(values, tolerance):
        for cell in set(reading):
            inside = [Fraction(repr(value)) for value, its in zip(values, reading, strict=True) if its == cell]
            assert len({value > 0 for value in inside}) == 1
            assert max(map(abs, inside)) < min(map(abs, inside)) * ratio


@pytest.mark.parametrize("tolerance", [100, "5%"])
def test_numbers_of_any_type_are_in_the_same_cells_and_what_is_unknown_in_none(tolerance):
    whole = [0, 1, 99, 100, 104, 105, 110, -1, -104, None, 2**20]
    expected = [reading.tolist() for reading in cells_of(pa.array(whole, pa.int64()), PAY, tolerance)]
    assert [reading[9] for reading in expected] == [-1, -1]
    for type_ in (pa.float64(), pa.float32(), pa.decimal128(30, 2)):
        assert [reading.tolist() for reading in cells_of(pa.array(whole).cast(type_), PAY, tolerance)] == expected
    assert cells([float("nan"), float("inf"), 1.0, -0.0, 0.0], tolerance)[1][3:] == [0 + (tolerance != 100)] * 2


@pytest.mark.parametrize(
    "tolerance", [0, -1, float("inf"), float("nan"), "5", "%", "0%", "0.05%", "101%", "-5%", "5 percent"]
)
def test_no_other_tolerance_is_taken(tolerance):
    with pytest.raises(PolicyError, match=r"distinct_l_diversity\.tolerance"):
        shoal.DistinctLDiversity(2, "s", tolerance=tolerance)


def test_only_numbers_have_a_tolerance():
    with pytest.raises(PolicyError, match="column 's' is nominal, and only numbers have an amount"):
        cells_of(pa.array([1]), Column("s", "sensitive"), 1)
    with pytest.raises(TableError, match="the table holds string"):
        cells_of(pa.array(["1"]), PAY, 1)
    columns = {"a": {"role": "quasi_identifier"}, "s": {"role": "sensitive", "kind": "date"}}
    asked = {"name": "alpha_k_anonymity", "alpha": 0.5, "k": 2, "column": "s", "tolerance": 5}
    with pytest.raises(PolicyError, match=r"requirements\[1\]\.tolerance: column 's' is date"):
        load({"columns": columns, "requirements": [asked]})


@dataclass(frozen=True, kw_only=True)
class Spread(shoal.UserRequirement):
    """Its tolerance is its own: how many records may lack a value."""

    tolerance: int = 1
    monotone: ClassVar[bool] = True

    def holds(self, groups):
        return np.asarray((groups.sensitive > 0).sum(axis=1)) >= 2


def test_what_a_user_calls_tolerance_is_not_one():
    counts = pa.table({"a": ["x", "x"], "s": [1.0, 1.5], "n": [5, 5]})
    schema = Schema([Column("a", "quasi_identifier"), PAY])
    assert prove_counts(counts, schema, [Spread(column="s")]).holds
    assert not prove_counts(counts, schema, [shoal.DistinctLDiversity(2, "s", tolerance=1)]).holds


# An intruder who knows that a person is in a class learns the amount to within the tolerance if all amounts of the
# class are as near as that. Amounts come in bunches here, so that neighbors on the quasi-identifiers earn nearly alike.


def bunched(seed, n=90):
    chance = np.random.default_rng(seed)
    a, b = chance.integers(0, 30, n), chance.integers(0, 3, n)
    pay = 1000 + 130 * (a // 4) + chance.uniform(0, 60, n).round(2)
    return pa.table({"a": a, "b": b, "s": pay})


def policy(tolerance, **more):
    asked = {"name": "distinct_l_diversity", "l": 2, "column": "s", "tolerance": tolerance}
    columns = {name: {"role": "quasi_identifier", "kind": "numeric"} for name in "ab"}
    columns["s"] = {"role": "sensitive", "kind": "numeric"}
    return {"columns": columns, "requirements": [{"name": "k_anonymity", "k": 3}, asked], **more}


def disclosed(release, tolerance):
    """The classes of a release whose amounts are all within a tolerance."""
    classes = {}
    for record in release.to_pylist():
        classes.setdefault(tuple(cell for name, cell in record.items() if name != "s"), []).append(record["s"])
    return [pay for pay in classes.values() if is_near(min(pay), max(pay), tolerance)]


@pytest.mark.gate(but=("mdav-100", "mondrian-100"))
@pytest.mark.parametrize("tolerance", [100, "5%"])
@pytest.mark.parametrize("method", [*GROUPED, "local suppression"])
def test_an_intruder_learns_no_amount_to_within_the_tolerance(method, tolerance):
    more = {"method": GROUPED[method]} if method in GROUPED else {"local_suppression": {}}
    more |= {"suppression": {"limit": 1.0}}
    found = [shoal.protect(bunched(seed), policy(tolerance, **more)) for seed in SEEDS]
    assert not [pay for release in found for pay in disclosed(release.records, tolerance)]
    plain = policy(tolerance, **more)
    del plain["requirements"][1]["tolerance"]
    bare = [shoal.protect(bunched(seed), plain) for seed in SEEDS]
    assert [pay for release in bare for pay in disclosed(release.records, tolerance)]


@pytest.mark.gate
@pytest.mark.parametrize("name", ["duckdb", "processes"])
@pytest.mark.parametrize("representation", ["centroids", "extents", "anatomy"])
def test_other_engines_release_the_same(tmp_path, name, representation):
    target, asked = tmp_path / "r.csv", load(policy(100, output={"representation": representation}))
    source = as_parquet(bunched(1), tmp_path / "t.parquet")
    with carrier(name, tmp_path) as engine:
        protect_by(engine, source, asked, Targets.of(target, None, None), bytes(32), force=False)
    assert shoal.verify(target, asked).holds
    with carrier("memory", tmp_path) as engine:
        twin = tmp_path / "twin.csv"
        protect_by(engine, source, asked, Targets.of(twin, None, None), bytes(32), force=False)
    assert target.read_bytes() == twin.read_bytes()


@pytest.mark.parametrize(("pay", "holds"), [((100.0, 199.99), False), ((100.0, 200.0), False), ((100.0, 500.0), True)])
@pytest.mark.parametrize("moved", [0, 37.5, 100, 150.01])
def test_the_gate_finds_what_is_within_the_tolerance(pay, holds, moved):
    """Wherever the grid lies, and at its very borders."""
    counts = pa.table({"a": ["x", "x"], "s": [value + moved for value in pay], "n": [5, 5]})
    schema = Schema([Column("a", "quasi_identifier"), PAY])
    for asked in (
        shoal.DistinctLDiversity(2, "s", tolerance=100),
        shoal.EntropyLDiversity(1.9, "s", tolerance=100),
        shoal.RecursiveLDiversity(3, 2, "s", tolerance=100),
        shoal.AlphaKAnonymity(0.6, 2, "s", tolerance=100),
    ):
        (verdict,) = prove_counts(counts, schema, [asked]).verdicts
        assert verdict.holds is holds
        assert verdict.besides["tolerance"] == 100


def test_a_file_that_was_changed_is_refused(tmp_path):
    released = shoal.protect(bunched(2), policy(100)).records.to_pylist()
    alike = [all(record[name] == released[0][name] for name in "ab") for record in released]
    pay = [
        1000 + at % 2 if same else record["s"] for at, (same, record) in enumerate(zip(alike, released, strict=True))
    ]
    forged = pa.table({**{name: [record[name] for record in released] for name in "ab"}, "s": pay})
    proof = shoal.verify(forged, policy(100))
    assert [str(verdict).split(" of classes")[0] for verdict in proof.verdicts if not verdict.holds]
    assert all(verdict.requirement == "distinct_l_diversity" for verdict in proof.verdicts if not verdict.holds)


def test_all_within_one_tolerance_cannot_be_released():
    with pytest.raises(RequirementError, match="l = 2 cannot be met, not even with all records in one class"):
        shoal.protect(bunched(0), policy(5000))
