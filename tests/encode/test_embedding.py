"""Distances in the embedding are what the declared rules say."""

import dataclasses
from functools import reduce
from operator import add

import numpy as np
import pyarrow as pa
import pytest

import shoal
from shoal.encode.count_table import CountTable
from shoal.encode.embedding import Embedding, embed
from shoal.errors import TableError


def embed_column(column, values):
    role = dataclasses.replace(column, role="quasi_identifier")
    return embed(pa.table({column.name: values}), shoal.Schema([role]))


def squared_distances(column, values):
    points = embed_column(column, pa.chunked_array([values]))
    return ((points[:, None] - points[None]) ** 2).sum(axis=2)


def test_numbers_are_z_scores():
    D = squared_distances(shoal.Column("x", kind="numeric"), pa.array([1, 2, 3, 4]))
    assert D[0, 3] == pytest.approx(9 / np.var([1, 2, 3, 4]))


def test_a_constant_column_tells_nobody_apart():
    assert (squared_distances(shoal.Column("x", kind="numeric"), pa.array([0.1] * 7)) == 0).all()


def test_missing_is_a_value_of_its_own():
    D = squared_distances(shoal.Column("x", kind="numeric"), pa.array([1.0, None, None, 3.0]))
    assert D[1, 2] == 0
    assert D[0, 1] == pytest.approx(1 + 1)  # the mean is one deviation away, and missing is one more
    nominal = squared_distances(shoal.Column("x"), pa.array(["a", None, None, "b"]))
    assert nominal[1, 2] == 0
    assert nominal[0, 1] == pytest.approx(1)


def test_nominal_values_are_equal_or_one_apart():
    D = squared_distances(shoal.Column("x"), pa.array(["a", "b", "a", "c"]))
    assert D[0, 2] == 0
    assert [D[0, 1], D[0, 3], D[1, 3]] == pytest.approx([1, 1, 1])


def test_ordinal_values_are_apart_by_their_order():
    order = ("low", "middle", "high")
    D = squared_distances(shoal.Column("x", kind="ordinal", order=order), pa.array(["low", "high", "middle"]))
    assert D[0, 1] == pytest.approx(4 * D[0, 2])
    by_name = squared_distances(shoal.Column("x", kind="ordinal"), pa.array(["low", "high", "middle"]))
    assert by_name[1, 2] == pytest.approx(4 * by_name[0, 1])  # high, low, middle


def test_ordered_categories_bring_their_order():
    values = pa.array(["low", "high", "middle"]).dictionary_encode()
    indices, dictionary = pa.array([0, 2, 1]), pa.array(["low", "middle", "high"])
    values = pa.DictionaryArray.from_arrays(indices, dictionary, ordered=True)
    D = squared_distances(shoal.Column("x", kind="ordinal"), values)
    assert D[0, 1] == pytest.approx(4 * D[0, 2])


def test_taxonomy_distance_is_the_height_of_the_common_ancestor():
    tree = shoal.Taxonomy((("a", "x", "p", "*"), ("b", "x", "p", "*"), ("c", "y", "p", "*"), ("d", "z", "q", "*")))
    D = squared_distances(shoal.Column("x", taxonomy=tree), pa.array(["a", "b", "c", "d"]))
    assert [D[0, 0], D[0, 1], D[0, 2], D[0, 3]] == pytest.approx([0, 1 / 3, 2 / 3, 1])


def test_booleans_and_dates():
    assert squared_distances(shoal.Column("x"), pa.array([True, False]))[0, 1] == pytest.approx(1)
    days = pa.array(["2024-01-01", "2024-01-02", "2024-01-04"]).cast(pa.date32())
    D = squared_distances(shoal.Column("x", kind="date"), days)
    assert D[0, 2] == pytest.approx(9 * D[0, 1])


def test_columns_stand_side_by_side():
    schema = shoal.Schema(
        [
            shoal.Column("a", role="quasi_identifier", kind="numeric"),
            shoal.Column("s", role="sensitive", kind="numeric"),
            shoal.Column("b", role="quasi_identifier"),
        ]
    )
    table = pa.table({"a": [1, 2], "s": [1, 2], "b": ["x", "y"]})
    assert embed(table, schema).shape == (2, 3)


@pytest.mark.parametrize(
    ("values", "word"),
    [
        (pa.array([1.0, float("inf")]), "infinite"),
        (pa.array([1, 2**53 + 1]), "beyond 2"),
        (pa.array(["1", "2"]), "declared numeric"),
    ],
)
def test_what_has_no_mean_is_refused(values, word):
    with pytest.raises(TableError, match=word):
        embed_column(shoal.Column("x", kind="numeric"), pa.chunked_array([values]))


def test_2_to_the_53_itself_is_exact():
    embed_column(shoal.Column("x", kind="numeric"), pa.chunked_array([pa.array([2**53, -(2**53), None])]))


def test_too_many_nominal_values():
    values = pa.chunked_array([pa.array([str(i) for i in range(1001)])])
    with pytest.raises(TableError, match="1001 different nominal values"):
        embed_column(shoal.Column("x"), values)


def test_values_outside_the_order_are_counted_not_shown():
    values = pa.chunked_array([pa.array(["low", "CANARY", "CANARY"])])
    with pytest.raises(TableError, match="1 values of the column, in 2 records") as caught:
        embed_column(shoal.Column("x", kind="ordinal", order=("low", "high")), values)
    assert "CANARY" not in str(caught.value)


def test_a_record_has_its_point_in_every_piece_of_the_table():
    rng = np.random.default_rng(5)
    table = pa.table(
        {
            "x": pa.array(rng.normal(size=60), mask=rng.random(60) < 0.2),
            "o": pa.array(rng.integers(0, 7, 60)),
            "n": pa.array(rng.choice(["a", "b", None], 60)),
        }
    )
    kinds = {"x": "numeric", "o": "ordinal", "n": "nominal"}
    schema = shoal.Schema(shoal.Column(name, "quasi_identifier", kind) for name, kind in kinds.items())
    pieces = [table.slice(0, 7), table.slice(7, 30), table.slice(37)]

    def total(names, of):
        return reduce(add, [of(piece.select(list(names))) for piece in reversed(pieces)])

    def value_counts(name):
        return CountTable.of(table.group_by(name).aggregate([([], "count_all")]))

    fitted = Embedding.fit(schema, total, value_counts)
    assert np.array_equal(np.vstack([fitted.points(piece) for piece in pieces]), embed(table, schema))
