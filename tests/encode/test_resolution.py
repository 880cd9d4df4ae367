"""The digits of a column: by its decimals as texts, whatever the type and the pieces that it comes in."""

from decimal import Decimal

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.encode.resolution import Resolution, in_steps, of_steps, whole_steps


def found(*pieces, asked=None):
    seen = Resolution()
    for piece in pieces:
        seen.add(piece)
    return seen.decimals(asked)


decimals = st.builds(
    lambda whole, places: Decimal(whole).scaleb(-places), st.integers(-(10**8), 10**8), st.integers(0, 6)
)


def places_of(number):
    """Digits after the point, as a person counts them."""
    return max(0, -number.normalize().as_tuple().exponent)


@given(st.lists(decimals, min_size=1, max_size=8), st.integers(1, 8))
def test_it_is_the_most_digits_that_a_cell_has(numbers, cut):
    wanted = max(map(places_of, numbers))
    reals = pa.array([float(number) for number in numbers])
    assert found(reals) == wanted
    assert found(reals[:cut], reals[cut:]) == wanted
    assert found(reals[cut:], pa.array([None], pa.float64()), reals[:cut]) == wanted
    assert found(pa.array(numbers, pa.decimal128(20, 6))) == wanted


@given(st.lists(st.integers(-9999, 9999), min_size=1, max_size=8), st.integers(0, 3))
def test_of_32_bits_it_is_that_of_the_decimals_that_were_stored(whole, places):
    numbers = [Decimal(number).scaleb(-places) for number in whole]
    reals = pa.array(np.array([float(number) for number in numbers], dtype=np.float32))
    assert found(reals) == max(map(places_of, numbers))


def test_whole_numbers_have_none():
    assert found(pa.array([1, 2, None])) == 0
    assert found(pa.array([2**53])) == 0
    assert found(pa.array([1e20, 3.0])) == -6  # a float64 tells no more


def test_numbers_without_decimals_keep_four_digits_of_their_range():
    draw = np.random.default_rng(0)
    assert found(pa.array(draw.uniform(0, 99, 50))) == 2
    assert found(pa.array(draw.uniform(0, 1.5, 50))) == 3
    assert found(pa.array(draw.uniform(100_000, 900_000, 50))) == -2
    assert found(pa.array([1 / 3, 1 / 3])) == 4  # no range: of the number
    assert found(pa.array([1234567890.123456, 0.5])) == -6  # six digits, but sixteen in all


def test_what_is_asked_for_goes_first_as_far_as_a_number_can_tell_it():
    assert found(pa.array([1.25]), asked=0) == 0
    assert found(pa.array([1, 2]), asked=3) == 3
    assert found(pa.array([1e9]), asked=15) == 5
    assert found(pa.array([None], pa.float64()), asked=3) == 3


def test_beyond_all_bounds_there_is_none():
    assert found(pa.array([1e-30, 3e-30])) is None
    assert found(pa.array([1e60])) is None


@pytest.mark.parametrize("places", [-15, -2, 0, 3, 15])
@given(st.integers(-(10**15), 10**15))
def test_a_whole_number_of_steps_goes_there_and_back(places, n):
    value = of_steps(np.array([float(n)]), places)
    assert value[0] == float(Decimal(n).scaleb(-places))
    assert whole_steps(value, places)[1].all()
    assert abs(in_steps(value, places)[0] - n) <= abs(n) * 2**-51


@pytest.mark.parametrize(
    ("values", "asked", "multiple"),
    [
        ([200, 250, 0], None, 50),
        ([17, 42, 90], None, 1),
        ([0.25, 1.5], None, 25),
        ([200, 250, 0], 0, 1),
        ([1 / 3, 2.0], None, 1),
        ([0, 0], None, 1),
        ([None, None], None, 1),
    ],
)
def test_means_go_by_the_steps_of_the_column(values, asked, multiple):
    """What is asked for in the policy is done as it is asked."""
    found = Resolution()
    found.add(pa.chunked_array([pa.array(values, pa.float64())]))
    assert found.multiple(asked) == multiple
