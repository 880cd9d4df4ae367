"""Classes whose records all share one sensitive value, and which quasi-identifiers keep them apart from others."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from shoal.encode.class_numbers import value_numbers
from shoal.encode.codes import to_codes
from shoal.kernels import Ints
from shoal.kernels.combinations import number_combinations


@dataclass(frozen=True)
class HomogeneousClasses:
    """Homogeneous classes of one sensitive column.

    column     the sensitive column
    n_classes  classes with one known value of it
    n_records  their records
    mixed      for every column of the classes, how many of these records would be in mixed classes without it; the
               most first
    """

    column: str
    n_classes: int
    n_records: int
    mixed: dict[str, int]

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)


def homogeneous_classes(released: pa.Table, names: Sequence[str], column: str) -> HomogeneousClasses:
    """``names``: the columns whose values form the classes."""
    codes = to_codes(column, released[column]).codes
    keys = {name: value_numbers(released[name]) for name in names}
    n_classes, n_records = _homogeneous(list(keys.values()), codes)
    mixed = {
        name: n_records - _homogeneous([each for other, each in keys.items() if other != name], codes)[1]
        for name in names
    }
    return HomogeneousClasses(column, n_classes, n_records, dict(sorted(mixed.items(), key=lambda pair: -pair[1])))


def _homogeneous(keys: Sequence[Ints], codes: Ints) -> tuple[int, int]:
    """Classes with one known value, and their records; missing values say nothing."""
    labels = number_combinations(keys, len(codes))
    sizes, known = np.bincount(labels), codes >= 0
    low, high = np.full(len(sizes), len(codes)), np.full(len(sizes), -1)
    np.minimum.at(low, labels[known], codes[known])
    np.maximum.at(high, labels[known], codes[known])
    return int(np.count_nonzero(low == high)), int(sizes[low == high].sum())
