"""Records that are equal on some columns: a number for every class. Missing is equal to missing and to nothing else."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
import pyarrow as pa

from shoal.encode.codes import to_codes
from shoal.kernels import Labels


def classes(table: pa.Table, names: Sequence[str]) -> Labels:
    """(n_records,) the class of every record, numbered 0, 1, ... by the order of the values; all 0 without names."""
    return combined([to_codes(name, table[name]).codes for name in names], len(table))


def combined(codes: Iterable[Labels], n_records: int) -> Labels:
    """(n_records,) one number for every combination of codes that occurs; a code of -1 is one more value."""
    labels = np.zeros(n_records, dtype=np.int64)
    for column in codes:
        n_values = int(column.max(initial=-1)) + 2
        labels = np.unique(labels * n_values + column + 1, return_inverse=True)[1].astype(np.int64)
    return labels
