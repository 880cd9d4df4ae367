"""Controlled rounding: its twin in fractions, and its law."""

from fractions import Fraction
from math import ceil, floor

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from shoal.release.controlled_rounding import controlled_rounding

numbers = st.integers(-(10**6), 10**6).map(lambda n: n / 16)
weights = st.integers(1, 10**6).map(lambda n: n / 8)
lists = st.lists(st.tuples(numbers, weights), min_size=1, max_size=40)


def rounded(pairs, seed):
    values, sizes = np.array(pairs).T
    return controlled_rounding(values, sizes, np.random.default_rng(seed)).tolist()


def twin(pairs, seed):
    """Number by number in fractions: up by chance, unless the total goes too far."""
    chance = np.random.default_rng(seed)
    between = [at for at, (number, _) in enumerate(pairs) if number != floor(number)]
    order = [between[at] for at in chance.permutation(len(between))]
    found, moved = [floor(number) for number, _ in pairs], Fraction(0)
    farthest = Fraction(3, 4) * max((Fraction(pairs[at][1]) for at in order), default=Fraction(0))
    for at, draw in zip(order, chance.random(len(order)), strict=True):
        number, weight = map(Fraction, pairs[at])
        ends = [(floor(number), moved + weight * (floor(number) - number))]
        ends.append((ceil(number), moved + weight * (ceil(number) - number)))
        first = int(Fraction(draw) < number - floor(number))
        taken = first if abs(ends[first][1]) <= farthest else 1 - first
        found[at], moved = ends[taken]
    return found


@given(lists, st.integers(0, 99))
def test_it_agrees_with_its_twin(pairs, seed):
    assert rounded(pairs, seed) == twin(pairs, seed)


@given(lists, st.integers(0, 99))
def test_every_number_goes_to_one_beside_it_and_the_total_moves_by_less_than_the_largest_weight(pairs, seed):
    found = rounded(pairs, seed)
    for (number, _), whole in zip(pairs, found, strict=True):
        assert whole in (floor(number), ceil(number))
    moved = sum(Fraction(w) * (Fraction(b) - Fraction(a)) for (a, w), b in zip(pairs, found, strict=True))
    assert abs(moved) < max(Fraction(weight) for _, weight in pairs)


def test_numbers_are_kept_in_expectation():
    """Of 400 equal numbers at 0.3 there are 120 up, one more or less, and over many draws each of them as often."""
    pairs = [(0.3, 1.0)] * 400
    ups = np.array([rounded(pairs, seed) for seed in range(200)])
    assert (np.abs(ups.sum(axis=1) - 120) < 1).all()
    assert abs(ups.mean(axis=0) - 0.3).max() < 5 * np.sqrt(0.21 / 200)


def test_other_chance_makes_other_choices():
    pairs = [(0.5, 1.0)] * 50
    assert rounded(pairs, 1) == rounded(pairs, 1) != rounded(pairs, 2)
