"""Levels of a column from original values to full generalization: of its taxonomy, or increasingly wide intervals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise

import numpy as np
import pyarrow.compute as pc

from shoal.encode.count_table import CountTable
from shoal.errors import PolicyError, TaxonomyError
from shoal.kernels import Vector
from shoal.methods.generalization.attribute import Attribute, SplitRule
from shoal.methods.generalization.coded_counts import CodedCounts
from shoal.methods.generalization.recoding import Piece
from shoal.plan import NumericDomain
from shoal.plan.domain import as_numbers
from shoal.schema import Schema

Levels = tuple[tuple[Piece, ...], ...]  # the pieces of every level, the finest first
Ends = Mapping[str, Sequence[Vector]]  # column -> ends of its intervals, by level
FINEST = 32  # approximate number of intervals of the narrowest width, where none is given


def interval_ends(counts: CountTable, schema: Schema, widths: Mapping[str, Sequence[float]]) -> Ends:
    """The interval ends of numeric columns without a taxonomy; dates in days."""
    lines = [n for n in schema.quasi_identifiers if schema[n].kind in ("numeric", "date") and not schema[n].taxonomy]
    for name in widths:
        if name not in lines:
            raise PolicyError.unknown_column("widths", name, lines)
    found = {}
    for name in lines:
        values = _values(name, counts)
        found[name] = [_ends(values, width) for width in _widths(values, widths.get(name, ()))]
    return found


def level_cuts(counts: CountTable, ends: Ends) -> dict[str, list[float]]:
    """The points at which a column can be cut at some level: every value, and every interval end."""
    return {name: np.unique(np.concatenate([_values(name, counts)[1:], *at])).tolist() for name, at in ends.items()}


def column_levels(coded: CodedCounts, ends: Ends) -> tuple[Levels, ...]:
    return tuple(_levels_of(attribute, ends.get(attribute.domain.name, ())) for attribute in coded.attributes)


def _values(name: str, counts: CountTable) -> Vector:
    if name not in counts.names:
        raise PolicyError.unknown_column(f"columns.{name}", name, counts.names)
    cells = counts[name]
    known = cells.filter(pc.is_valid(cells))
    return np.unique(as_numbers(name, known)) if len(known) else np.zeros(1)


def _widths(values: Vector, given: Sequence[float]) -> list[float]:
    """The given widths, validated, or defaults; each is a multiple of the one before."""
    widths = [float(width) for width in given]
    nested = all(
        wide > narrow > 0 and abs(wide / narrow - round(wide / narrow)) < 1e-9 for narrow, wide in pairwise(widths)
    )
    if not nested or any(width <= 0 for width in widths):
        raise TaxonomyError.bad_widths(widths)
    spread = float(values[-1] - values[0])
    if widths or spread == 0:
        return widths
    power = 10.0 ** np.floor(np.log10(spread / FINEST))
    width = float(next(m * power for m in (1, 2, 5, 10) if m * power >= spread / FINEST))
    while width < spread:
        widths.append(width)
        width *= 2
    return widths


def _ends(values: Vector, width: float) -> Vector:
    """Multiples of the width above the minimum and up to the maximum."""
    ends: Vector = width * np.arange(np.floor(values[0] / width) + 1, np.floor(values[-1] / width) + 1)
    return ends


def _levels_of(attribute: Attribute, ends: Sequence[Vector]) -> Levels:
    n_codes, n_values = attribute.domain.n_codes, attribute.domain.n_values
    if attribute.nodes[0].rule == SplitRule.NONE:
        return (((0, n_codes, 0),),)
    known = 1 if attribute.domain.has_missing else 0  # the node of all known values
    missing: tuple[Piece, ...] = ((n_values, n_codes, 2),) if known else ()
    levels = _nodes_by_level(attribute, known) if attribute.is_tree else _runs(attribute, known, ends)
    if attribute.is_tree:
        levels = levels[attribute.min_level : None if attribute.max_level is None else attribute.max_level + 1]
    nothing: Levels = (((0, n_codes, 0),),) if known and attribute.max_level is None else ()
    return tuple((*level, *missing) for level in levels) + nothing


def coarsest(attribute: Attribute) -> tuple[Piece, ...]:
    """The pieces of the highest level that may be released."""
    if attribute.max_level is None:
        return ((0, attribute.domain.n_codes, 0),)
    return _levels_of(attribute, ())[-1]


def _nodes_by_level(attribute: Attribute, known: int) -> list[tuple[Piece, ...]]:
    levels: list[list[Piece]] = [[] for _ in range(attribute.nodes[known].level + 1)]
    for at, node in enumerate(attribute.nodes):
        if node.stop <= attribute.domain.n_values:
            levels[node.level].append((node.start, node.stop, at))
    return [tuple(sorted(level)) for level in levels]


def _runs(attribute: Attribute, known: int, ends: Sequence[Vector]) -> list[tuple[Piece, ...]]:
    """The levels of a line: single codes, the intervals, all codes."""
    n_values = attribute.domain.n_values
    starts = [list(range(n_values))]
    if isinstance(attribute.domain, NumericDomain):
        cuts = np.array(attribute.domain.cuts)
        starts += [[0, *(np.flatnonzero(np.isin(cuts, at)) + 1).tolist()] for at in ends]
    return [tuple((a, b, known) for a, b in pairwise([*at, n_values])) for at in [*starts, [0]]]
