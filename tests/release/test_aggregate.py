"""Centroids: the kernels' answer is that of plain Python, group by group."""

from collections import Counter
from datetime import date
from decimal import Decimal
from fractions import Fraction
from math import ceil, floor
from statistics import fmean, median_low

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import shoal
from shoal.errors import TableError
from shoal.release.aggregate import aggregate


class Chance:
    """Of a seed."""

    def __init__(self, seed=0):
        self.seed = seed

    def for_purpose(self, purpose):
        return np.random.default_rng([self.seed, *purpose.encode()])


def centroids(kind, values, labels, rng=None, **options):
    schema = shoal.Schema([shoal.Column("x", role="quasi_identifier", kind=kind, **options)])
    values = values if isinstance(values, pa.Array) else pa.array(values)
    table = pa.table({"x": values})
    return aggregate(table, schema, shoal.Partition(np.array(labels)), rng)["x"].to_pylist()


def twin(kind, values, labels):
    center = {
        "numeric": fmean,
        "ordinal": median_low,
        "nominal": lambda known: min(Counter(known), key=lambda v: (-Counter(known)[v], v)),
    }[kind]
    found = {}
    for group in set(labels):
        members = [value for value, label in zip(values, labels, strict=True) if label == group]
        known = [value for value in members if value is not None]
        found[group] = None if 2 * (len(members) - len(known)) >= len(members) else center(known)
    return [found[label] for label in labels]


@pytest.mark.parametrize("kind", ["numeric", "ordinal", "nominal"])
@given(data=st.data())
def test_centroids_agree_with_their_twin(kind, data):
    value = st.integers(-9, 9) if kind == "numeric" else st.sampled_from("abcd")
    values = data.draw(
        st.lists(st.none() | value, min_size=1, max_size=30).filter(lambda v: any(x is not None for x in v))
    )
    raw = data.draw(st.lists(st.integers(0, 5), min_size=len(values), max_size=len(values)))
    labels = np.unique(raw, return_inverse=True)[1].tolist()
    type_ = pa.int64() if kind == "numeric" else pa.string()
    assert centroids(kind, pa.array(values, type_), labels) == pytest.approx(twin(kind, values, labels))


@pytest.mark.parametrize(
    ("kind", "type_"), [("numeric", pa.int64()), ("ordinal", pa.string()), ("nominal", pa.string())]
)
def test_of_values_that_are_all_missing_the_centroid_is_missing(kind, type_):
    assert centroids(kind, pa.nulls(4, type_), [0, 0, 1, 1]) == [None] * 4


def test_a_centroid_is_never_the_value_of_one_record():
    assert centroids("numeric", [4.0, None], [0, 0]) == [None, None]
    assert centroids("numeric", [4.0, None, None], [0, 0, 0]) == [None] * 3
    assert centroids("numeric", [4.0, 5.0, None], [0, 0, 0]) == [4.5] * 3


@pytest.mark.parametrize(
    ("kind", "values"), [("numeric", [4, 4, 5]), ("ordinal", list("aab")), ("nominal", list("aab"))]
)
def test_nor_is_it_that_of_one_unit(kind, values):
    """Who has no unit is one."""
    columns = [shoal.Column("x", role="quasi_identifier", kind=kind), shoal.Column("u", role="unit")]

    def told(units):
        table = pa.table({"x": pa.array([values[0], values[1], None]), "u": pa.array(units, pa.string())})
        return aggregate(table, shoal.Schema(columns), shoal.Partition(np.zeros(3, dtype=np.int64)))["x"].to_pylist()

    assert told(["p", "p", "q"]) == [None] * 3
    assert told(["p", "q", "q"]) == told(["p", None, "q"]) == told([None, None, "q"]) == [values[0]] * 3


def test_decimals_and_no_negative_zero():
    for chance in (None, *map(Chance, range(20))):
        released = centroids("numeric", [-0.1, 0.0, -0.1], [0, 0, 0], chance, decimals=0)
        assert {str(value) for value in released} < {"0", "-1"}


@pytest.mark.parametrize("type_", [pa.float32(), pa.float64(), pa.decimal128(9, 1)])
def test_a_mean_that_has_no_further_digit_stays(type_):
    """Whatever doubles make of 0.1, and whatever chance would have."""
    cells = [Decimal(text) for text in ("0.1", "0.2", "0.3", "-0.3", "0.1", "0.2", "0.7", "0.7", "0.7", "0.1", "0.2")]
    cells = cells if pa.types.is_decimal(type_) else [float(cell) for cell in cells]
    labels = [0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3]
    for seed in range(30):
        released = centroids("numeric", pa.array(cells, type_), labels, Chance(seed), decimals=1)
        assert released[:9] == [0.2] * 3 + [0.0] * 3 + [0.7] * 3
        assert released[9] in (0.1, 0.2)


@given(
    st.lists(st.tuples(st.integers(0, 300), st.integers(1, 9999), st.integers(0, 4)), min_size=1, max_size=40),
    st.sampled_from([0, 1, 2]),
    st.integers(0, 9),
)
def test_a_weighted_total_of_those_released_moves_by_less_than_one_step_of_one_group(records, places, seed):
    cells, weights, raw = zip(*records, strict=True)
    labels = np.unique(raw, return_inverse=True)[1]
    kept = labels != 0 if labels.max() else labels == 0  # the first group is suppressed, where there is another
    schema = shoal.Schema(
        [shoal.Column("a", "quasi_identifier", "numeric", decimals=places), shoal.Column("w", "weight", "numeric")]
    )
    table = pa.table({"a": [cell / 10**places for cell in cells], "w": [weight / 100 for weight in weights]})
    released = aggregate(table, schema, shoal.Partition(labels), Chance(seed), kept)["a"].to_pylist()
    moved, steps = Fraction(0), []
    for group in range(labels.max() + 1):
        inside = np.flatnonzero(labels == group)
        weight = sum(Fraction(weights[at], 100) for at in inside)
        mean = sum(Fraction(weights[at], 100) * cells[at] for at in inside) / weight
        told = Fraction(round(released[inside[0]] * 10**places))
        assert released[inside[0]] == float(told / 10**places)
        assert told in (floor(mean), ceil(mean))
        if kept[inside[0]]:
            moved, steps = moved + weight * (told - mean), [*steps, weight]
    assert abs(moved) < max(steps)


def test_dates_stay_dates():
    days = [date(2024, 1, 1), date(2024, 1, 2), date(2024, 1, 4)]
    assert centroids("date", days, [0, 0, 0]) == [date(2024, 1, 2)] * 3


def test_only_quasi_identifiers_change():
    schema = shoal.Schema([shoal.Column("a", "quasi_identifier", "numeric"), shoal.Column("s", "sensitive", "numeric")])
    table = pa.table({"s": [1, 2], "a": [1, 2]})
    released = aggregate(table, schema, shoal.Partition(np.array([0, 0])))
    assert released.to_pydict() == {"s": [1, 2], "a": [1.5, 1.5]}


def weighted_schema():
    return shoal.Schema([shoal.Column("a", "quasi_identifier", "numeric"), shoal.Column("w", "weight", "numeric")])


def test_weighted_totals_are_kept():
    chance = np.random.default_rng(3)
    a, w = chance.normal(100, 30, 60), chance.uniform(0.5, 9, 60)
    partition = shoal.mdav(shoal.standardize(a[:, None]), 5)
    released = aggregate(pa.table({"a": a, "w": w}), weighted_schema(), partition)
    for g in range(partition.n_groups):
        inside = partition.labels == g
        assert (released["a"].to_numpy() * w)[inside].sum() == pytest.approx((a * w)[inside].sum())


@given(st.floats(-1e9, 1e9), st.lists(st.floats(0.1, 100), min_size=1, max_size=9))
def test_the_mean_of_equal_values_is_that_value(value, weights):
    n = len(weights)
    table = pa.table({"a": [value] * n, "w": weights})
    partition = shoal.Partition(np.zeros(n, dtype=np.int64))
    assert aggregate(table, weighted_schema(), partition)["a"].to_pylist() == [value] * n
    assert centroids("numeric", [value] * n, [0] * n) == [value] * n


@pytest.mark.parametrize("weights", [[1.0, None], [1.0, 0.0], [1.0, -2.0]])
def test_unfit_weights_are_refused(weights):
    table = pa.table({"a": [1.0, 2.0], "w": weights})
    with pytest.raises(TableError, match="1 weights are missing, zero or negative"):
        aggregate(table, weighted_schema(), shoal.Partition(np.array([0, 0])))


def test_a_suppressed_group_gives_no_room_to_the_others():
    """However heavy it is: of forty groups at a half, twenty go up, one more or less."""
    labels = np.repeat(np.arange(41), 2)
    schema = shoal.Schema(
        [shoal.Column("a", "quasi_identifier", "numeric", decimals=0), shoal.Column("w", "weight", "numeric")]
    )
    table = pa.table({"a": np.tile([0, 1], 41), "w": np.where(labels == 40, 1000.0, 1.0)})
    for seed in range(20):
        told = aggregate(table, schema, shoal.Partition(labels), Chance(seed), labels < 40)["a"].to_numpy()
        assert abs(told[labels < 40].sum() - 40) < 2


def test_weights_that_doubles_cannot_tell_move_no_mean_that_is_whole():
    """(0.1 a + 0.3 b) / 0.4 is whole on paper, and stays so where the first group left no room for its last bit."""
    schema = shoal.Schema(
        [shoal.Column("a", "quasi_identifier", "numeric", decimals=0), shoal.Column("w", "weight", "numeric")]
    )
    labels = shoal.Partition(np.array([0] * 4 + [1] * 2))
    for seed in range(40):
        table = pa.table({"a": [0, 1, 1, 1, 1004, 1016], "w": [1.0] * 4 + [0.1, 0.3]})
        assert aggregate(table, schema, labels, Chance(seed))["a"].to_pylist()[-1] == 1013
