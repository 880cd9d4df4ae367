"""Numbering of combinations of codes: one number per row of several columns, equal if all its codes are equal.

columns of codes, (n_rows,) each -> (n_rows,) int64

Codes are any integers; -1 is a value like any other. Nothing overflows, however many columns and values there are: keys
that would not fit into 62 bits are renumbered consecutively first.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from shoal.kernels.array_checks import Ints, Labels

LARGEST = 2**62


def number_combinations(columns: Iterable[Ints], n_rows: int) -> Labels:
    """(n_rows,) 0, 1, ... in lexicographic order of the combinations, first column first; all 0 without columns."""
    return np.unique(combination_keys(columns, n_rows), return_inverse=True)[1].astype(np.int64)


def distinct_combinations(columns: Iterable[Ints], n_rows: int) -> tuple[Ints, Ints]:
    """(n_combinations,) the first row of every combination in order, and (n_rows,) the combination of every row."""
    _, first, numbers = np.unique(combination_keys(columns, n_rows), return_index=True, return_inverse=True)
    return first.astype(np.int64), numbers.astype(np.int64)


def classes_by_first_row(columns: Iterable[Ints], n_rows: int) -> tuple[Ints, Ints]:
    """(n_rows,) the class of every row, and (n_classes,) the first row of every class; classes are numbered by it."""
    first, numbers = distinct_combinations(columns, n_rows)
    order = np.argsort(first)
    return np.argsort(order)[numbers], first[order]


def combination_keys(columns: Iterable[Ints], n_rows: int) -> Ints:
    """(n_rows,) non-negative numbers in the order of the combinations, with gaps; for sorting or hashing."""
    keys, n_keys = np.zeros(n_rows, dtype=np.int64), 1
    for column in columns:
        codes, n_codes = _from_zero(column.astype(np.int64, copy=False))
        if n_keys == 1:
            keys, n_keys = codes, n_codes
            continue
        if n_keys * n_codes > LARGEST:
            keys, n_keys = _renumber(keys)
        if n_keys * n_codes > LARGEST:
            codes, n_codes = _renumber(codes)
        keys, n_keys = keys * n_codes + codes, n_keys * n_codes
    return keys


def _from_zero(codes: Ints) -> tuple[Ints, int]:
    """The codes minus their minimum, and the size of their range; renumbered if the range is too large."""
    low, high = (int(codes.min()), int(codes.max())) if codes.size else (0, 0)
    return (codes - low, high - low + 1) if high - low < LARGEST else _renumber(codes)


def _renumber(codes: Ints) -> tuple[Ints, int]:
    different, numbers = np.unique(codes, return_inverse=True)
    return numbers.astype(np.int64), int(different.size)
