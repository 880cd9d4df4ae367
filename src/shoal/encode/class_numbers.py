"""Equivalence classes of records on given columns. A missing value equals a missing value and nothing else."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pyarrow as pa

from shoal.encode.codes import places_in_dictionary, to_codes
from shoal.kernels import Ints, Labels
from shoal.kernels.combinations import number_combinations


def class_numbers(table: pa.Table, names: Sequence[str]) -> Labels:
    """(n_records,) the class of every record, numbered 0, 1, ... in the order of the values; all 0 without names."""
    return number_combinations([to_codes(name, table[name]).codes for name in names], len(table))


def value_numbers(cells: pa.ChunkedArray[Any]) -> Ints:
    """(n_records,) a number for every distinct value, in order of appearance; -1 for missing. Values need not be
    sortable."""
    encoded: Any = cells.combine_chunks()
    if not pa.types.is_dictionary(encoded.type):
        encoded = encoded.dictionary_encode()
    return places_in_dictionary(encoded)
