"""Count queries on generalized records: the estimate of a range query, compared with the true count.

Hore, Jammalamadaka, Mehrotra & D'Ascanio, Constrained generalization for data anonymization: a systematic search based
approach, experiment 9.

    estimate = sum over blocks of count(block) * share of the block that is in the query

Records are assumed to be distributed uniformly in their block; a block within the query counts in full (the paper
prints a second sum over all blocks that overlap, which would count these twice).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from shoal.encode.combination_counts import count_combinations
from shoal.encode.count_table import CountTable
from shoal.errors import PolicyError
from shoal.kernels import Ints, Labels, Matrix, Vector
from shoal.plan import CategoricalDomain, CutTree, NumericDomain
from shoal.plan.domain import as_numbers

Bounds = tuple[float, float]

MOST_NUMBERS = 2**20  # of queries that are answered at once


@dataclass(frozen=True)
class CountQuery:
    """Records with ``low <= number < high`` and with one of the values, in every column that is named."""

    ranges: Mapping[str, Bounds] = field(default_factory=dict)
    values: Mapping[str, frozenset[str]] = field(default_factory=dict)


@dataclass(frozen=True)
class Answer:
    true: int
    estimate: float

    @property
    def error(self) -> float:
        """Percent of the true count."""
        return 100 * abs(self.estimate - self.true) / max(self.true, 1)


def _adult(age: Bounds | None, marital: Sequence[str], race: Sequence[str]) -> CountQuery:
    values = {"marital-status": frozenset(marital), "race": frozenset(race)}
    return CountQuery({"age": age} if age else {}, {name: chosen for name, chosen in values.items() if chosen})


_FOUR = ("Married-civ-spouse", "Never-married", "Married-spouse-absent", "Divorced")
_RACES = ("White", "Black", "Asian-Pac-Islander", "Amer-Indian-Eskimo")

ADULT_QUERIES = (  # the six of the paper; an age between a and b means from a on and below b + 1
    _adult(None, _FOUR, _RACES),
    _adult((37, 78), _FOUR, _RACES),
    _adult((22, 43), (), _RACES[:2]),
    _adult((47, 68), (_FOUR[0], _FOUR[1], _FOUR[3]), _RACES[:2]),
    _adult((42, 53), (_FOUR[0], _FOUR[3], _FOUR[2]), _RACES[:3]),
    _adult((42, 53), _FOUR[:2], _RACES[:2]),
)


def count_queries(table: Any, tree: CutTree, queries: Sequence[CountQuery]) -> tuple[Answer, ...]:
    """Answers of the blocks of ``tree`` on the original ``table`` (a file or any dataframe)."""
    return answers(tree, count_combinations(tree.records(table), tree.columns), queries)


def answers(tree: CutTree, counts: CountTable, queries: Sequence[CountQuery]) -> tuple[Answer, ...]:
    true, estimated = true_counts(tree, counts, queries), estimates(tree, counts, queries)
    return tuple(Answer(*pair) for pair in zip(true.tolist(), estimated.tolist(), strict=True))


def true_counts(tree: CutTree, counts: CountTable, queries: Sequence[CountQuery]) -> Labels:
    """(n_queries,) records of the original that match each query."""
    columns, n = _columns(tree, counts, queries), counts.n

    def count(some: Sequence[CountQuery]) -> Labels:
        selected = np.ones((len(some), n.size), dtype=bool)
        for name, column in columns.items():
            places, named = _naming(some, name)
            selected[places] &= column.selected(named)
        return selected @ n

    return np.concatenate([count(some) for some in _portions(queries, n.size)])


def estimates(tree: CutTree, counts: CountTable, queries: Sequence[CountQuery], totals: Labels | None = None) -> Vector:
    """(n_queries,) estimated counts. ``totals``: (n_blocks,) released records; if not given, all records."""
    columns = _columns(tree, counts, queries)
    if totals is None:
        totals = np.bincount(tree.block_of(counts.combinations), weights=counts.n, minlength=tree.n_blocks)

    block_shares = {name: _BlockShares.of(tree, name, column) for name, column in columns.items()}

    def estimate(some: Sequence[CountQuery]) -> Vector:
        shares = np.ones((len(some), tree.n_blocks))
        for name, of_blocks in block_shares.items():
            places, named = _naming(some, name)
            shares[places] *= of_blocks.inside(named)
        estimated: Vector = (totals * shares).sum(axis=1)
        return estimated

    return np.concatenate([estimate(some) for some in _portions(queries, tree.n_blocks)])


def _columns(tree: CutTree, counts: CountTable, queries: Sequence[CountQuery]) -> dict[str, _QueryColumn]:
    """Those of ranges first, as they are in the tree."""
    names = {name for query in queries for name in (*query.ranges, *query.values)}
    with_range = {name for query in queries for name in query.ranges}
    place = {name: at for at, name in enumerate(tree.columns)}
    ordered = sorted(names, key=lambda name: (name not in with_range, place.get(name, -1), name))
    return {name: _column(tree, name, counts) for name in ordered}


def _naming(queries: Sequence[CountQuery], name: str) -> tuple[list[int], list[CountQuery]]:
    """The queries on a column, and where they are."""
    places = [at for at, query in enumerate(queries) if name in query.ranges or name in query.values]
    return places, [queries[at] for at in places]


def _portions(queries: Sequence[CountQuery], n_numbers: int) -> Iterator[Sequence[CountQuery]]:
    """The queries in portions of bounded memory; ``n_numbers``: that each needs. One empty portion of none."""
    size = max(1, MOST_NUMBERS // max(1, n_numbers))
    for start in range(0, max(1, len(queries)), size):
        yield queries[start : start + size]


@dataclass(frozen=True, eq=False)
class _BlockShares:
    """What is the same for every query on one column. Missing values are in no query; in a part that mixes them with
    known values, they count as one more code."""

    column: _QueryColumn
    ranges: tuple[Ints, Ints, Ints]  # of codes: the part, the first code, the one after the last
    covered: Vector  # (n_parts,) length
    part_of: Ints  # (n_blocks,)

    @classmethod
    def of(cls, tree: CutTree, name: str, column: _QueryColumn) -> _BlockShares:
        index, lengths = tree.columns.index(name), column.lengths
        if tree.domains[index].has_missing:
            lengths = np.append(lengths, lengths.mean())
        ranges = tree.part_ranges[index]
        return cls(column, ranges, _part_sums(ranges, lengths[None])[0], tree.block_parts[:, index])

    def inside(self, queries: Sequence[CountQuery]) -> Matrix:
        """(n_queries, n_blocks) share of each block that is in the query."""
        overlap = _part_sums(self.ranges, self.column.inside(queries))
        shares = np.divide(overlap, self.covered, out=np.zeros(overlap.shape), where=self.covered > 0)
        return shares[:, self.part_of]


def _part_sums(ranges: tuple[Ints, Ints, Ints], lengths: Matrix) -> Matrix:
    """(n_queries, n_parts) the sum of the lengths of the codes of each part; 0 for a code beyond those given.
    ``lengths``: (n_queries, n_values)."""
    part, start, stop = ranges
    n_queries, n_parts = len(lengths), int(part.max()) + 1
    sums = np.zeros((n_queries, lengths.shape[1] + 2))
    np.cumsum(lengths, axis=1, out=sums[:, 1:-1])
    sums[:, -1] = sums[:, -2]
    of_query = np.arange(n_queries)[:, None] * n_parts + part
    of_ranges = sums[:, stop] - sums[:, start]
    summed: Matrix = np.bincount(of_query.ravel(), of_ranges.ravel(), n_queries * n_parts).astype(
        np.float64, copy=False
    )
    return summed.reshape(n_queries, n_parts)


class _QueryColumn(Protocol):
    """A column, prepared for many queries."""

    def selected(self, queries: Sequence[CountQuery]) -> NDArray[np.bool_]:
        """(n_queries, n_rows) which rows are in each query."""

    @property
    def lengths(self) -> Vector:
        """(n_values,) of the codes."""

    def inside(self, queries: Sequence[CountQuery]) -> Matrix:
        """(n_queries, n_values) how much of every code is in each query."""


def _column(tree: CutTree, name: str, counts: CountTable) -> _QueryColumn:
    if name not in tree.columns:
        raise PolicyError.unknown_column("the query", name, tree.columns)
    domain = tree.domains[tree.columns.index(name)]
    if isinstance(domain, NumericDomain):
        return _NumberLine.of(domain, counts)
    assert isinstance(domain, CategoricalDomain)
    return _Values(domain, domain.codes(counts[name]))


@dataclass(frozen=True, eq=False)
class _NumberLine:
    name: str
    numbers: Vector  # (n_rows,) NaN where missing
    edges: Vector  # (n_values + 1,) of the codes; the outer ones end with the range of the table

    @classmethod
    def of(cls, domain: NumericDomain, counts: CountTable) -> _NumberLine:
        cells = counts[domain.name]
        known = pc.is_valid(cells).to_numpy()
        numbers = np.full(len(cells), np.nan)
        numbers[known] = as_numbers(domain.name, cells.filter(pa.array(known)))
        low, high = (numbers[known].min(), numbers[known].max()) if known.any() else (0.0, 0.0)
        unit = 1.0 if pa.types.is_integer(cells.type) or pa.types.is_date(cells.type) else 0.0
        edges = np.array([low, *domain.cuts, max(high + unit, domain.cuts[-1] if domain.cuts else -np.inf)])
        return cls(domain.name, numbers, np.maximum.accumulate(edges))

    def selected(self, queries: Sequence[CountQuery]) -> NDArray[np.bool_]:
        low, high = self._ranges(queries)
        selected: NDArray[np.bool_] = (self.numbers >= low) & (self.numbers < high)
        return selected

    @property
    def lengths(self) -> Vector:
        return self.edges[1:] - self.edges[:-1]

    def inside(self, queries: Sequence[CountQuery]) -> Matrix:
        low, high = self._ranges(queries)
        overlap: Matrix = np.minimum(self.edges[1:], high) - np.maximum(self.edges[:-1], low)
        return np.maximum(overlap, 0.0)

    def _ranges(self, queries: Sequence[CountQuery]) -> tuple[Matrix, Matrix]:
        """(n_queries, 1) each: from where to where."""
        if any(self.name not in query.ranges for query in queries):
            raise PolicyError.unfit_query(self.name, "a range")
        ends = np.array([query.ranges[self.name] for query in queries], dtype=np.float64).reshape(-1, 2)
        return ends[:, :1], ends[:, 1:]


@dataclass(frozen=True, eq=False)
class _Values:
    domain: CategoricalDomain
    codes: Labels  # (n_rows,)

    def selected(self, queries: Sequence[CountQuery]) -> NDArray[np.bool_]:
        missing = np.zeros((len(queries), 1), dtype=bool)  # in no query
        return np.hstack([self._chosen(queries), missing])[:, self.codes]

    @property
    def lengths(self) -> Vector:
        return np.ones(self.domain.n_values)

    def inside(self, queries: Sequence[CountQuery]) -> Matrix:
        return self._chosen(queries).astype(np.float64)

    def _chosen(self, queries: Sequence[CountQuery]) -> NDArray[np.bool_]:
        """(n_queries, n_values) whether each query has the value."""
        name, values = self.domain.name, self.domain.values
        if any(name not in query.values for query in queries):
            raise PolicyError.unfit_query(name, "values")
        chosen = [[value in query.values[name] for value in values] for query in queries]
        return np.array(chosen, dtype=bool).reshape(len(queries), len(values))
