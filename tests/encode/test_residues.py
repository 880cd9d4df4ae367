"""The step that all but a few values lie on: by Python's integers, whatever pieces the values come in."""

from collections import Counter
from datetime import datetime, timedelta
from fractions import Fraction

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from example_numbers import examples
from shoal.encode.steps import Steps

DAY = 86_400 * 10**6


def steps(*pieces):
    seen = Steps()
    for piece in pieces:
        seen.add(pa.array(piece))
    return seen


def few(values):
    """As a person counts: five or one in a hundred, and at most one in ten, of all but the most frequent value."""
    others = len(values) - max(Counter(values).values())
    return min(max(5, others // 100), others // 10)


WHOLE = np.random.default_rng(0).integers(17, 90, 1000).astype(float)


@pytest.mark.parametrize(
    ("values", "odd", "step", "offset"),
    [
        (WHOLE, [34.333333], 1, 0),
        (WHOLE, [34.5] * 5 + [1 / 3] * 4, 1, 0),
        (50 * WHOLE, [737, 34.333333], 50, 0),
        (50 * WHOLE + 25, [737], 50, 25),
        (100 * WHOLE + 77, [12], 100, 77),
        (12 * WHOLE, [50_000, 11], 12, 0),
        (14 * WHOLE, [34.333333], 14, 0),
        (WHOLE / 4, [0.3333], "0.25", 0),
        (1000 * WHOLE, [-1, 10**15], 1000, 0),
    ],
)
def test_a_few_odd_values_make_no_step_finer(values, odd, step, offset):
    for pieces in ([[*values, *odd]], [[*odd, *values]], [values[:300], odd, values[300:]]):
        found = steps(*pieces)
        assert found.of_means(None) == (Fraction(step), Fraction(offset))
        assert (found.step, found.offset, found.resolution) == (Fraction(step), Fraction(offset), Fraction(step))
    assert steps(values).of_means(None) == (Fraction(step), Fraction(offset))


@settings(max_examples=examples(30), deadline=None)
@given(st.sampled_from([2, 5, 12, 25, 60, 100]), st.integers(0, 99), st.integers(0, 40), st.integers(0, 2**32))
def test_no_more_than_a_few_lie_off_it_and_the_order_of_pieces_is_nothing(step, offset, n_odd, seed):
    draw = np.random.default_rng(seed)
    values = np.append(offset + step * draw.integers(0, 50, 900), draw.integers(0, 5000, n_odd))
    whole, odd = steps(values), steps(values[450:][::-1], values[:450])
    assert (whole.step, whole.offset, whole.places) == (odd.step, odd.offset, odd.places)
    found, offset = whole.step, whole.offset
    assert sum((value - offset) % found != 0 for value in values.tolist()) <= few(values.tolist())
    if n_odd <= 5:
        assert found >= step


def test_more_than_a_few_are_the_column():
    assert steps([*WHOLE, *[34.5] * 20]).step == Fraction(1, 2)
    assert steps([1, 2, 3, 4.5]).step == Fraction(1, 2)


def test_where_nearly_all_are_zero_the_others_say_how_fine_it_is():
    gains = np.random.default_rng(0).integers(100, 9000, 40)
    assert steps([*[0] * 9960, *gains]).step == 1
    assert steps([*[0] * 9996, 1000, 1001, 1002, 1003]).step == 1
    assert steps([*[7] * 9996, 1000, 1001, 1002, 1003]).step == 1


@pytest.mark.parametrize(
    ("minutes", "offset"), [(15, 0), (60, 0), (60, 30), (24 * 60, 0), (24 * 60, 9 * 60), (7 * 24 * 60, 4 * 24 * 60)]
)
def test_times_have_the_steps_of_a_clock(minutes, offset):
    first = datetime(1970, 1, 1) + timedelta(minutes=offset)
    draws = np.random.default_rng(0).integers(0, 500, 600).tolist()
    times = [first + timedelta(minutes=minutes * at) for at in draws]
    for odd in ([], [first + timedelta(microseconds=1)], [first + timedelta(seconds=7)]):
        found = steps([*times, *odd])
        assert (found.step, found.offset) == (minutes * 60 * 10**6, offset * 60 * 10**6)
