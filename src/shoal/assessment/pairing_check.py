"""Detection of a wrong pairing of original and released records.

AlignedTables -> notes

The distance of two records is the mean over the quasi-identifiers: for numbers their difference over sqrt 2 standard
deviations and at most 1, for all else whether they differ. The mean distance of the pairs is compared with that of
random pairings of the same records: a correct pairing is nearer than all of them. How near a correct one may be is
estimated from nearest records: where random pairings vary nearly as much, the table is too small or too coarse to
decide, and nothing is reported.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pyarrow as pa

from shoal.assessment.table_pair import AlignedTables
from shoal.encode.codes import codes_in, to_codes
from shoal.encode.number_column import NumberColumn, to_numbers
from shoal.kernels import Labels, Matrix, Vector
from shoal.linkage.link_tables import as_quasi_identifiers
from shoal.rng import sampled_places
from shoal.schema import Column

MOST_PAIRS = 10_000  # compared; of more, some drawn at random
N_RANDOM = 99  # random pairings, from the same seed every time
SEED = 2001
N_NEAREST = 100  # records whose nearest one is searched
DECIDABLE = 7.0  # standard deviations of random pairings between their mean and the nearest records; undecided below

ROUNDING = 1e-9  # percent; records that are all equal differ by less

Coordinates = tuple[Vector, Vector]  # coordinates in both files, NaN where missing; differences above 1 count as 1

WARNING = (
    "Original records are hardly nearer to their released records than to random ones ({:.4g} % apart, at random "
    "{:.4g} %): the stated pairing is probably wrong, and then linkage, losses and the score are meaningless."
)


def pairing_warnings(aligned: AlignedTables, names: Sequence[str]) -> tuple[str, ...]:
    """A warning if the pairing looks wrong on the columns ``names``, or none. Nothing can be said of a release whose
    records are all equal."""
    columns = compared_columns(aligned, names)
    if not len(columns[0][0]) or not looks_wrong(columns):
        return ()
    return (WARNING.format(_own_distance(columns), np.mean(_random_distances(columns))),)


def compared_columns(aligned: AlignedTables, names: Sequence[str]) -> list[Coordinates]:
    """The columns ``names`` of both files: coordinates of pairs of records, all or drawn at random."""
    compared = aligned.compared_records
    records = compared[sampled_places(len(compared), MOST_PAIRS, "pairing")]
    before, after = aligned.original.take(records), aligned.single_valued.take(aligned.truth[records])
    known = as_quasi_identifiers(aligned.schema, names)
    return [_coordinates(column, before[column.name], after[column.name]) for column in known.columns]


def looks_wrong(columns: Sequence[Coordinates]) -> bool:
    """Whether pairs are no nearer than random ones though they could be."""
    own_distance, random_distances = _own_distance(columns), _random_distances(columns)
    nearest = 100 * float(nearest_distances(columns).mean())
    least = max(DECIDABLE * float(np.std(random_distances)), ROUNDING)
    is_decidable = float(np.mean(random_distances)) - nearest > least
    return is_decidable and (0 < own_distance >= min(random_distances))


def _own_distance(columns: Sequence[Coordinates]) -> float:
    return _mean_distance(columns, np.arange(len(columns[0][0])))


def _random_distances(columns: Sequence[Coordinates]) -> list[float]:
    generator, n = np.random.default_rng(SEED), len(columns[0][0])
    return [_mean_distance(columns, generator.permutation(n)) for _ in range(N_RANDOM)]


def _mean_distance(columns: Sequence[Coordinates], order: Labels) -> float:
    """Mean distance, in percent, of records to those in ``order``."""
    return 100 * float(np.mean([_cell_differences(before, after[order]).mean() for before, after in columns]))


def nearest_distances(columns: Sequence[Coordinates]) -> Vector:
    """(n_some,) distance of some records to the record nearest to them, from 0 to 1."""
    some = sampled_places(len(columns[0][0]), N_NEAREST, "nearest records")
    distances = sum(_cell_differences(before[some, None], after) for before, after in columns)  # (n_some, n)
    nearest: Vector = np.min(distances, axis=1) / len(columns)
    return nearest


def _cell_differences(before: Matrix | Vector, after: Vector) -> Matrix | Vector:
    one_is_missing = np.isnan(before) != np.isnan(after)
    differences = np.abs(before - after)
    return np.where(np.isnan(differences), one_is_missing, np.minimum(differences, 1.0))


def _coordinates(column: Column, before: pa.ChunkedArray[Any], after: pa.ChunkedArray[Any]) -> Coordinates:
    if column.kind in ("numeric", "date"):
        return _numeric_coordinates(to_numbers(column.name, before), to_numbers(column.name, after))
    old, new = to_codes(column.name, before), to_codes(column.name, after)
    return _nan_where_missing(old.codes, old.codes < 0), _nan_where_missing(codes_in(old, new), new.codes < 0)


def _numeric_coordinates(before: NumberColumn, after: NumberColumn) -> Coordinates:
    """In units of sqrt 2 standard deviations; where the original is constant, whether values differ from it."""
    known = before.values[~before.missing]
    unit = np.sqrt(2) * float(known.std()) if len(known) else 0.0
    old, new = (n.values / unit if unit else n.values != known[:1].sum() for n in (before, after))
    return _nan_where_missing(old, before.missing), _nan_where_missing(new, after.missing)


def _nan_where_missing(coordinates: Any, missing: Any) -> Vector:
    return np.where(missing, np.nan, coordinates.astype(np.float64))
