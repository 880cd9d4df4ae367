"""Categorical columns as integer codes, one for every value, in a declared order."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from shoal.errors import TableError
from shoal.kernels import Ints

FEW_RECORDS = 2**12
NUMBER = re.compile(r"\s*([-+.0-9]|inf|nan)", re.IGNORECASE)  # how every text begins that Arrow reads as a number


@dataclass(frozen=True)
class Codes:
    """A column as codes. ``values[code]`` is the value; a missing value has code -1."""

    codes: Ints  # (n_records,)
    values: pa.Array[Any]  # (n_values,) in order; only values that occur

    @property
    def n_values(self) -> int:
        return len(self.values)

    @property
    def texts(self) -> list[str]:
        """The values as text, as taxonomies and declared orders name them."""
        return [str(value) for value in self.values.to_pylist()]


def to_codes(
    name: str, column: pa.ChunkedArray[Any], order: tuple[str, ...] | None = None, n: Ints | None = None
) -> Codes:
    """Codes in the given order, else in that of an ordered dictionary type, else in that of the sorted values.

    ``n``: the number of records that each cell stands for; one each by default.
    """
    numbers = _few_numbers(column) if order is None else None
    if numbers is not None:
        return _codes_of_numbers(column, numbers)
    cells: Any = column.combine_chunks()
    has_dictionary = pa.types.is_dictionary(cells.type)
    encoded = cells if has_dictionary else pc.dictionary_encode(cells)
    found = Codes(places_in_dictionary(encoded), encoded.dictionary)
    if order:
        return _renumber(found, np.argsort(_declared_ranks(name, found, order, n), kind="stable"))
    ranked = np.arange(found.n_values) if has_dictionary and cells.type.ordered else _ascending(found.values)
    all_occur = not has_dictionary and not found.values.null_count  # Arrow's own, but for a column without a type
    return _in_order(found, ranked) if all_occur else _renumber(found, ranked)


def _few_numbers(column: Any) -> NDArray[Any] | None:
    """(n_known,) the known numbers of a short column, which are sorted faster than hashed; None of others. NaN and
    negative zero are equal to themselves alone."""
    is_float = pa.types.is_float64(column.type)
    if len(column) > FEW_RECORDS or not (is_float or pa.types.is_integer(column.type)):
        return None
    known: NDArray[Any] = (column.drop_null() if column.null_count else column).to_numpy()
    return None if is_float and (np.isnan(known) | ((known == 0) & np.signbit(known))).any() else known


def _codes_of_numbers(column: Any, known: NDArray[Any]) -> Codes:
    """Codes in the order of the numbers."""
    values, places = np.unique(known, return_inverse=True)
    codes = np.full(len(column), -1, dtype=np.int64)
    codes[column.is_valid().to_numpy() if column.null_count else slice(None)] = places
    return Codes(codes, pa.array(values, column.type))


def places_in_dictionary(encoded: Any) -> Ints:
    """(n_records,) the place of each cell in the dictionary of a dictionary array; -1 where it is missing."""
    indices = encoded.indices
    known = indices.fill_null(-1) if indices.null_count else indices
    places: Ints = known.to_numpy(zero_copy_only=False).astype(np.int64)
    return places


def has_codes(type_: pa.DataType) -> bool:
    """Whether values of this type can be compared and sorted. Intervals (months, days and nanoseconds) cannot be
    sorted."""
    return is_countable(type_) and not pa.types.is_interval(type_)


def is_countable(type_: pa.DataType) -> bool:
    """Whether Arrow can compare values of this type: not nested types (lists, structs) and not extension types."""
    return not (pa.types.is_nested(type_) or isinstance(type_, pa.BaseExtensionType))


def codes_in(own: Codes, other: Codes) -> Ints:
    """(n_records,) for each record of ``other``, the code in ``own`` of the value with the same text; ``own.n_values``
    where ``own`` lacks the value, -1 where it is missing."""
    place = {text: code for code, text in enumerate(own.texts)}
    shared = np.array([*(place.get(text, own.n_values) for text in other.texts), -1], dtype=np.int64)
    return shared[other.codes]


def from_codes(codes: Ints, values: pa.Array[Any]) -> pa.Array[Any]:
    """The values of the codes; -1 is missing."""
    return values.take(pa.array(codes, mask=codes < 0, type=pa.int64()))


def positions_among(cells: pa.ChunkedArray[Any], values: pa.Array[Any]) -> Ints:
    """(n_records,) the position of each cell in ``values``; -1 where it is missing or not among them."""
    plain: Any = cells.cast(cells.type.value_type) if pa.types.is_dictionary(cells.type) else cells
    found: Any = pc.index_in(_plain(plain), value_set=_plain(values))
    positions: Ints = found.fill_null(-1).to_numpy().astype(np.int64)
    return positions


def _ascending(values: pa.Array[Any]) -> Ints:
    """(n_values,) where each of the sorted values is."""
    numbers, texts = _sortable(values), _plain(values)
    if numbers.type == texts.type:
        ranked = pc.array_sort_indices(texts)
    else:
        both = pa.table({"number": numbers, "text": texts})
        ranked = pc.sort_indices(both, sort_keys=[("number", "ascending"), ("text", "ascending")])
    places: Ints = ranked.to_numpy().astype(np.int64)
    return places


def _declared_ranks(name: str, found: Codes, order: tuple[str, ...], n: Ints | None) -> Ints:
    place = {value: at for at, value in enumerate(order)}
    position = np.array([place.get(text, -1) for text in found.texts], dtype=np.int64)
    outside = position < 0
    if outside.any():
        cells = np.isin(found.codes, np.flatnonzero(outside))
        n_records = int(cells.sum() if n is None else n[cells].sum())
        if n_records:
            raise TableError.outside_order(name, int(outside.sum()), n_records)
    return position


def _renumber(found: Codes, ranked: Ints) -> Codes:
    """Codes 0, 1, ... of the values that occur. ``ranked``: where each value is, in their order."""
    occurs = np.bincount(found.codes[found.codes >= 0], minlength=found.n_values) > 0
    return _in_order(found, ranked[occurs[ranked]])


def _in_order(found: Codes, ranked: Ints) -> Codes:
    """Codes 0, 1, ... of the values at ``ranked``, which are all that occur."""
    new_code = np.full(found.n_values + 1, -1, dtype=np.int64)  # one extra entry, so that code -1 stays -1
    new_code[ranked] = np.arange(ranked.size)
    return Codes(new_code[found.codes], found.values.take(pa.array(ranked, pa.int64())))


def _sortable(values: Any) -> Any:
    """Texts that all parse as numbers, as these: 2 sorts before 10 in a CSV as in a typed file."""
    if not pa.types.is_string(values.type):
        return _plain(values)
    if len(values) and not NUMBER.match(values[0].as_py() or ""):
        return values
    try:
        return pc.cast(values, pa.float64())
    except pa.ArrowInvalid:
        return values


def _plain(values: Any) -> Any:
    """Values in a type that Arrow can sort and look up: booleans as integers."""
    return values.cast(pa.int8()) if pa.types.is_boolean(values.type) else values
