"""The tightest extents of groups: what a release can show of a group without distinguishing its records.

table, schema, Partition -> column -> Extents

    numeric, date   the interval from the smallest to the largest value, rounded outward to the grid of the column;
                    without a grid, the closed interval of these values
    ordinal         the values from the first to the last
    with taxonomy   the lowest common ancestor of all values (nominal columns)
    nominal         the set of the values
    all values      ``*``, never a list of all of them
    missing         a group without known values is released as missing; one with some missing values as ``*``, since
                    any other extent would be wrong for some of its records
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import isfinite
from typing import Any, Self

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from shoal.encode.codes import Codes, to_codes
from shoal.encode.number_column import to_numbers
from shoal.errors import ArrayError, TaxonomyError
from shoal.kernels import Labels
from shoal.kernels.combinations import combination_keys
from shoal.plan import AnyExtent, Extent, Extents, Interval, MissingExtent, Partition, Span, TaxonomyNode, Values
from shoal.schema import Column, Schema, Taxonomy
from shoal.schema.grid import Grid
from shoal.schema.time_unit import units_of_a_day

Array = NDArray[Any]
Found = tuple[tuple[Extent, ...], Labels]  # distinct extents, and the index of that of every group


def represent(table: pa.Table, schema: Schema, partition: Partition) -> dict[str, Extents]:
    """The extents of the groups, by quasi-identifier."""
    if len(table) != partition.n_records:
        raise ArrayError.other_length(partition.n_records, len(table))
    members = _Members.of(partition)
    return {name: _extents(schema[name], table[name], members) for name in schema.quasi_identifiers}


@dataclass(frozen=True)
class _Members:
    """The records sorted by group."""

    order: Labels  # (n_records,) records of group 0, of group 1, ...
    starts: Labels  # (n_groups,) position in ``order`` where every group begins
    sizes: Labels  # (n_groups,)

    @classmethod
    def of(cls, partition: Partition) -> Self:
        order = np.argsort(partition.labels, kind="stable")
        return cls(order, np.cumsum(partition.sizes) - partition.sizes, partition.sizes)

    def least(self, values: Array) -> Array:
        return np.minimum.reduceat(values[self.order], self.starts)

    def greatest(self, values: Array) -> Array:
        return np.maximum.reduceat(values[self.order], self.starts)

    def only(self, kept: NDArray[np.bool_]) -> _Members:
        """The groups that are ``kept``, with their records."""
        if kept.all():
            return self
        sizes = self.sizes[kept]
        return _Members(self.order[np.repeat(kept, self.sizes)], np.cumsum(sizes) - sizes, sizes)


def _extents(column: Column, cells: pa.ChunkedArray[Any], members: _Members) -> Extents:
    missing = cells.is_null().to_numpy()
    n_missing = np.add.reduceat(missing[members.order].astype(np.int64), members.starts)  # (n_groups,)
    known = n_missing == 0
    distinct, of_known = _rule(column, cells)(members.only(known)) if known.any() else ((), members.starts[:0])
    of_group = np.where(n_missing == members.sizes, len(distinct), len(distinct) + 1)
    of_group[known] = of_known
    return _without_unused((*distinct, MissingExtent(), AnyExtent()), of_group)


def _without_unused(distinct: tuple[Extent, ...], of_group: Labels) -> Extents:
    """Extents that occur, each once: all values of a column and any value are written alike."""
    first = {extent: at for at, extent in reversed(tuple(enumerate(distinct)))}
    same = np.array([first[extent] for extent in distinct])
    used, of_group = np.unique(same[of_group], return_inverse=True)
    return Extents(tuple(distinct[at] for at in used), of_group.astype(np.int64))


def _rule(column: Column, cells: pa.ChunkedArray[Any]) -> Callable[[_Members], Found]:
    """The function that computes the extents of groups without missing values, by kind of column."""
    if column.kind in ("numeric", "date"):
        numbers = to_numbers(column.name, cells).values + 0.0  # no -0.0
        days = numbers / units_of_a_day(cells.type)
        return lambda members: _intervals(days, members, column.grid)
    codes = to_codes(column.name, cells, column.order)
    if column.kind == "ordinal":
        return lambda members: _spans(codes, column, members)
    if column.taxonomy is not None:
        tree = _Tree.of(column.name, column.taxonomy, codes)
        return lambda members: tree.nodes(codes.codes, members, column.min_level)
    return lambda members: _sets(codes, column.n_values or codes.n_values, members)


def _intervals(numbers: Array, members: _Members, grid: Grid | None) -> Found:
    least, greatest = members.least(numbers), members.greatest(numbers)
    of_group, low, high = _pairs(*((least, greatest) if grid is None else grid.cover(least, greatest)))
    ends = zip(low.tolist(), high.tolist(), strict=True)
    return tuple(_interval(first, last, closed=grid is None) for first, last in ends), of_group


def _interval(low: float, high: float, *, closed: bool) -> Extent:
    if not isfinite(low) and not isfinite(high):
        return AnyExtent()
    return Interval(low if isfinite(low) else None, high if isfinite(high) else None, closed)


def _spans(codes: Codes, column: Column, members: _Members) -> Found:
    """Spans of an ordinal column; values of a declared order that no record has are included."""
    order = column.order or tuple(codes.texts)
    n_values = len(column.order) if column.order else column.n_values or codes.n_values
    place = {text: at for at, text in enumerate(order)}
    places = np.array([place[text] for text in codes.texts], dtype=np.int64)[codes.codes]
    of_group, low, high = _pairs(members.least(places), members.greatest(places))
    spans = (Span(order[first : last + 1]) for first, last in zip(low, high, strict=True))
    return tuple(_unless_whole(span, n_values) for span in spans), of_group


def _unless_whole(extent: Span | Values, n_values: int) -> Extent:
    """The extent, or ``*`` if it would name all values of the column."""
    return AnyExtent() if len(extent.values) >= n_values > 1 else extent


def _sets(codes: Codes, n_values: int, members: _Members) -> Found:
    """Sets of a nominal column of ``n_values``. Equal sets are found by comparing the sorted distinct codes of a
    group as bytes."""
    groups = np.repeat(np.arange(members.sizes.size), members.sizes)
    pairs = np.unique(groups * codes.n_values + codes.codes[members.order])
    first = np.searchsorted(pairs, np.arange(members.sizes.size + 1) * codes.n_values) * pairs.itemsize
    buffers: list[Any] = [None, *(pa.py_buffer(part.data) for part in (first, pairs % codes.n_values))]
    sets: Any = pa.Array.from_buffers(pa.large_binary(), members.sizes.size, buffers)
    encoded = pc.dictionary_encode(sets)
    texts = codes.texts
    distinct = (np.frombuffer(one, dtype=np.int64) for one in encoded.dictionary.to_pylist())
    sets_of_values = (Values(tuple(texts[code] for code in one)) for one in distinct)
    return tuple(_unless_whole(one, n_values) for one in sets_of_values), _indices(encoded)


@dataclass(frozen=True)
class _Tree:
    """A taxonomy over the values of a column. A node is identified by the first value below it."""

    paths: tuple[tuple[str, ...], ...]  # (n_values, n_levels)
    nodes_of: Labels  # (n_values, n_levels) the first value below the same node

    @classmethod
    def of(cls, name: str, taxonomy: Taxonomy, codes: Codes) -> Self:
        path_of = {path[0]: path for path in taxonomy.paths}
        outside = [code for code, text in enumerate(codes.texts) if text not in path_of]
        if outside:
            n_records = int(np.isin(codes.codes, outside).sum())
            raise TaxonomyError.not_covered(name, taxonomy.name, len(outside), n_records)
        paths = tuple(path_of[text] for text in codes.texts)
        levels = [np.unique(level, return_index=True, return_inverse=True)[1:] for level in zip(*paths, strict=True)]
        return cls(paths, np.column_stack([first[node] for first, node in levels]))

    def nodes(self, codes: Labels, members: _Members, min_level: int) -> Found:
        """Lowest common ancestors: the node at the lowest level, from ``min_level`` on, where all values of a group
        have the same node."""
        top = self.nodes_of.shape[1] - 1
        level = np.full(members.sizes.size, top)
        node = np.zeros(members.sizes.size, dtype=np.int64)
        for below in range(top - 1, min_level - 1, -1):
            nodes = self.nodes_of[codes, below]
            least, greatest = members.least(nodes), members.greatest(nodes)
            level[least == greatest] = below
            node = np.where(least == greatest, least, node)
        of_group, value, at = _pairs(node, level)
        found = zip(value.tolist(), at.tolist(), strict=True)
        return tuple(TaxonomyNode(self.paths[code][height], height) for code, height in found), of_group


def _pairs(a: Array, b: Array) -> tuple[Labels, Array, Array]:
    """(n,) a number for every pair, and the distinct pairs in order of first occurrence."""
    a_numbers, a_values = _numbered(a)
    b_numbers, b_values = _numbered(b)
    numbers, _ = _numbered(combination_keys([a_numbers, b_numbers], len(a)))
    first = np.unique(numbers, return_index=True)[1]
    return numbers, a_values[a_numbers[first]], b_values[b_numbers[first]]


def _numbered(values: Array) -> tuple[Labels, Array]:
    encoded: Any = pc.dictionary_encode(pa.array(values))
    return _indices(encoded), encoded.dictionary.to_numpy()


def _indices(encoded: Any) -> Labels:
    numbers: Labels = encoded.indices.to_numpy().astype(np.int64)
    return numbers
