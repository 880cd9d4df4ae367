"""Columns as coordinates of a regression: texts that are numbers or dates are on a line, as numbers and dates are."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

from shoal.assessment.risk.regression_coordinates import MOST_VALUES, RegressionTable
from shoal.schema import Column, Schema

N = 200
YEARS = np.random.default_rng(1).integers(1930, 2010, N)


def coordinates(cells: pa.Array, *, ranks: bool = False) -> np.ndarray:
    table = pa.table({"x": cells})
    return RegressionTable(table, Schema([Column("x", "other", "nominal")])).coordinates(["x"], ranks=ranks)


@pytest.mark.parametrize(
    "written", [YEARS.astype(str), np.char.add(YEARS.astype(str), "-01-01")], ids=["years", "days"]
)
def test_texts_that_are_numbers_or_dates_are_on_a_line(written):
    line = coordinates(pa.array(written.tolist()))[:, 0]
    assert abs(np.corrcoef(line, YEARS)[0, 1]) > 0.9999


def test_other_texts_are_the_most_frequent_values():
    values = [f"v{year % 30:02}" for year in YEARS]
    found = coordinates(pa.array(values))
    assert found.shape == (N, MOST_VALUES)
    assert all(len(np.unique(column)) == 2 for column in found.T)


def test_numbers_have_their_ranks_besides():
    squares = (YEARS.astype(np.float64) - 1900) ** 8
    numbers, ranks = coordinates(pa.array(squares), ranks=True).T[:2]
    places = np.unique(YEARS, return_inverse=True)[1]
    assert np.corrcoef(ranks, places)[0, 1] == pytest.approx(1)
    assert np.corrcoef(numbers, squares)[0, 1] == pytest.approx(1)


def test_a_constant_column_has_no_coordinate():
    assert coordinates(pa.array(["1999"] * N)).shape == (N, 0)
