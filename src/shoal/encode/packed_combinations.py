"""Combinations of values packed into 128 bits, so that kernels compare them at once and blank out a column by a
mask."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from shoal.encode.codes import to_codes
from shoal.errors import TableError
from shoal.kernels import Ints, Labels
from shoal.kernels.combinations import combination_keys

Words = NDArray[np.uint64]  # (n, 2)


@dataclass(frozen=True)
class PackedCombinations:
    """A field of bits for every column; 0 stands for a missing value."""

    keys: Words  # (n_combinations, 2)
    fields: Words  # (n_columns, 2) the bit mask of every column

    @classmethod
    def of(cls, table: pa.Table, names: Sequence[str]) -> Self:
        codes = [(to_codes(name, table[name]).codes + 1).astype(np.uint64) for name in names]
        widths = [int(column.max(initial=0)).bit_length() for column in codes]
        keys, fields = np.zeros((len(table), 2), np.uint64), np.zeros((len(names), 2), np.uint64)
        for j, (word, shift) in enumerate(_places(names, widths)):
            keys[:, word] |= codes[j] << np.uint64(shift)
            fields[j, word] = ((1 << widths[j]) - 1) << shift
        return cls(keys, fields)


def number_keys(keys: Words) -> Labels:
    """(n,) numbers 0, 1, ... for the distinct keys, in order of appearance."""
    low, high = _dictionary_encode(keys[:, 0]), _dictionary_encode(keys[:, 1])
    return _dictionary_encode(combination_keys([low, high], len(keys)))


def _dictionary_encode(values: NDArray[Any]) -> Ints:
    encoded: Any = pc.dictionary_encode(pa.array(np.ascontiguousarray(values)))
    codes: Ints = encoded.indices.to_numpy().astype(np.int64)
    return codes


def _places(names: Sequence[str], widths: Sequence[int]) -> list[tuple[int, int]]:
    """(word, shift) of every column: the first of the two words in which it fits."""
    used = [0, 0]
    places = []
    for width in widths:
        word = next((word for word in (0, 1) if used[word] + width <= 64), None)
        if word is None:
            raise TableError.too_many_combinations(names)
        places.append((word, used[word]))
        used[word] += width
    return places
