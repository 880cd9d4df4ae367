"""Domains of quasi-identifiers: values as codes 0, 1, ..., such that everything a release can show is a set of codes.

numbers      code i is the interval from cut i - 1 (included) to cut i (excluded); a date is its number of days
categories   code i is a value; the values below a taxonomy node have consecutive codes
missing      the code after all others, where the domain has missing values
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from shoal.errors import TableError
from shoal.kernels import Ints, Vector
from shoal.schema.extent import AnyExtent, Extent, Interval, MissingExtent, Span, TaxonomyNode, Values
from shoal.schema.time_unit import microseconds_to_days
from shoal.sources import CellKind


@dataclass(frozen=True)
class CodeRanges:
    """A set of codes of a domain: ranges ``(start, stop)`` in ascending order, and the level of its taxonomy node."""

    ranges: tuple[tuple[int, int], ...]
    level: int = 0


@dataclass(frozen=True)
class Domain(ABC):
    """A domain. With ``has_missing`` the missing value has a code of its own, the last one."""

    name: str
    has_missing: bool

    @property
    @abstractmethod
    def n_values(self) -> int:
        """Number of codes of known values."""

    @property
    @abstractmethod
    def cells(self) -> CellKind:
        """What cells of a file, which have no types, are read as."""

    @property
    def n_codes(self) -> int:
        return self.n_values + self.has_missing

    def codes(self, cells: pa.ChunkedArray[Any]) -> Ints:
        """(n_records,) the code of every cell. A value, or a missing one, that the domain does not have is an error."""
        missing = pc.is_null(cells, nan_is_null=True).to_numpy()
        if missing.any() and not self.has_missing:
            raise TableError.unexpected_missing(self.name, int(missing.sum()))
        codes = np.full(len(cells), self.n_values, dtype=np.int64)
        if not missing.all():
            codes[~missing] = self._known_codes(cells.filter(pa.array(~missing)))
        return codes

    def extent(self, part: CodeRanges) -> Extent:
        """The extent that a release shows for records whose codes are in the part."""
        if part.ranges[-1][1] > self.n_values:
            return MissingExtent() if part.ranges == ((self.n_values, self.n_codes),) else AnyExtent()
        return AnyExtent() if self.whole_is_anything and self.is_known(part) else self._known_extent(part)

    def is_known(self, part: CodeRanges) -> bool:
        """Whether the part consists of all known values and no missing one."""
        return part.ranges == ((0, self.n_values),)

    @property
    @abstractmethod
    def whole_is_anything(self) -> bool:
        """Whether all known values together are released as ``*``."""

    def has(self, part: CodeRanges) -> bool:
        """Whether the part consists of codes of this domain and has an extent."""
        if not part.ranges or not all(0 <= start < stop <= self.n_codes for start, stop in part.ranges):
            return False
        return part.ranges[-1][1] > self.n_values or self._has_extent(part)

    @abstractmethod
    def _has_extent(self, part: CodeRanges) -> bool: ...

    @abstractmethod
    def _known_codes(self, cells: pa.ChunkedArray[Any]) -> Ints: ...

    @abstractmethod
    def _known_extent(self, part: CodeRanges) -> Extent: ...


@dataclass(frozen=True)
class NumericDomain(Domain):
    """Numbers and dates. The outermost codes are open intervals: no minimum or maximum of the data is released."""

    cuts: tuple[float, ...]  # ascending
    is_date: bool = False

    @property
    def n_values(self) -> int:
        return len(self.cuts) + 1

    @property
    def cells(self) -> CellKind:
        return "date" if self.is_date else "numeric"

    @property
    def whole_is_anything(self) -> bool:
        return True

    def _known_codes(self, cells: pa.ChunkedArray[Any]) -> Ints:
        return np.searchsorted(np.asarray(self.cuts), as_numbers(self.name, cells), side="right").astype(np.int64)

    def _has_extent(self, part: CodeRanges) -> bool:
        return len(part.ranges) == 1

    def _known_extent(self, part: CodeRanges) -> Interval:
        ((start, stop),) = part.ranges
        return Interval(self.cuts[start - 1] if start else None, self.cuts[stop - 1] if stop < self.n_values else None)

    def lengths(self, starts: Ints, stops: Ints) -> Vector:
        """(n_parts,) length of the intervals; infinite where an end is open or missing values are included."""
        ends = np.array([-np.inf, *self.cuts, np.inf])
        known = ends[np.minimum(stops, self.n_values)] - ends[np.minimum(starts, self.n_values - 1)]
        return np.where(stops > self.n_values, np.inf, known)


@dataclass(frozen=True)
class CategoricalDomain(Domain):
    """Categorical values as text; ``paths`` lead from a value to the root of its taxonomy, or are the value alone."""

    paths: tuple[tuple[str, ...], ...]  # (n_values, n_levels)
    is_ordered: bool = False

    @property
    def n_values(self) -> int:
        return len(self.paths)

    @property
    def cells(self) -> CellKind:
        return "text"

    @property
    def whole_is_anything(self) -> bool:
        """A taxonomy has a label for its root, and a single value is itself."""
        return len(self.paths[0]) == 1 and self.n_values > 1

    @cached_property
    def values(self) -> tuple[str, ...]:
        return tuple(path[0] for path in self.paths)

    def _known_codes(self, cells: pa.ChunkedArray[Any]) -> Ints:
        encoded: Any = cells.combine_chunks()
        if not pa.types.is_dictionary(encoded.type):
            encoded = encoded.dictionary_encode()
        place = {value: code for code, value in enumerate(self.values)}
        code_of = np.array([place.get(str(value), -1) for value in encoded.dictionary.to_pylist()], dtype=np.int64)
        codes: Ints = code_of[encoded.indices.to_numpy(zero_copy_only=False).astype(np.int64)]
        if (codes < 0).any():
            raise TableError.unknown_values(self.name, int((code_of < 0).sum()), int((codes < 0).sum()))
        return codes

    def _has_extent(self, part: CodeRanges) -> bool:
        n_levels = len(self.paths[0])
        return n_levels == 1 or 0 <= part.level < n_levels

    def _known_extent(self, part: CodeRanges) -> Extent:
        if len(self.paths[0]) > 1:
            return TaxonomyNode(self.paths[part.ranges[0][0]][part.level], part.level)
        values = tuple(value for start, stop in part.ranges for value in self.values[start:stop])
        return Span(values) if self.is_ordered else Values(values)


def as_numbers(name: str, cells: pa.ChunkedArray[Any]) -> Vector:
    """(n,) known cells as floats; dates and times in days since 1970."""
    kind = cells.type
    if pa.types.is_date(kind):
        cells = cells.cast(pa.date32()).cast(pa.int32())
    elif pa.types.is_timestamp(kind):
        micro: Any = cells.cast(pa.timestamp("us", tz=kind.tz), safe=False).cast(pa.int64())
        days: Vector = microseconds_to_days(micro.to_numpy())
        return days
    elif not (pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_decimal(kind)):
        raise TableError.not_numeric(name, str(kind))
    reals: Any = cells.cast(pa.float64(), safe=False)
    numbers: Vector = reals.to_numpy()
    return numbers
