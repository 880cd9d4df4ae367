"""Construction of attributes: quasi-identifiers as nodes with splits, alike for numbers, ordinal values and taxonomies.

a column of distinct values with counts -> Attribute

Where a column has missing values its root is "anything", which is first split into known and missing. A taxonomy is
used wherever there is one, unless cuts are given. Nominal values without a taxonomy are a line in sorted order, as in
strict Mondrian, or subsets. A column of weight 0 is never split.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from typing import Any, Literal, Self

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from shoal.encode.codes import to_codes
from shoal.encode.count_table import CountTable
from shoal.errors import PolicyError, TaxonomyError
from shoal.kernels import Ints, Vector
from shoal.methods.generalization.attribute import Attribute, AttributeNode, SplitRule
from shoal.plan import CategoricalDomain, Domain, NumericDomain
from shoal.plan.domain import as_numbers
from shoal.schema import Column, Schema, Taxonomy
from shoal.schema.time_unit import SECONDS_OF_A_DAY

Cuts = Mapping[str, int | Sequence[float | str | date]]  # column -> number of intervals of equal counts, or cut points
Unordered = Literal["line", "subsets"]  # treatment of nominal values without a taxonomy


def attributes(
    counts: CountTable, schema: Schema, cuts: Cuts | None = None, unordered: Unordered = "line"
) -> tuple[Attribute, ...]:
    """The attributes of all quasi-identifiers. ``counts``: of their combinations."""
    cuts = cuts or {}
    for name in cuts:
        if name not in schema.quasi_identifiers:
            raise PolicyError.unknown_column("cuts", name, schema.quasi_identifiers)
    if not schema.quasi_identifiers:
        raise PolicyError.no_quasi_identifier()
    columns = [schema[name] for name in schema.quasi_identifiers]
    found = (_attribute(column, counts[column.name], counts.n, cuts.get(column.name), unordered) for column in columns)
    return tuple(
        _weighted(_within_levels(one, column), column.weight) for one, column in zip(found, columns, strict=True)
    )


def _within_levels(attribute: Attribute, column: Column) -> Attribute:
    """The attribute without splits below the lowest level of its taxonomy that may be released."""
    if not attribute.is_tree:
        return attribute
    nodes = tuple(
        AttributeNode(node.start, node.stop, SplitRule.NONE, node.level)
        if node.rule == SplitRule.ALL and node.level <= column.min_level
        else node
        for node in attribute.nodes
    )
    return replace(attribute, nodes=nodes, min_level=column.min_level, max_level=column.max_level)


def _weighted(attribute: Attribute, weight: float) -> Attribute:
    """The attribute with its weight; without splits if that is 0, so that groups do not depend on the column."""
    whole = AttributeNode(0, attribute.domain.n_codes, SplitRule.NONE, attribute.nodes[0].level)
    return replace(attribute, weight=weight, nodes=attribute.nodes if weight else (whole,))


def _attribute(
    column: Column, cells: pa.ChunkedArray[Any], n: Ints, cuts: int | Sequence[Any] | None, unordered: Unordered
) -> Attribute:
    is_number = column.kind in ("numeric", "date")
    if cuts is not None and not is_number:
        raise PolicyError.only_for(f"cuts.{column.name}", "kind = 'numeric' or 'date'", f"kind = '{column.kind}'")
    known = pc.is_valid(cells)
    missing, values, n_known = cells.null_count > 0, cells.filter(known), n[known.to_numpy()]
    if is_number and (cuts is not None or column.taxonomy is None):
        return _CutLine.of_numbers(column, values, n_known, cuts).attribute(missing)
    if column.taxonomy is not None:
        return _tree(column, values, n_known, column.taxonomy, missing)
    texts = column.order or tuple(to_codes(column.name, values).texts) or ("",)
    domain = CategoricalDomain(column.name, missing, tuple((text,) for text in texts), column.kind == "ordinal")
    if column.order:
        domain.codes(values)  # validates; raises TableError for values that are not in the order
    rule = SplitRule.SUBSETS if unordered == "subsets" and column.kind == "nominal" else SplitRule.LINE
    places = np.arange(len(texts), dtype=np.float64)
    return _with_missing(domain, [AttributeNode(0, len(texts), rule)], places, places)


@dataclass(frozen=True)
class _CutLine:
    """Numbers between cuts, with the lowest and highest value of each interval.

    Where an interval has no values, these are the next value above and the next below: a part is as wide as its values,
    as the losses measure it.
    """

    column: Column
    cuts: Vector
    lows: Vector  # (n_cuts + 1,) the lowest value between two cuts, or the next above
    highs: Vector  # the highest, or the next below

    @classmethod
    def of_numbers(cls, column: Column, cells: pa.ChunkedArray[Any], n: Ints, cuts: int | Sequence[Any] | None) -> Self:
        x, n = (as_numbers(column.name, cells), n) if len(cells) else (np.zeros(1), np.ones(1, dtype=np.int64))
        places = np.unique(x)
        at = _cuts_between(column, places) if cuts is None else _given_cuts(column, cuts, x, n)
        code, codes = np.searchsorted(at, places, side="right"), np.arange(at.size + 1)
        first, last = np.searchsorted(code, codes), np.searchsorted(code, codes, side="right") - 1
        lows, highs = places[np.minimum(first, places.size - 1)], places[np.maximum(last, 0)]
        return cls(column, at, lows, highs)

    def attribute(self, missing: bool) -> Attribute:
        domain = NumericDomain(self.column.name, missing, tuple(self.cuts.tolist()), self.column.kind == "date")
        return _with_missing(domain, [AttributeNode(0, domain.n_values, SplitRule.LINE)], self.lows, self.highs)


def _cuts_between(column: Column, places: Vector) -> Vector:
    """Possible cut points between adjacent values: on the column's grid, or at every value but the lowest."""
    return places[1:] if column.grid is None else column.grid.between(places)


def _given_cuts(column: Column, cuts: int | Sequence[Any], x: Vector, n: Ints) -> Vector:
    """The cut points: values as given, or such that about as many records are between any two."""
    where = f"cuts.{column.name}"
    if isinstance(cuts, int):
        if cuts < 1:
            raise PolicyError.too_small(where, 1, cuts, "it is a number of intervals")
        places, place = np.unique(x, return_inverse=True)
        of_place = np.bincount(place, weights=n).astype(np.int64)  # over all combinations that contain the value
        below = np.cumsum(of_place) - of_place
        wanted = np.arange(1, cuts) * int(of_place.sum()) / cuts
        found = places[np.minimum(np.searchsorted(below, wanted), len(places) - 1)]
        found = found if column.grid is None else column.grid.allowed_ends(column.grid.below(found))
        return np.unique(found[found > places[0]])
    try:
        at = np.array([_number(cut) for cut in cuts], dtype=np.float64)
    except (TypeError, ValueError):
        raise PolicyError.bad_cuts(where) from None
    if not np.isfinite(at).all():
        raise PolicyError.bad_cuts(where)
    return np.unique(at)


def _number(cut: Any) -> float:
    """A cut point as a number; a date in days since 1970."""
    if isinstance(cut, str):
        cut = datetime.fromisoformat(cut)
    if isinstance(cut, datetime):
        return (cut.replace(tzinfo=None) - datetime(1970, 1, 1)).total_seconds() / SECONDS_OF_A_DAY
    return float(cut.toordinal() - date(1970, 1, 1).toordinal()) if isinstance(cut, date) else float(cut)


def _tree(column: Column, cells: pa.ChunkedArray[Any], n: Ints, taxonomy: Taxonomy, missing: bool) -> Attribute:
    paths = taxonomy.depth_first
    domain = CategoricalDomain(column.name, missing, paths)
    outside = [value for value in cells.unique().to_pylist() if str(value) not in taxonomy.values]
    if outside:
        n_records = int(n[pc.is_in(cells, value_set=pa.array(outside, cells.type)).to_numpy()].sum())
        raise TaxonomyError.not_covered(column.name, taxonomy.name, len(outside), n_records)
    places = np.arange(len(paths), dtype=np.float64)
    return _with_missing(domain, _tree_nodes(paths), places, places)


def _tree_nodes(paths: tuple[tuple[str, ...], ...]) -> list[AttributeNode]:
    """The nodes of a taxonomy, level by level from the root down."""
    height = len(paths[0]) - 1
    nodes = [AttributeNode(0, len(paths), SplitRule.ALL, height)]
    above = [0]
    for level in range(height - 1, -1, -1):
        below = []
        for parent in above:
            first = len(nodes)
            start = nodes[parent].start
            for stop in range(start + 1, nodes[parent].stop + 1):
                if stop == nodes[parent].stop or paths[stop][level] != paths[start][level]:
                    below.append(len(nodes))
                    nodes.append(AttributeNode(start, stop, SplitRule.ALL if level else SplitRule.NONE, level))
                    start = stop
            of_parent = nodes[parent]
            nodes[parent] = AttributeNode(
                of_parent.start, of_parent.stop, SplitRule.ALL, level + 1, first, len(nodes) - first
            )
        above = below
    return nodes


def _with_missing(domain: Domain, nodes: list[AttributeNode], lows: Vector, highs: Vector) -> Attribute:
    """Adds the root "anything" above the known values, where values are missing."""
    if not domain.has_missing:
        return Attribute(domain, tuple(nodes), lows, highs)
    n = domain.n_values
    known, *others = nodes
    moved = [AttributeNode(v.start, v.stop, v.rule, v.level, v.first_child + 2, v.n_children) for v in (known, *others)]
    root = AttributeNode(0, n + 1, SplitRule.ALL, known.level + 1, 1, 2)
    shifted = (root, moved[0], AttributeNode(n, n + 1, SplitRule.NONE), *moved[1:])
    return Attribute(domain, shifted, np.append(lows, 0.0), np.append(highs, 0.0))
