"""Rank-based linkage: the intruder compares places in the order of a column, not values.

two files -> points in which the distance is one of ranks

After Muralidhar & Domingo-Ferrer (2016), "Rank-based record linkage for re-identification risk assessment". Masking
moves values, but mostly keeps their order: the rank of a value in its own file tells more than the value. Equal values
share their mean rank; ranks count as shares of the file, scaled to variance 1 over equally spread ones, so that they
weigh as much as z-scores. Nominal columns have no order: they count as in distance-based linkage. Differences are
squared, so that one search serves all.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from shoal import kernels
from shoal.assess.risk.distance import distance_linkage
from shoal.assess.risk.links import Links
from shoal.blocking.candidates import Candidates
from shoal.encode.embedding import corners
from shoal.encode.sides import Field, Sides, sides_of_arrays
from shoal.kernels import Matrix, Vector

SCALE = np.sqrt(12.0)  # one over the deviation of numbers spread evenly from 0 to 1


def rank_linkage(
    original: ArrayLike,
    released: ArrayLike,
    truth: ArrayLike | None = None,
    *,
    k: int = 1,
    candidates: Candidates | None = None,
) -> Links:
    """Nearest released record of every original one, by the ranks of its values in their own file."""
    sides = sides_of_arrays(kernels.as_matrix(original, "original"), kernels.as_matrix(released, "released"))
    return distance_linkage(*rank_points(sides), truth, k=k, candidates=candidates)


def rank_points(sides: Sides) -> tuple[Matrix, Matrix]:
    """Points of both files, whose distance is one of ranks."""
    pairs = [_places(one, other) for one, other in zip(sides.original, sides.released, strict=True)]
    return np.hstack([pair[0] for pair in pairs]), np.hstack([pair[1] for pair in pairs])


def _places(one: Field, other: Field) -> tuple[Matrix, Matrix]:
    if one.kind != "nominal" or one.codes is None or other.codes is None:
        return _ranks(one), _ranks(other)
    codes = np.concatenate([one.codes, other.codes])
    points = corners(codes, len(one.texts), bool((codes < 0).any()))
    return points[: len(one.codes)], points[len(one.codes) :]


def _ranks(field: Field) -> Matrix:
    """(n, 2): the mean rank among the known values, in the middle where missing; and whether it is missing."""
    known = np.flatnonzero(~field.missing)
    shares = np.full(len(field.values), 0.5)
    shares[known] = mean_ranks(field.values[known])
    return np.column_stack([SCALE * shares, field.missing.astype(np.float64)])


def mean_ranks(values: Vector) -> Vector:
    """(n,) between 0 and 1; equal values share their mean rank."""
    ordered = np.sort(values)
    first, last = np.searchsorted(ordered, values, "left"), np.searchsorted(ordered, values, "right")
    return (first + last) / (2 * len(values))
