"""Validation of the arrays passed to kernels: C-contiguous finite float64 records, and int64 labels within range."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from shoal.errors import ArrayError
from shoal.kernels._compiled import column_ranges

Matrix = NDArray[np.float64]  # (n_records, d)
Vector = NDArray[np.float64]  # (n,)
Ints = NDArray[np.int64]  # counts, codes, positions
Labels = NDArray[np.int64]  # (n_records,) the group, class or block of every record

WIDEST, NARROWEST = 1e140, 1e-140  # bounds of half-ranges whose squares neither overflow nor underflow


def as_matrix(X: ArrayLike, name: str = "X") -> Matrix:
    """Records as a C-contiguous float64 matrix. Copies only if type or layout requires it."""
    if isinstance(X, np.ma.MaskedArray):
        raise ArrayError.masked(name)
    given = np.asarray(X)
    if given.ndim != 2:
        raise ArrayError.not_a_matrix(name, given.shape)
    if given.dtype.kind not in "biuf":
        raise ArrayError.not_numeric(name, given.dtype)
    if given.shape[0] == 0 or given.shape[1] == 0:
        raise ArrayError.empty(name, given.shape)
    matrix: Matrix = np.ascontiguousarray(given, dtype=np.float64)
    lower, upper = column_ranges(matrix)
    if not np.isfinite(upper).all():
        unfit = int(np.count_nonzero(~np.isfinite(matrix)))
        raise ArrayError.not_finite(name, unfit, int(np.count_nonzero(np.isnan(matrix))))
    largest = float((upper / 2 - lower / 2).max())  # halved first, so that it cannot overflow
    if largest > WIDEST or 0 < largest < NARROWEST:
        raise ArrayError.out_of_scale(name)
    return matrix


def as_vector(x: ArrayLike, name: str = "x") -> Vector:
    """One finite number per record, as a float64 vector."""
    given = np.asarray(x)
    if given.ndim != 1:
        raise ArrayError.not_a_vector(name, given.shape)
    return as_matrix(given[:, None], name)[:, 0]


def as_labels(labels: ArrayLike) -> Labels:
    """Group labels 0, 1, ... without gaps: a label is an index into an array of groups."""
    given = np.asarray(labels)
    if given.ndim != 1 or given.dtype.kind not in "iu" or given.size == 0:
        raise ArrayError.not_labels(given.shape, given.dtype)
    found: Labels = np.ascontiguousarray(given, dtype=np.int64)
    n_groups = int(found.max()) + 1
    if found.min() < 0 or n_groups > found.size or np.bincount(found, minlength=n_groups).min() == 0:
        raise ArrayError.labels_with_gaps()
    return found


def as_members(members: ArrayLike | None, n_units: int) -> Ints:
    """(n_units,) the number of records of every unit (such as a household); 1 by default."""
    if members is None:
        return np.ones(n_units, dtype=np.int64)
    given = np.asarray(members)
    if given.shape != (n_units,) or given.dtype.kind not in "iu" or given.min(initial=1) < 1:
        raise ArrayError.bad_members(n_units, given.shape, given.dtype)
    return np.ascontiguousarray(given, dtype=np.int64)


def check_k(k: int, n_records: int) -> int:
    """Returns ``k`` if it is a valid minimum group size: 2 <= k <= ``n_records``."""
    if not isinstance(k, int | np.integer) or isinstance(k, bool) or k < 2:
        raise ArrayError.bad_k(k)
    if k > n_records:
        raise ArrayError.k_above_n(int(k), n_records)
    return int(k)


def check_seed(seed: int) -> int:
    """Returns ``seed`` if it is a non-negative integer."""
    if not isinstance(seed, int | np.integer) or isinstance(seed, bool) or seed < 0:
        raise ArrayError.bad_seed(seed)
    return int(seed)
