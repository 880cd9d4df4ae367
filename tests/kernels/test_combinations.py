"""Numbers of combinations: equal where rows are equal, in the order of the rows, and never beyond an int64."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from shoal.kernels import Labels
from shoal.kernels.combinations import combination_keys, distinct_combinations, number_combinations

EDGE = 2**63 - 1
codes = st.one_of(st.integers(-1, 3), st.integers(2**40 - 3, 2**40), st.integers(-EDGE, EDGE))
rows_of_codes = st.integers(0, 6).flatmap(lambda width: st.lists(st.tuples(*[codes] * width), max_size=25))


def columns_of(rows: list[tuple[int, ...]]) -> list[Labels]:
    return [np.array(column, dtype=np.int64) for column in zip(*rows, strict=True)]


def slowly_numbered(rows: list[tuple[int, ...]]) -> list[int]:
    """The slow twin: the place of every row among the sorted different rows."""
    place = {row: at for at, row in enumerate(sorted(set(rows)))}
    return [place[row] for row in rows]


@given(rows_of_codes)
def test_numbers_are_those_of_the_slow_twin(rows: list[tuple[int, ...]]) -> None:
    numbers = number_combinations(columns_of(rows), len(rows))
    assert numbers.dtype == np.int64
    assert numbers.tolist() == slowly_numbered(rows)


@given(rows_of_codes)
def test_keys_are_in_the_order_of_the_rows(rows: list[tuple[int, ...]]) -> None:
    keys = combination_keys(columns_of(rows), len(rows))
    assert keys.min(initial=0) >= 0
    assert np.unique(keys, return_inverse=True)[1].tolist() == slowly_numbered(rows)


@given(rows_of_codes)
def test_distinct_combinations_are_the_different_rows(rows: list[tuple[int, ...]]) -> None:
    first, numbers = distinct_combinations(columns_of(rows), len(rows))
    assert [rows[at] for at in first] == sorted(set(rows))
    assert [rows[first[number]] for number in numbers] == rows
    assert all(rows.index(rows[at]) == at for at in first.tolist())


def test_many_columns_of_many_values_do_not_overflow() -> None:
    """2^40 values in each of eight columns: 320 bits, of which 63 would be left."""
    drawn = np.random.default_rng(7).integers(0, 2**40, (500, 8))
    rows = np.vstack([drawn, drawn[::2], drawn - np.eye(8, dtype=np.int64)[np.arange(500) % 8]])
    as_tuples = [tuple(row) for row in rows.tolist()]
    assert number_combinations(rows.T, len(rows)).tolist() == slowly_numbered(as_tuples)


def test_codes_as_far_apart_as_int64_allows_are_told_apart() -> None:
    far = np.array([-EDGE, EDGE, 0, -EDGE, 2**61, 2**61 - 1], dtype=np.int64)
    near = np.array([0, 1, 0, 0, 2**61, 2**61], dtype=np.int64)
    as_tuples = list(zip(far.tolist(), near.tolist(), strict=True))
    assert number_combinations([far, near], 6).tolist() == slowly_numbered(as_tuples)
    assert number_combinations([near, far, near], 6).tolist() == slowly_numbered(
        list(zip(near, far, near, strict=True))
    )


def test_small_integers_do_not_wrap() -> None:
    """Codes may be kept in eight bits, as levels of agreement are."""
    small = np.array([-128, 127, 0, -1], dtype=np.int8)
    assert number_combinations([small], 4).tolist() == [0, 3, 2, 1]


def test_without_columns_all_rows_are_one_combination() -> None:
    assert number_combinations([], 3).tolist() == [0, 0, 0]
