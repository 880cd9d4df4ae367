"""Texts as places, and two files side by side: case, accents, digits, gaps and files of unequal length."""

import numpy as np
import pyarrow as pa
import pytest

from shoal.encode.whiten import whiten
from shoal.linkage.linkage_tables import LinkageColumn
from shoal.linkage.text_position import text_positions


def test_case_accents_and_other_characters_count_for_nothing():
    assert text_positions(pa.array(["Éz", "e-z", "EZ "])).tolist() == [(4 / 25 + 1) / 2] * 3


def test_letters_and_digits_go_from_0_to_1():
    assert text_positions(pa.array(["a", "z", "0", "9", "3", "?"])).tolist() == [0, 1, 0, 1, 3 / 9, 0.5]


def field(values, codes=None):
    gaps = np.array([value is None for value in values])
    known = np.array([0.0 if value is None else value for value in values])
    return LinkageColumn("x", "numeric" if codes is None else "nominal", known, gaps, codes)


def test_missing_values_come_last_and_have_no_place():
    numbers = field([5.0, None, 9.0, 6.0])
    assert numbers.sort_keys.tolist() == [5, np.inf, 9, 6]
    assert np.array_equal(numbers.scaled, [0, np.nan, 1, 0.25], equal_nan=True)  # over the known values, not over a 0
    codes = field([0.25, None, 0.5], np.array([2, -1, 1]))
    assert codes.sort_keys.tolist() == [2, np.inf, 1]
    assert np.array_equal(codes.scaled, [0.25, np.nan, 0.5], equal_nan=True)


def test_files_of_unequal_length_are_whitened_together():
    chance = np.random.default_rng(4)
    X = chance.normal(size=(30, 3)) @ np.array([[1, 2, 0], [0, 1, 1], [0, 0, 3.0]])
    original, released = whiten(X[:7], X[7:])
    assert (len(original), len(released)) == (7, 23)
    assert np.cov(np.vstack([original, released]).T, bias=True) == pytest.approx(np.eye(3), abs=1e-9)


@pytest.mark.parametrize("seed", range(5))
def test_a_column_that_follows_from_others_adds_no_distance(seed):
    """Up to rounding: what is left of it is no spread, however it rounds."""
    X = np.random.default_rng(seed).normal(size=(40, 3))
    more = np.column_stack([X, X @ np.array([0.1, 0.7, -1.3]), X @ np.array([2.3, 0.2, 0.9])])
    plain, wide = np.vstack(whiten(X[:9], X[9:])), np.vstack(whiten(more[:9], more[9:]))
    assert (wide[:, 3:] == 0).all()
    assert (wide[:, :3] == plain).all()
