"""Information loss: 0 % where nothing changed, 100 % where all records are alike, and SSE / SST in between."""

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import shoal
from shoal.assessment.utility.loss import column_loss, information_losses, loss_findings
from shoal.release.aggregate import aggregate


def loss(kind, before, after, **options):
    column = shoal.Column("x", role="quasi_identifier", kind=kind, **options)
    return column_loss(column, pa.chunked_array([before]), pa.chunked_array([after]))


@given(st.integers(6, 40), st.integers(0, 2**32), st.integers(2, 3))
def test_for_numbers_it_is_that_of_the_literature(n, seed, k):
    values = np.random.default_rng(seed).normal(50, 9, (n, 3))
    X = shoal.standardize(values)
    partition = shoal.mdav(X, k)
    table = pa.table({name: values[:, j] for j, name in enumerate("abc")})
    schema = shoal.Schema([shoal.Column(name, "quasi_identifier", "numeric") for name in "abc"])
    losses = information_losses(table, aggregate(table, schema, partition), schema)
    assert loss_findings(losses)["information loss"].estimate == pytest.approx(partition.information_loss(X))


@pytest.mark.parametrize(
    ("kind", "values", "alike"),
    [
        ("numeric", pa.array([1, 2, 3, 6]), pa.array([3.0] * 4)),
        ("nominal", pa.array(["a", "a", "b", "c"]), pa.array(["a"] * 4)),
    ],
)
def test_its_ends(kind, values, alike):
    assert loss(kind, values, values) == 0
    assert loss(kind, values, alike) == pytest.approx(100)


def test_ordinal_by_positions():
    order = ("low", "middle", "high")
    before, after = pa.array(["low", "middle", "high"]), pa.array(["middle", "middle", "high"])
    assert loss("ordinal", before, after, order=order) == pytest.approx(100 * 1 / 2)


def test_blanked_counts_as_the_mean_and_filled_not_at_all():
    assert loss("numeric", pa.array([1.0, 3.0]), pa.array([None, 3.0])) == pytest.approx(50)
    assert loss("numeric", pa.array([1.0, 3.0, None]), pa.array([1.0, 3.0, 9.0])) == 0
    assert loss("nominal", pa.array(["a", "b", "a"]), pa.array(["a", None, "a"])) == pytest.approx(100)
    assert loss("nominal", pa.array(["a", "b", None]), pa.array(["a", "b", "a"])) == 0


@pytest.mark.parametrize(("kind", "value"), [("numeric", 1.0), ("nominal", "a")])
def test_what_has_no_spread_cannot_lose_it(kind, value):
    assert loss(kind, pa.array([value] * 3), pa.array([value] * 3)) == 0
