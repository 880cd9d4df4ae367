"""Weights that are released: two digits, or those of the stratum; totals of strata stay."""

from collections import defaultdict
from decimal import Decimal
from fractions import Fraction
from math import ceil, floor

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import shoal
from shoal.errors import PolicyError, TableError
from shoal.pipeline.files.targets import Targets
from shoal.pipeline.protect.protect import protect_by
from shoal.policy import load
from shoal.release.weights import rounded_weights
from survey_example import carrier, write_csv

KEY = bytes(range(32))


class Chance:
    """Of a block."""

    def __init__(self, block=0):
        self.block = block

    def of_block(self, block):
        return Chance(block)

    def for_purpose(self, purpose):
        return np.random.default_rng([self.block, *purpose.encode()])


weights = st.builds(lambda digits, power: float(f"{digits}e{power}"), st.integers(1, 99999), st.integers(-9, 6))


@given(st.lists(st.tuples(weights, st.integers(0, 2)), min_size=1, max_size=30))
def test_a_weight_goes_to_two_digits_beside_it_and_the_total_moves_by_less_than_the_largest_step(pairs):
    raw, strata = zip(*pairs, strict=True)
    labels = np.unique(strata, return_inverse=True)[1]
    found = rounded_weights(np.array(raw), labels, Chance(), "w").tolist()
    moved, steps = defaultdict(Fraction), defaultdict(Fraction)
    for before, after, stratum in zip(raw, found, strata, strict=True):
        exact, told = Decimal(repr(before)), Decimal(repr(after))
        step = Decimal(1).scaleb(exact.adjusted() - 1)
        assert Fraction(told) / Fraction(step) in (floor(exact / step), ceil(exact / step))
        moved[stratum] += Fraction(told) - Fraction(exact)
        steps[stratum] = max(steps[stratum], Fraction(step))
    assert all(abs(moved[stratum]) < steps[stratum] for stratum in moved)


@pytest.mark.parametrize("weight", [1e-9, 0.01, 0.07, 1.0, 10.0, 99.0, 100.0, 1000.0, 1e15])
def test_a_weight_of_two_digits_stays(weight):
    below, above = np.nextafter(weight, 0), np.nextafter(weight, np.inf)
    assert rounded_weights(np.array([weight]), np.zeros(1, dtype=np.int64), Chance(), "w").tolist() == [weight]
    for near in (below, above):
        (found,) = rounded_weights(np.array([near]), np.zeros(1, dtype=np.int64), Chance(), "w")
        assert abs(found - weight) <= weight / 9


def survey(n=90):
    draw = np.random.default_rng(4)
    return pa.table(
        {
            "sex": draw.choice(["f", "m"], n),
            "age": draw.integers(18, 91, n),
            "spent": np.round(draw.lognormal(3, 1, n), 2),
            "weight": np.round(draw.uniform(20, 3000, n), 3),
        }
    )


def policy(how, **more):
    return {
        "requirements": [{"name": "k_anonymity", "k": 4}],
        "within": ["sex"],
        "output": {"weights": how, "shuffle": False},
        "columns": {
            "sex": {"role": "other"},
            "age": {"role": "quasi_identifier", "kind": "numeric"},
            "spent": {"role": "other", "kind": "numeric"},
            "weight": {"role": "weight", "kind": "numeric"},
        },
    } | more


def by_sex(table, cells):
    found = defaultdict(list)
    for sex, cell in zip(table["sex"].to_pylist(), cells, strict=True):
        found[sex].append(cell)
    return found


@pytest.mark.parametrize("method", [{"name": "mdav"}, {"name": "mondrian"}])
def test_every_record_of_a_stratum_gets_its_mean_weight(method):
    original = survey()
    released = shoal.protect(original, policy("stratum", method=method)).records
    before = by_sex(original, original["weight"].to_pylist())
    for sex, told in by_sex(released, released["weight"].to_pylist()).items():
        assert set(told) == {float(sum(map(Fraction, before[sex]))) / len(told)}


def test_means_are_weighed_as_before_and_only_weights_change():
    kept, rounded = (shoal.protect(survey(), policy(how), key=KEY).records for how in ("kept", "rounded"))
    others = ["sex", "spent"]
    assert kept.select(others).equals(rounded.select(others))
    ages = np.abs(kept["age"].to_numpy() - rounded["age"].to_numpy())
    assert ages.max() <= 1  # rounded up or down by chance, which hangs on the policy
    assert kept["weight"].equals(survey()["weight"])
    assert all(len(f"{Decimal(repr(w)).normalize():e}".split("e")[0]) <= 3 for w in rounded["weight"].to_pylist())


@pytest.mark.gate(but="rounded")
@pytest.mark.parametrize("how", ["rounded", "stratum"])
def test_both_engines_give_the_same_weights(tmp_path, how):
    source, found = write_csv(survey(), tmp_path / "in.csv"), []
    for name in ("memory", "duckdb"):
        (tmp_path / name).mkdir()
        with carrier(name, tmp_path) as engine:
            targets = Targets.of(tmp_path / name / "out.csv", None, None)
            protect_by(engine, source, load(policy(how)), targets, KEY, force=False)
        found.append((tmp_path / name / "out.csv").read_bytes())
    assert found[0] == found[1]


def test_without_a_weight_there_is_nothing_to_weigh():
    columns = {"age": {"role": "quasi_identifier", "kind": "numeric"}}
    with pytest.raises(PolicyError, match=r"output.weights is only allowed with a column of role = 'weight', got none"):
        load({"method": {"k": 2}, "columns": columns, "output": {"weights": "rounded"}})


def test_weights_that_are_none_are_refused():
    cells = pa.array([0.0, *survey()["weight"].to_pylist()[1:]])
    with pytest.raises(TableError, match="1 weights are missing, zero or negative"):
        shoal.protect(survey().set_column(3, "weight", cells), policy("rounded", method={"name": "mondrian"}))


def test_weights_that_hardly_are_any_are_rounded_too():
    weights = np.array([5e-324, 1e-310, 3.14159e-308, 2.71828, 1e308])
    told = rounded_weights(weights, np.zeros(5, dtype=np.int64), Chance(), "weights")
    assert (np.abs(told - weights) <= np.maximum(0.1 * weights, 1e-307)).all()
