"""Detection of a wrong pairing of original and released records.

Aligned -> notes

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
from shoal.linkage.link_tables import compared
from shoal.schema import Column

MOST_PAIRS = 10_000  # compared, evenly spread
N_RANDOM = 99  # random pairings, from the same seed every time
KEY = 2001
N_NEAREST = 100  # records whose nearest one is searched
SURE = 7.0  # standard deviations of random pairings between their mean and the nearest records; undecided below

Places = tuple[Vector, Vector]  # coordinates in both files, NaN where missing; differences above 1 count as 1

ALARM = (
    "Records are hardly nearer to their own than to a random one ({:.4g} % apart, at random {:.4g} %): who is who is "
    "probably said wrongly, and then linkage, losses and the score mean nothing."
)


def mispaired(aligned: AlignedTables, names: Sequence[str]) -> tuple[str, ...]:
    """A warning if the pairing looks wrong on the columns ``names``, or none. Nothing can be said of a release whose
    records are all equal."""
    kept = aligned.kept[:: -(-len(aligned.kept) // MOST_PAIRS) or 1]
    before, after = aligned.original.take(kept), aligned.read.take(aligned.truth[kept])
    known = compared(aligned.schema, names)
    if not len(kept):
        return ()
    columns = [_places(column, before[column.name], after[column.name]) for column in known.columns]
    own, chance = _apart(columns, np.arange(len(kept))), np.random.default_rng(KEY)
    random = [_apart(columns, chance.permutation(len(kept))) for _ in range(N_RANDOM)]
    can_be_told = np.mean(random) - _nearest(columns) > SURE * np.std(random)
    return (ALARM.format(own, np.mean(random)),) if can_be_told and 0 < own >= min(random) else ()


def _apart(columns: Sequence[Places], order: Labels) -> float:
    """Mean distance, in percent, of records to those in ``order``."""
    return 100 * float(np.mean([_differences(before, after[order]).mean() for before, after in columns]))


def _nearest(columns: Sequence[Places]) -> float:
    """Mean distance, in percent, of some records to the record nearest to them."""
    some = slice(None, None, -(-len(columns[0][0]) // N_NEAREST))
    apart = sum(_differences(before[some, None], after) for before, after in columns)  # (n_some, n)
    return 100 * float(np.mean(np.min(apart, axis=1))) / len(columns)


def _differences(before: Matrix | Vector, after: Vector) -> Matrix | Vector:
    gaps = np.isnan(before) != np.isnan(after)
    moved = np.abs(before - after)
    return np.where(np.isnan(moved), gaps, np.minimum(moved, 1.0))


def _places(column: Column, before: pa.ChunkedArray[Any], after: pa.ChunkedArray[Any]) -> Places:
    if column.kind in ("numeric", "date"):
        return _of_numbers(to_numbers(column.name, before), to_numbers(column.name, after))
    one, other = to_codes(column.name, before), to_codes(column.name, after)
    return _known(one.codes, one.codes < 0), _known(codes_in(one, other), other.codes < 0)


def _of_numbers(before: NumberColumn, after: NumberColumn) -> Places:
    """In units of sqrt 2 standard deviations; where the original is constant, whether values differ from it."""
    known = before.values[~before.missing]
    unit = np.sqrt(2) * float(known.std()) if len(known) else 0.0
    one, other = (n.values / unit if unit else n.values != known[:1].sum() for n in (before, after))
    return _known(one, before.missing), _known(other, after.missing)


def _known(places: Any, missing: Any) -> Vector:
    return np.where(missing, np.nan, places.astype(np.float64))
