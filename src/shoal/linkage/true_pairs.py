"""True pairs: the released record of every original one."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import ArrayLike

from shoal.encode.codes import has_codes
from shoal.encode.number_column import are_numbers, to_numbers
from shoal.errors import LinkageError
from shoal.kernels import Labels

RELEASED, ORIGINAL = "released", "original"  # columns of a table of pairs


def pair_by_id(original: pa.Table, released: pa.Table, id: str) -> Labels:  # noqa: A002
    """(n_original,) the released record with the same value of the column ``id``; -1: not released."""
    for file, table in (("original", original), ("release", released)):
        if id not in table.column_names:
            raise LinkageError.no_id(id, file, table.num_columns)
        if not has_codes(table[id].type):
            raise LinkageError.no_single_id(id, file)
        n_unfit = len(table) - len(pc.unique(table[id].drop_null()))
        if n_unfit:
            raise LinkageError.unfit_id(id, file, n_unfit)
    found: Any = pc.index_in(_as_text(original[id]), value_set=_as_text(released[id]))
    records: Labels = found.fill_null(-1).to_numpy().astype(np.int64)
    n_unknown = len(released) - int(np.count_nonzero(records >= 0))
    if 2 * n_unknown > len(released):
        raise LinkageError.foreign_ids(id, n_unknown, len(released))
    return records


def pair_by_numbers(table: pa.Table, n_original: int, n_released: int) -> Labels:
    """(n_original,) from a table of pairs: numbers of a record in the release and in the original, from 1."""
    records = []
    for name, n_records in ((RELEASED, n_released), (ORIGINAL, n_original)):
        if name not in table.column_names:
            raise LinkageError.no_pairs(table.num_columns)
        if not are_numbers(table[name]):
            raise LinkageError.bad_pairs(name, n_records)
        numbers = to_numbers(name, table[name])
        records.append(numbers.values.astype(np.int64) - 1)
        is_valid = (numbers.values >= 1) & (numbers.values <= n_records) & (records[-1] + 1 == numbers.values)
        if numbers.missing.any() or not is_valid.all() or len(np.unique(records[-1])) < len(table):
            raise LinkageError.bad_pairs(name, n_records)
    truth = np.full(n_original, -1, dtype=np.int64)
    truth[records[1]] = records[0]
    return truth


def check_truth(truth: ArrayLike | None, n_original: int, n_released: int) -> Labels:
    """The given truth, validated; without one, files of equal length are taken to have the same order."""
    if truth is None:
        if n_original != n_released:
            raise LinkageError.no_truth(n_original, n_released)
        return np.arange(n_original)
    pairs = np.asarray(truth)
    is_valid = pairs.shape == (n_original,) and pairs.dtype.kind in "iu"
    if not is_valid or pairs.min() < -1 or pairs.max() >= n_released:
        raise LinkageError.bad_truth(n_original, n_released)
    known = pairs[pairs >= 0]
    if len(np.unique(known)) < len(known):
        raise LinkageError.bad_truth(n_original, n_released)
    return np.ascontiguousarray(pairs, dtype=np.int64)


def _as_text(column: pa.ChunkedArray[Any]) -> pa.Array[Any]:
    """Ids are compared as text: one file may have been read with 7 where the other has '7'."""
    return column.cast(pa.string()).combine_chunks()
