"""A masked column computed again from the other columns of a release, by a regression that is learned from it.

released table, name of a column -> values

Noise is independent of the other columns, and the mean of a class is near the values of its records: so a regression of
the masked values on all other columns tells what was masked, as far as these depend on it. The year of birth gives the
age back, and the tax the income.
"""

from __future__ import annotations

import numpy as np

from shoal.assessment.risk.regression_coordinates import RegressionTable
from shoal.assessment.risk.ridge_regression import ridge_coefficients, with_constant
from shoal.encode.standardize import standardize
from shoal.kernels import Labels, Vector

ROLES = ("quasi_identifier", "other", "sensitive", "weight")


def learned_values(name: str, masked: Vector, released: RegressionTable, records: Labels) -> list[Vector]:
    """(n_records,) each: the values of ``records`` by all other columns, by these and the masked value together, and by
    the one coordinate that tells most.
    ``masked``: the known numbers of the column, of all rows of ``released``. Empty where there is no other column."""
    shown = set(released.table.column_names)
    others = [c.name for c in released.schema.columns if c.name in shown and c.name != name and c.role in ROLES]
    coordinates = released.only(records).coordinates(others, ranks=True)
    if not coordinates.shape[1]:
        return []
    own = masked[records]
    known, scores = with_constant(coordinates), _scores(own)
    fitted, products = known @ ridge_coefficients(known, scores), coordinates.T @ scores
    at = int(np.abs(products).argmax())
    guesses = fitted, _scores(fitted) + scores, np.sign(products[at]) * coordinates[:, at]
    return [_at_ranks(each, masked) for each in guesses]


def _scores(values: Vector) -> Vector:
    scores: Vector = standardize(values[:, None])[:, 0]
    return scores


def _at_ranks(values: Vector, masked: Vector) -> Vector:
    """The masked values at the ranks of ``values``; equal values are at their middle rank."""
    ascending = np.sort(values)
    middle = (np.searchsorted(ascending, values, "left") + np.searchsorted(ascending, values, "right") - 1) / 2
    places = np.round(middle * (len(masked) - 1) / max(1, len(values) - 1)).astype(np.int64)
    shown: Vector = np.sort(masked)[places]
    return shown
