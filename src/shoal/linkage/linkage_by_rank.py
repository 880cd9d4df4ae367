"""Rank-based linkage: the intruder compares ranks within a column, not values.

two files -> integer coordinates whose distance is one of ranks

After Muralidhar & Domingo-Ferrer (2016), "Rank-based record linkage for re-identification risk assessment". Masking
changes values but mostly keeps their order: the rank of a value in its own file identifies better than the value. Equal
values share their mean rank; ranks are shares of the file, scaled to variance 1 under a uniform distribution, so that
they weigh as much as z-scores. Nominal columns have no order: they count as in distance-based linkage. Differences are
squared, so that the same search serves all columns.

Nothing is rounded: twice a mean rank is an integer, and so is its share of the file over a common denominator.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

from shoal import kernels
from shoal.kernels import Labels, Vector
from shoal.linkage.candidates import Candidates
from shoal.linkage.linkage_by_distance import nearest_links
from shoal.linkage.linkage_tables import LinkageColumn, LinkageTables, encode_linkage_arrays
from shoal.linkage.metric import ONE, Coordinates, Weight, WeightedPoints, one_hot_coordinates
from shoal.linkage.record_links import Links


def rank_linkage(
    original: ArrayLike,
    released: ArrayLike,
    *,
    truth: ArrayLike | None = None,
    k: int = 1,
    candidates: Candidates | None = None,
) -> Links:
    """Nearest released record of every original one, by the ranks of its values in their own file."""
    tables = encode_linkage_arrays(kernels.as_matrix(original, "original"), kernels.as_matrix(released, "released"))
    return nearest_links(rank_points(tables), truth, k=k, candidates=candidates)


def rank_points(tables: LinkageTables) -> WeightedPoints:
    """Both files, measured by ranks."""
    columns = zip(tables.original, tables.released, strict=True)
    return WeightedPoints.of((_coordinates(one, other) for one, other in columns), tables.n_original)


def _coordinates(one: LinkageColumn, other: LinkageColumn) -> Coordinates:
    if one.kind != "nominal" or one.codes is None or other.codes is None:
        return _rank_coordinates(one, other)
    codes = np.concatenate([one.codes, other.codes])
    return one_hot_coordinates([(codes, len(one.texts))], bool((codes < 0).any()))


def _rank_coordinates(one: LinkageColumn, other: LinkageColumn) -> Coordinates:
    """(n, 2): mean rank among the known values (the middle where missing), and whether the value is missing."""
    scale = math.lcm(*(max(int((~column.missing).sum()), 1) for column in (one, other)))  # half of the highest rank
    ranks = np.concatenate([_integer_ranks(column, scale) for column in (one, other)])
    missing = np.concatenate([one.missing, other.missing])
    return np.column_stack([ranks, missing]).astype(np.float64), [Weight.of(3, scale * scale), ONE]


def _integer_ranks(column: LinkageColumn, scale: int) -> Labels:
    """(n,) integer ranks from 0 to 2 ``scale``; ``scale`` where missing."""
    known = np.flatnonzero(~column.missing)
    ranks = np.full(len(column.values), scale, dtype=np.int64)
    ranks[known] = doubled_ranks(column.values[known]) * (scale // max(len(known), 1))
    return ranks


def doubled_ranks(values: Vector) -> Labels:
    """(n,) twice the mean rank of every value, from 0 to 2n: equal values share theirs."""
    ordered = np.sort(values)
    return np.searchsorted(ordered, values, "left") + np.searchsorted(ordered, values, "right")
