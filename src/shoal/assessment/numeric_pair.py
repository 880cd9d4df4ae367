"""Original and release as numeric matrices of the same records and columns."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pyarrow as pa
from numpy.typing import ArrayLike

from shoal import kernels
from shoal.encode.number_column import to_numbers
from shoal.errors import ArrayError
from shoal.kernels import Matrix
from shoal.schema import Schema


@dataclass(frozen=True)
class NumericPair:
    original: Matrix  # (n, d)
    released: Matrix  # (n, d)

    @classmethod
    def of(cls, original: ArrayLike, released: ArrayLike, measure: str, least: int = 2) -> NumericPair:
        """Two arrays that can be compared record by record, of at least ``least`` records."""
        X, Y = kernels.as_matrix(original, "original"), kernels.as_matrix(released, "released")
        if X.shape != Y.shape:
            raise ArrayError.other_shape(X.shape, Y.shape)
        if len(X) < least:
            raise ArrayError.too_few_records(measure, least, len(X))
        return cls(X, Y)


def numeric_pair(original: pa.Table, released: pa.Table, schema: Schema) -> NumericPair | None:
    """The numeric and date quasi-identifiers of the records that miss none of them before and after; None for fewer
    than two such records."""
    names = [name for name in schema.quasi_identifiers if schema[name].kind in ("numeric", "date")]
    if not names:
        return None
    before = [to_numbers(name, original[name]) for name in names]
    after = [to_numbers(name, released[name]) for name in names]
    complete = ~np.any([numbers.missing for numbers in (*before, *after)], axis=0)
    if complete.sum() < 2:
        return None
    X, Y = (np.column_stack([numbers.values[complete] for numbers in side]) for side in (before, after))
    return NumericPair(X, Y)
