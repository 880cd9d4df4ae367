"""Records are of one class where they are equal on all columns; missing equals missing alone."""

import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as st

from shoal.encode.class_numbers import class_numbers

cells = st.lists(st.tuples(st.sampled_from(["a", "b", None]), st.sampled_from([1, 2, None])), min_size=1, max_size=30)


@given(cells)
def test_classes_are_those_of_the_tuples(records):
    table = pa.table(
        {"x": pa.array([x for x, _ in records], pa.string()), "y": pa.array([y for _, y in records], pa.int64())}
    )
    found = class_numbers(table, ["x", "y"]).tolist()
    assert len(set(zip(found, records, strict=True))) == len(set(found)) == len(set(records))
    assert set(found) == set(range(len(set(records))))
    assert set(class_numbers(table, []).tolist()) == {0}
