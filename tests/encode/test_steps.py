"""The digits and the step of a column: by its decimals as texts, whatever the type and the pieces that it comes in."""

from decimal import Decimal
from fractions import Fraction
from math import gcd

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.encode.steps import Steps, from_last_digit, nearest_last_digit, to_last_digit


def found(*pieces, asked=None):
    return steps(*pieces).decimals(asked)


def steps(*pieces):
    seen = Steps()
    for piece in pieces:
        seen.add(piece)
    return seen


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
    value = from_last_digit(np.array([float(n)]), places)
    assert value[0] == float(Decimal(n).scaleb(-places))
    assert nearest_last_digit(value, places)[1].all()
    assert abs(to_last_digit(value, places)[0] - n) <= abs(n) * 2**-51


TYPES = [np.float16, np.float32, np.float64]


@pytest.mark.parametrize(
    ("values", "step"),
    [
        ([17, 42, 90], 1),
        ([1200, 300, 4500], 300),
        ([1200, 250, 4525, 275], 25),
        ([1, 11], 10),
        ([0.1, 0.7], "0.6"),
        ([12.5, 3.75, 0.0], "1.25"),
        ([0.1, 0.2, 0.35], "0.05"),
        ([0.01, 2.0, None], "1.99"),
        ([1 / 3, 2.0], 0),
        ([7, 7], 0),
        ([-6, 4], 10),
        ([1e17, 0.001], 0),
        ([1e17, 3e17], 2 * 10**17),
    ],
)
def test_the_step_divides_all_differences(values, step):
    assert steps(pa.array(values)).step == Fraction(step)


@pytest.mark.parametrize("type_", TYPES)
def test_it_is_the_same_in_every_type(type_):
    for values, step in (([0, 0.2, 0.4, 1.0], "0.2"), ([0.1, 0.7], "0.6")):
        assert steps(pa.array(np.array(values, dtype=type_))).step == Fraction(step)
    decimal = [Decimal("0.10"), Decimal("0.70")]
    assert steps(pa.array(decimal, pa.decimal128(9, 4))).step == Fraction("0.6")


@given(st.lists(decimals, min_size=2, max_size=8), st.integers(0, 8), st.sampled_from(TYPES[1:]))
def test_pieces_of_any_size_and_order_have_the_same(numbers, cut, type_):
    """With a large number among digits after the point nothing can be counted, whatever comes first."""
    reals = np.array([float(number) for number in numbers], dtype=type_)
    for cells in (reals, np.append(reals, type_(1e15))):
        whole = steps(pa.array(cells))
        for pieces in ((cells[:cut], cells[cut:]), (cells[cut:], cells[:cut]), cells[::-1, None]):
            apart = steps(*map(pa.array, pieces))
            for name in ("places", "low", "high", "step", "resolution"):
                assert getattr(apart, name) == getattr(whole, name)
            for asked in (None, 0, 2):
                assert apart.decimals(asked) == whole.decimals(asked)
                assert apart.of_means(asked) == whole.of_means(asked)


def test_a_large_number_among_small_ones_has_no_step_in_one_piece_or_two():
    assert steps(pa.array([1e15, 1e-6])).step == steps(pa.array([1e15]), pa.array([1e-6])).step == 0


@given(st.lists(decimals, min_size=2, max_size=8))
def test_low_high_and_step_are_those_of_fractions(numbers):
    found, exact = steps(pa.array([float(number) for number in numbers])), [Fraction(number) for number in numbers]
    assert (found.low, found.high) == (min(exact), max(exact))
    assert found.step == Fraction(gcd(*(int((each - min(exact)) * 10**6) for each in exact)), 10**6)
    assert not found.step or found.offset == min(exact) % found.step


@pytest.mark.parametrize(
    ("values", "asked", "of_means"),
    [
        ([200, 250, 0], None, (50, 0)),
        ([17, 42, 90], None, (1, 0)),
        ([1, 11], None, (10, 1)),
        ([-9, 1, 11], None, (10, 1)),
        ([0.1, 0.7], None, ("0.6", "0.1")),
        ([0.25, 1.5], None, ("0.25", 0)),  # 1.25 is no common step
        ([1 / 3, 2.0], None, ("0.001", 0)),
        ([7, 7], None, (1, 0)),
        ([200, 250, 0], 0, (50, 0)),  # the step of the column, where it is coarser
        ([200, 250, 0], -1, (50, 0)),
        ([200, 250, 0], -2, (100, 0)),  # the digit, where it is
        ([200, 225, 0], -1, (30, 0)),  # no less than a step, and no further digit
        ([0.5, 10.5], 0, (10, 0)),
        ([200, 250, 0], 1, ("0.1", 0)),  # more digits than the column has: who asks for them gets them
    ],
)
def test_means_go_by_the_steps_of_the_column(values, asked, of_means):
    assert steps(pa.array(values * 10)).of_means(asked) == tuple(map(Fraction, of_means))


@pytest.mark.parametrize("value", [48613, 100_000, 0.37])
def test_a_step_that_few_values_show_is_not_told(value):
    """It would be the value of the one person who has another than all."""
    found = steps(pa.array([0.0] * 300 + [value] * 4))
    assert found.step == Fraction(str(value))
    digit = Fraction(1, 10**found.places)
    assert found.of_means(None) == (digit, 0)
    assert found.resolution == digit


def test_without_bounds_or_values_means_go_by_no_step():
    assert steps(pa.array([1e-30, 3e-30])).of_means(None) is None
    assert steps(pa.array([None, None], pa.float64())).of_means(None) is None


def test_one_number_beyond_all_others_does_not_let_means_tell_all_digits():
    cents = [round(0.01 * at, 2) for at in range(1000)]
    assert steps(pa.array([*cents, 1e19])).of_means(None) == (Fraction(10) ** 15, 0)
