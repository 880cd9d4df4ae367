"""Chances of pairs scaled in turns: equal to the last bit to the same turns by numpy."""

from __future__ import annotations

import numpy as np
import pytest

from shoal.kernels import scaled_chances

SMALLEST = 1e-300


def scaled_by_numpy(persons, records, chances, least, n_rounds):
    for _ in range(n_rounds):
        chances = chances / np.maximum(np.bincount(records, chances), SMALLEST)[records]
        chances = chances / np.maximum(np.bincount(persons, chances), least)[persons]
    return chances


def random_pairs(seed):
    """Some persons and records have no pair; some chances are 0."""
    draw = np.random.default_rng(seed)
    n_persons, n_records = draw.integers(1, 40, 2)
    are_possible = draw.random((n_persons, n_records)) < draw.random()
    persons, records = (each.astype(np.int64) for each in np.nonzero(are_possible))
    return persons, records, np.exp(-draw.exponential(9, len(persons))) * (draw.random(len(persons)) < 0.9)


@pytest.mark.parametrize("least", [SMALLEST, 1.0])
@pytest.mark.parametrize("seed", range(30))
def test_rounds_are_those_by_numpy(seed, least):
    persons, records, chances = random_pairs(seed)
    for n_rounds in (0, 1, 2, 25):
        expected = scaled_by_numpy(persons, records, chances, least, n_rounds)
        assert np.array_equal(scaled_chances(persons, records, chances, least, n_rounds), expected)


def test_what_is_given_stays_as_it_is():
    persons, records, chances = random_pairs(3)
    before = chances.copy()
    scaled_chances(persons, records, chances, 1.0, 5)
    assert np.array_equal(chances, before)
