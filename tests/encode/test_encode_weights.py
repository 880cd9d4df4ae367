"""What is known of all records: pieces, repeated values and the order of a tree count as they should."""

from functools import reduce
from operator import add

import numpy as np
import pyarrow as pa
import pytest

import shoal
from shoal.encode.count_table import CountTable
from shoal.encode.embedding import Embedding, fit_embedding
from shoal.encode.statistics import Sums, squares_of

TREE = shoal.Taxonomy(
    (
        ("elm", "tree", "*"),
        ("aster", "flower", "*"),
        ("fir", "tree", "*"),
        ("beech", "tree", "*"),
        ("rose", "flower", "*"),
    )
)


def column(name, kind, **more):
    return shoal.Column(name, role="quasi_identifier", kind=kind, **more)


def test_moments_of_pieces_are_those_of_the_table():
    values = [3.0, None, -5.0, 8.0, 8.0, None, 1.0]
    pieces = [pa.table({"x": pa.array(some, pa.float64())}) for some in (values[:4], [None], values[4:])]
    sums = reduce(add, [Sums.of("x", piece) for piece in pieces])
    found = sums.moments(reduce(add, [squares_of("x", sums.mean, piece) for piece in reversed(pieces)]))
    known = np.array([value for value in values if value is not None])
    assert (found.n_known, found.n_missing, found.low, found.high) == (5, 3, -5.0, 8.0)
    assert (found.mean, found.deviation) == (known.mean(), known.std())
    assert not found.constant


@pytest.mark.parametrize(
    "declared",
    [column("c", "ordinal"), column("c", "nominal"), column("c", "nominal", taxonomy=TREE)],
    ids=["ordinal", "nominal", "taxonomy"],
)
def test_places_have_mean_0_and_variance_1_over_the_records(declared):
    """However often a value occurs, and wherever the tree puts it."""
    values = ["elm"] * 9 + ["aster"] * 4 + ["fir"] + ["beech"] * 2 + ["rose"] * 7
    table = pa.table({"c": values})
    places = fit_embedding(table, shoal.Schema([declared])).coordinates(table)[:, 0]
    assert (places.mean(), places.std()) == pytest.approx((0, 1))


def test_some_columns_have_the_points_that_they_have_among_all():
    table = pa.table({"a": [1.0, 2.0, 4.0], "b": ["x", "y", "x"], "c": [9.0, 5.0, 5.0]})
    schema = shoal.Schema([column("a", "numeric"), column("b", "nominal"), column("c", "numeric")])

    def counts(name):
        return CountTable.of(table.group_by(name).aggregate([([], "count_all")]))

    whole = Embedding.fit(schema, lambda names, add: add(table), counts)
    some = whole.only(["c", "b"])
    assert some.names == ("b", "c")
    assert (some.points(table) == whole.points(table)[:, 1:]).all()
