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
from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike

from shoal import kernels
from shoal.kernels import Labels, Vector
from shoal.linkage.candidates import Candidates
from shoal.linkage.linkage_by_distance import nearest_links
from shoal.linkage.linkage_tables import LinkageColumn, LinkageTables, encode_linkage_arrays
from shoal.linkage.metric import ONE, Coordinates, Weight, WeightedPoints, one_hot_coordinates
from shoal.linkage.record_links import Links
from shoal.linkage.true_pairs import check_truth


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
    true_records = check_truth(truth, tables.n_original, tables.n_released)
    return nearest_links(rank_points(tables), true_records, k=k, candidates=candidates)


def rank_points(tables: LinkageTables) -> WeightedPoints:
    """Both files, measured by ranks."""
    everybody, counts = tables.everybody or tables.original, tables.counts
    columns = zip(tables.original, everybody, tables.released, strict=True)
    points = WeightedPoints.of((_coordinates(*three, counts) for three in columns), tables.n_original)
    return replace(points, counts=counts)


def _coordinates(one: LinkageColumn, everybody: LinkageColumn, other: LinkageColumn, counts: Labels) -> Coordinates:
    """``everybody``: the column of all persons whom the intruder knows, among whom those of ``one`` are ranked."""
    if one.kind != "nominal" or one.codes is None or other.codes is None:
        each = np.ones(len(everybody.values), dtype=np.int64)
        return _rank_coordinates((one, everybody, each), (other, other, counts))
    codes = np.concatenate([one.codes, other.codes])
    return one_hot_coordinates([(codes, len(one.texts))], bool((codes < 0).any()))


def _rank_coordinates(*files: tuple[LinkageColumn, LinkageColumn, Labels]) -> Coordinates:
    """(n, 2): mean rank among the known values (the middle where missing), and whether the value is missing. Of both
    files: the column, that of all among whom it is ranked, and the number of records that each of these stands for."""
    n_known = [max(int(counts[~among.missing].sum()), 1) for _, among, counts in files]
    scale = math.lcm(*n_known)  # half of the highest rank
    ranks = [_integer_ranks(*file, scale, n) for file, n in zip(files, n_known, strict=True)]
    missing = np.concatenate([column.missing for column, _, _ in files])
    points = np.column_stack([np.concatenate(ranks), missing]).astype(np.float64)
    return points, [Weight.of(3, scale * scale), ONE]


def _integer_ranks(column: LinkageColumn, among: LinkageColumn, counts: Labels, scale: int, n_known: int) -> Labels:
    """(n,) integer ranks from 0 to 2 ``scale``; ``scale`` where missing."""
    known, others = np.flatnonzero(~column.missing), np.flatnonzero(~among.missing)
    ranks = np.full(len(column.values), scale, dtype=np.int64)
    ranks[known] = doubled_ranks(column.values[known], among.values[others], counts[others]) * (scale // n_known)
    return ranks


def doubled_ranks(values: Vector, among: Vector, counts: Labels) -> Labels:
    """(n,) twice the mean rank of every value among others that include it, from 0 to twice the sum of ``counts``:
    equal values share theirs. ``counts``: how often every value of ``among`` occurs at its place."""
    different, numbers = np.unique(among, return_inverse=True)
    n_equal = np.bincount(numbers, counts).astype(np.int64)
    doubled: Labels = 2 * np.cumsum(n_equal) - n_equal
    return doubled[np.searchsorted(different, values)]
