"""Counting with wildcards agrees with comparing every record with every other."""

import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as st

from reference.local_suppression import wildcard_sizes
from shoal.gate.wildcards import wildcard_class_sizes

value = st.sampled_from(["x", "y", None])


@given(st.lists(st.tuples(value, value, value), min_size=1, max_size=40), st.integers(1, 3))
def test_sizes_agree_with_their_twin(records, q):
    table = pa.table({name: pa.array([r[j] for r in records], pa.string()) for j, name in enumerate("abc")})
    counts = table.group_by(table.column_names).aggregate([([], "count_all")])
    found = wildcard_class_sizes(counts, "abc"[:q]).tolist()
    sizes = dict(zip(records, wildcard_sizes([record[:q] for record in records]), strict=True))
    rows = [tuple(row.values())[:3] for row in counts.to_pylist()]
    assert found == [sizes[row] for row in rows]


def test_a_blank_record_matches_all_and_a_match_is_no_chain():
    counts = pa.table({"a": ["x", "y", None], "b": ["p", "p", "p"], "n": [2, 3, 4]})
    assert wildcard_class_sizes(counts, ["a", "b"]).tolist() == [6, 7, 9]
