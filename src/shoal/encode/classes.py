"""Records that are equal on some columns: a number for every class. Missing is equal to missing and to nothing else."""

from __future__ import annotations

from collections.abc import Sequence

import pyarrow as pa

from shoal.encode.codes import to_codes
from shoal.kernels import Labels
from shoal.kernels.combinations import number_combinations


def classes(table: pa.Table, names: Sequence[str]) -> Labels:
    """(n_records,) the class of every record, numbered 0, 1, ... by the order of the values; all 0 without names."""
    return number_combinations([to_codes(name, table[name]).codes for name in names], len(table))
