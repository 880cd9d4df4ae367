"""Equal released records are searched as one, with their number: the links are those of a search over all records."""

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from example_numbers import examples
from shoal.linkage.link_tables import _attack
from shoal.linkage.linkage_tables import encode_linkage_tables
from shoal.linkage.released_classes import ReleasedClasses
from shoal.schema import Column, Schema

SCHEMA = Schema(
    [
        Column("age", "quasi_identifier", "numeric"),
        Column("school", "quasi_identifier", "ordinal", order=("low", "middle", "high")),
        Column("town", "quasi_identifier", "nominal"),
    ]
)


def files(n, seed, share_missing):
    """Two tables of few values, so that many released records are equal, with gaps."""
    chance = np.random.default_rng(seed)

    def column(values):
        drawn = [values[at] for at in chance.integers(0, len(values), n)]
        return [None if chance.random() < share_missing else value for value in drawn]

    made = [
        pa.table(
            {
                "age": pa.array(column([0.0, -0.0, 0.1, 0.3, 7.0]), pa.float64()),
                "school": pa.array(column(SCHEMA["school"].order), pa.string()),
                "town": pa.array(column(["X", "Y"]), pa.string()),
            }
        )
        for _ in range(2)
    ]
    truth = chance.permutation(n)
    truth[chance.random(n) < 0.2] = -1
    return *made, truth


@pytest.mark.gate(but=("distance", "rank"))
@pytest.mark.parametrize("by", ["distance", "rank", "probabilistic"])
@settings(max_examples=examples(12))
@given(st.integers(20, 300), st.integers(0, 2**32), st.sampled_from([0.0, 0.2]), st.integers(1, 3))
def test_links_are_those_of_all_records(by, n, seed, share_missing, k):
    original, released, truth = files(n, seed, share_missing)
    tables = encode_linkage_tables(original, released, SCHEMA)
    classes = ReleasedClasses.of(tables)
    found = classes.links(_attack(by, classes.tables, classes.truth(truth), k, None))
    expected = _attack(by, tables, truth, k, None)
    assert found.records.tolist() == expected.records.tolist()
    assert found.n_ties.tolist() == expected.n_ties.tolist()
    assert found.chances.tolist() == expected.chances.tolist()
    assert found.measures == pytest.approx(expected.measures, abs=1e-9)


def test_a_class_is_of_equal_values_and_keeps_its_lowest_record():
    released = pa.table({"age": [1.0, None, 1.0, 0.0, None, -0.0], "school": ["low"] * 6, "town": ["X"] * 5 + [None]})
    original = pa.table({"age": [1.0, 2.0], "school": ["low", "high"], "town": ["X", "Y"]})
    classes = ReleasedClasses.of(encode_linkage_tables(original, released, SCHEMA))
    assert classes.lowest.tolist() == [0, 1, 3, 5]
    assert classes.class_of.tolist() == [0, 1, 0, 2, 1, 3]
    assert classes.tables.counts.tolist() == [2, 2, 1, 1]
    assert classes.truth(np.array([2, -1, 4])).tolist() == [0, -1, 1]
