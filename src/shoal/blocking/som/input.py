"""Validation of the records of a map: numbers, optionally with missing values."""

from __future__ import annotations

from typing import Literal, get_args

import numpy as np
from numpy.typing import ArrayLike

from shoal import kernels
from shoal.errors import ArrayError, PolicyError
from shoal.kernels import Matrix

Missing = Literal["refuse", "known"]


def as_records(X: ArrayLike, missing: Missing, n_columns: int | None = None) -> Matrix:
    """Validated records. ``missing="known"``: NaN is missing, and distances use the observed values (SOM Toolbox)."""
    if missing not in get_args(Missing):
        raise PolicyError.unknown_choice("missing", missing, get_args(Missing))
    records = kernels.as_matrix(X) if missing == "refuse" else _as_incomplete_records(X)
    if n_columns is not None and records.shape[1] != n_columns:
        raise ArrayError.other_width(n_columns, records.shape[1])
    return records


def _as_incomplete_records(X: ArrayLike) -> Matrix:
    given = np.asarray(X)
    if given.ndim != 2 or given.dtype.kind != "f" or isinstance(X, np.ma.MaskedArray):
        return kernels.as_matrix(X)  # contains no NaN, or raises the error
    gaps = np.isnan(given)
    for axis, what in ((1, "record"), (0, "column")):
        n_unknown = int(gaps.all(axis=axis).sum())
        if n_unknown and given.size:
            raise ArrayError.nothing_known(what, n_unknown)
    records = kernels.as_matrix(np.where(gaps, _any_known(given), given))
    records[gaps] = np.nan
    return records


def _any_known(given: Matrix) -> Matrix:
    """(d,) one observed value per column, so that filling missing values with it does not affect the checks."""
    finite = np.isfinite(given)
    first = given[np.argmax(finite, axis=0), np.arange(given.shape[1])] if len(given) else np.zeros(given.shape[1])
    return np.where(finite.any(axis=0), first, 0.0)
