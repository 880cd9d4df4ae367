"""A stated pairing of records that is certainly wrong.

AlignedTables -> whether it is

A pairing that looks wrong (`pairing_check.py`) may be right, if every column was swapped or changed until nothing of a
record was left. It is certainly wrong if the release still holds the records, only not where they are said to be:

1. on all columns that both files have, not only on quasi-identifiers, records are no nearer to their own released
   record than to random ones, and no column has a rank correlation with itself above 2.5 / sqrt n,
2. the records of the original have near records in the release: the mean distance to the nearest one is at most
   three quarters of that in each of 19 releases whose columns were permuted one by one, which have the same values but
   no records,
3. no column of numbers varies more than 1.5 times as much as in the original: heavy noise leaves no records either.

Of fewer than 30 pairs nothing is certain, nor where permuting columns changes little.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyarrow as pa

from shoal.assessment.pairing_check import Coordinates, compared_columns, looks_wrong, nearest_distances
from shoal.assessment.table_pair import AlignedTables
from shoal.encode.codes import has_codes
from shoal.encode.number_column import are_numbers
from shoal.kernels import Vector
from shoal.linkage.linkage_tables import have_comparable_types
from shoal.schema import Column

NEARER = 0.75  # nearest distance, relative to that in a release of permuted columns
LARGEST_SPREAD = 1.5  # standard deviation of a released column, relative to that of the original
RELATED = 2.5  # rank correlation of a column in both files, times sqrt n
FEWEST = 30  # pairs
N_PERMUTED = 19  # releases of permuted columns
SEED = 2002


def is_certainly_wrong(aligned: AlignedTables, id: str | None = None) -> bool:  # noqa: A002
    """``id``: the column that paired the records, which proves nothing about them."""
    released = aligned.single_valued
    names = [column.name for column in aligned.schema.columns if _is_compared(column, aligned.original, released, id)]
    columns = compared_columns(aligned, names)
    if not columns or len(columns[0][0]) < FEWEST:
        return False
    is_related = any(_is_related(before, after) for before, after in columns)
    return not is_related and looks_wrong(columns) and _has_records(columns) and not _is_spread(columns)


def _is_compared(column: Column, original: pa.Table, released: pa.Table, id: str | None) -> bool:  # noqa: A002
    one, other = original[column.name], released[column.name]
    if column.name == id or column.role == "identifier" or not (has_codes(one.type) and has_codes(other.type)):
        return False
    numeric = column.kind in ("numeric", "date")
    return have_comparable_types(one, other) and (not numeric or are_numbers(one, other))


def _is_related(before: Vector, after: Vector) -> bool:
    """Whether the ranks of a column in both files are correlated more than by chance."""
    known = ~(np.isnan(before) | np.isnan(after))
    n, one, other = int(known.sum()), _ranks(before[known]), _ranks(after[known])
    if n < 2 or not one.std() or not other.std():
        return False
    return bool(np.corrcoef(one, other)[0, 1] > RELATED / np.sqrt(n))


def _ranks(values: Vector) -> Vector:
    """Mean ranks, equal for equal values."""
    distinct, places, n = np.unique(values, return_inverse=True, return_counts=True)
    ends = np.cumsum(n)
    ranks: Vector = (ends - (n - 1) / 2)[places] if len(distinct) else values
    return ranks


def _has_records(columns: Sequence[Coordinates]) -> bool:
    """Whether released records are near the original ones, compared with releases of permuted columns."""
    generator = np.random.default_rng(SEED)
    permuted = min(nearest_distances(_permuted(columns, generator)).mean() for _ in range(N_PERMUTED))
    return bool(nearest_distances(columns).mean() <= NEARER * permuted)


def _permuted(columns: Sequence[Coordinates], generator: np.random.Generator) -> list[Coordinates]:
    return [(before, generator.permutation(after)) for before, after in columns]


def _is_spread(columns: Sequence[Coordinates]) -> bool:
    """Codes of categories count as well: values that the original lacks are rare in a release of its records."""
    spreads = [(_spread(before), _spread(after)) for before, after in columns]
    return any(after > LARGEST_SPREAD * before for before, after in spreads if before > 0)


def _spread(values: Vector) -> float:
    known = values[~np.isnan(values)]
    return float(known.std()) if len(known) else 0.0
