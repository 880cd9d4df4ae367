"""The common step of a column: the largest step that all values are multiples of."""

from fractions import Fraction

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.encode.common_step import CommonStep


def common_step(*pieces):
    found = CommonStep()
    for piece in pieces:
        found.add_cells("x", pa.chunked_array([pa.array(piece)]))
    return found.value


@pytest.mark.parametrize(
    ("values", "step"),
    [
        ([17, 42, 90], 1),
        ([1200, 300, 4500], 300),
        ([1200, 300, 4550], 50),
        ([12.5, 3.75, 0.0], 1.25),
        ([0.1, 0.2, 0.35], 0.05),
        ([0.01, 2.0, None], 0.01),
        ([1 / 3, 2.0], 0),
        ([0, 0], 0),
        ([-6, 4], 2),
        ([1e17, 0.001], 0),
        ([1e17, 3e17], 1e17),
    ],
)
def test_known_columns(values, step):
    assert common_step(values) == pytest.approx(step)


@given(
    n=st.lists(st.integers(-(10**6), 10**6), min_size=2, max_size=30),
    places=st.integers(0, 4),
    at=st.integers(1, 29),
)
def test_pieces_of_any_size_and_order_have_the_same(n, places, at):
    values = [float(Fraction(each, 10**places)) for each in n]
    values += [1e15 if places == 4 else 1e3]  # with so many digits after the point nothing can be counted
    assert common_step(values) == common_step(values[at:], values[:at]) == common_step(*([each] for each in values))
