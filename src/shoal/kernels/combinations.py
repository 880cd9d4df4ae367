"""Combinations of codes: one number for every row of several columns, equal where all of its codes are.

columns of codes, (n_rows,) each -> (n_rows,) int64

Codes are any whole numbers; a code of -1 is a value like the others. However many columns and values there are, nothing
overflows: what would not fit into 62 bits is numbered anew first.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from shoal.kernels.arrays import Labels

LARGEST = 2**62


def number_combinations(columns: Iterable[Labels], n_rows: int) -> Labels:
    """(n_rows,) 0, 1, ... by the order of the combinations, the first column first; all 0 without columns."""
    return np.unique(combination_keys(columns, n_rows), return_inverse=True)[1].astype(np.int64)


def distinct_combinations(columns: Iterable[Labels], n_rows: int) -> tuple[Labels, Labels]:
    """(n_combinations,) the first row of every combination, in their order, and (n_rows,) the numbers of all rows."""
    _, first, numbers = np.unique(combination_keys(columns, n_rows), return_index=True, return_inverse=True)
    return first.astype(np.int64), numbers.astype(np.int64)


def combination_keys(columns: Iterable[Labels], n_rows: int) -> Labels:
    """(n_rows,) numbers of 0 or more in the order of the combinations, with gaps: for those who sort or hash them."""
    keys, n_keys = np.zeros(n_rows, dtype=np.int64), 1
    for column in columns:
        codes, n_codes = _from_zero(column.astype(np.int64, copy=False))
        if n_keys * n_codes > LARGEST:
            keys, n_keys = _numbered(keys)
        if n_keys * n_codes > LARGEST:
            codes, n_codes = _numbered(codes)
        keys, n_keys = keys * n_codes + codes, n_keys * n_codes
    return keys


def _from_zero(codes: Labels) -> tuple[Labels, int]:
    """The codes less the lowest of them, and how many numbers they lie among."""
    low, high = (int(codes.min()), int(codes.max())) if codes.size else (0, 0)
    return (codes - low, high - low + 1) if high - low < LARGEST else _numbered(codes)


def _numbered(codes: Labels) -> tuple[Labels, int]:
    different, numbers = np.unique(codes, return_inverse=True)
    return numbers.astype(np.int64), int(different.size)
