"""A stated pairing of records that is certainly wrong.

AlignedTables -> whether it is

A pairing that looks wrong (`pairing_check.py`) may be right, if every column was swapped or changed until nothing of a
record was left. It is certainly wrong if the release still holds the records, only not where they are said to be:

1. on all columns that both files have, not only on quasi-identifiers, records are no nearer to their own released
   record than to random ones,
2. the records of the original have near records in the release: the mean distance to the nearest one is at most
   three quarters of that in a release whose columns were permuted one by one, which has the same values but no records,
   and less by more than five standard errors,
3. no column of numbers varies more than 1.5 times as much as in the original: heavy noise leaves no records either.

Where columns do not depend on each other, permuting them changes nothing, and nothing is certain.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyarrow as pa

from shoal.assessment.pairing_check import Coordinates, compared_columns, looks_wrong, nearest_distances
from shoal.assessment.table_pair import AlignedTables
from shoal.encode.codes import has_codes
from shoal.encode.number_column import are_numbers
from shoal.linkage.linkage_tables import have_comparable_types
from shoal.schema import Column

NEARER = 0.75  # nearest distance, relative to that in a release of permuted columns
CERTAIN = 5.0  # standard errors
LARGEST_SPREAD = 1.5  # standard deviation of a released column, relative to that of the original
N_PERMUTED = 3  # releases of permuted columns
SEED = 2002


def is_certainly_wrong(aligned: AlignedTables, id: str | None = None) -> bool:  # noqa: A002
    """``id``: the column that paired the records, which proves nothing about them."""
    released = aligned.single_valued
    names = [column.name for column in aligned.schema.columns if _is_compared(column, aligned.original, released, id)]
    columns = compared_columns(aligned, names)
    if not columns or len(columns[0][0]) < 2:
        return False
    return looks_wrong(columns) and _has_records(columns) and not _is_spread(columns)


def _is_compared(column: Column, original: pa.Table, released: pa.Table, id: str | None) -> bool:  # noqa: A002
    one, other = original[column.name], released[column.name]
    if column.name == id or column.role == "identifier" or not (has_codes(one.type) and has_codes(other.type)):
        return False
    numeric = column.kind in ("numeric", "date")
    return have_comparable_types(one, other) and (not numeric or are_numbers(one, other))


def _has_records(columns: Sequence[Coordinates]) -> bool:
    """Whether released records are near the original ones, compared with releases of permuted columns."""
    generator = np.random.default_rng(SEED)
    nearest = nearest_distances(columns)
    permuted = np.mean([nearest_distances(_permuted(columns, generator)) for _ in range(N_PERMUTED)], axis=0)
    gains = permuted - nearest
    error = float(gains.std()) / np.sqrt(len(gains))
    return bool(gains.mean() > CERTAIN * error and nearest.mean() <= NEARER * permuted.mean())


def _permuted(columns: Sequence[Coordinates], generator: np.random.Generator) -> list[Coordinates]:
    return [(before, generator.permutation(after)) for before, after in columns]


def _is_spread(columns: Sequence[Coordinates]) -> bool:
    """Codes of categories count as well: values that the original lacks are rare in a release of its records."""
    spreads = [(_spread(before), _spread(after)) for before, after in columns]
    return any(after > LARGEST_SPREAD * before for before, after in spreads if before > 0)


def _spread(values: np.ndarray[tuple[int], np.dtype[np.float64]]) -> float:
    known = values[~np.isnan(values)]
    return float(known.std()) if len(known) else 0.0
