"""Numbers of any size are told apart: a distance is measured in standard deviations."""

import numpy as np
import pyarrow as pa
import pytest

import shoal

N = 60
CHANCE = np.random.default_rng(0)
A, B = CHANCE.integers(0, 50, N).astype(float), CHANCE.integers(0, 50, N).astype(float)
NOISE = CHANCE.integers(-4, 5, N)
SMALL = (2.0**-330, 2.0**-500, 2.0**-530, 2.0**-540, 2.0**-600, 2.0**-1060)  # the last ones have few digits left


@pytest.mark.gate(
    but=("4.5719495651291e-100-distance", "4.5719495651291e-100-rank", "4.5719495651291e-100-mahalanobis")
)
@pytest.mark.parametrize("by", ["distance", "rank", "mahalanobis", "probabilistic"])
@pytest.mark.parametrize("unit", SMALL)
def test_the_unit_of_a_column_changes_no_risk(unit, by):
    """By powers of two nothing is rounded."""

    def risk(scale):
        original = pa.table({"a": A * scale, "b": B})
        released = pa.table({"a": (A + NOISE) * scale, "b": B + NOISE[::-1]})
        return shoal.link(original, released, truth="position", by=by).risk

    assert risk(unit) == pytest.approx(risk(1.0), rel=1e-9)
    assert risk(unit) > 0.1


@pytest.mark.parametrize("unit", [1e-150, 1e-156, 1e-162, 1e-200, 1e-300])
def test_a_table_is_found_in_itself(unit):
    table = pa.table({"a": A * unit, "b": B * unit})
    plain = pa.table({"a": A, "b": B})
    assert shoal.link(table, table, truth="position").risk == shoal.link(plain, plain, truth="position").risk > 0.9
