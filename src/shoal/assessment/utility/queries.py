"""Count queries on generalized records: the estimate of a range query, compared with the true count.

Hore, Jammalamadaka, Mehrotra & D'Ascanio, Constrained generalization for data anonymization: a systematic search based
approach, experiment 9.

    estimate = sum over blocks of count(block) * share of the block that is in the query

Records are assumed to be distributed uniformly in their block; a block within the query counts in full (the paper
prints a second sum over all blocks that overlap, which would count these twice).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from shoal.encode.combination_counts import count_combinations
from shoal.encode.count_table import CountTable
from shoal.errors import PolicyError
from shoal.kernels import Labels, Vector
from shoal.methods.generalization.column_reader import read_named
from shoal.plan import CategoricalDomain, CutTree, Domain, NumericDomain
from shoal.plan.domain import as_numbers
from shoal.sources import CellKind

Bounds = tuple[float, float]


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
    kinds = {domain.name: _kind(domain) for domain in tree.domains}
    records = read_named(table, kinds, tree.columns, "the cut tree")
    return answers(tree, count_combinations(records, tree.columns), queries)


def _kind(domain: Domain) -> CellKind:
    return ("date" if domain.is_date else "numeric") if isinstance(domain, NumericDomain) else "text"


def answers(tree: CutTree, counts: CountTable, queries: Sequence[CountQuery]) -> tuple[Answer, ...]:
    true, estimated = true_counts(tree, counts, queries), estimates(tree, counts, queries)
    return tuple(Answer(*pair) for pair in zip(true.tolist(), estimated.tolist(), strict=True))


def true_counts(tree: CutTree, counts: CountTable, queries: Sequence[CountQuery]) -> Labels:
    """(n_queries,) records of the original that match each query."""
    columns, n = _columns(tree, counts, queries), counts.n

    def count(query: CountQuery) -> int:
        selected = np.ones(n.size, dtype=bool)
        for name in (*query.ranges, *query.values):
            selected &= columns[name].selected(query)
        return int(n[selected].sum())

    return np.array([count(query) for query in queries], dtype=np.int64)


def estimates(tree: CutTree, counts: CountTable, queries: Sequence[CountQuery], totals: Labels | None = None) -> Vector:
    """(n_queries,) estimated counts. ``totals``: (n_blocks,) released records; if not given, all records."""
    columns = _columns(tree, counts, queries)
    if totals is None:
        totals = np.bincount(tree.block_of(counts.combinations), weights=counts.n, minlength=tree.n_blocks)

    def estimate(query: CountQuery) -> float:
        shares = np.ones(tree.n_blocks)
        for name in (*query.ranges, *query.values):
            index = tree.columns.index(name)
            shares *= _part_shares(tree, index, *columns[name].lengths(query))[tree.block_parts[:, index]]
        return float((totals * shares).sum())

    return np.array([estimate(query) for query in queries])


def _columns(tree: CutTree, counts: CountTable, queries: Sequence[CountQuery]) -> dict[str, _QueryColumn]:
    names = {name for query in queries for name in (*query.ranges, *query.values)}
    return {name: _column(tree, name, counts) for name in sorted(names)}


def _part_shares(tree: CutTree, index: int, lengths: Vector, inside: Vector) -> Vector:
    """(n_parts,) share of each part of one column that is in the query. Missing values are in no query; in a part that
    mixes them with known values, they count as one more code."""
    if tree.domains[index].has_missing:
        lengths, inside = np.append(lengths, lengths.mean()), np.append(inside, 0.0)
    part, start, stop = tree.part_ranges[index]
    sums = (np.concatenate([[0.0], np.cumsum(each)]) for each in (lengths, inside))
    covered, overlap = (np.bincount(part, weights=each[stop] - each[start]) for each in sums)
    shares: Vector = np.divide(overlap, covered, out=np.zeros(covered.size), where=covered > 0)
    return shares


class _QueryColumn(Protocol):
    """A column, prepared for many queries."""

    def selected(self, query: CountQuery) -> NDArray[np.bool_]:
        """(n_rows,) which rows are in the query."""

    def lengths(self, query: CountQuery) -> tuple[Vector, Vector]:
        """(n_values,) the length of every code, and how much of it is in the query."""


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

    def selected(self, query: CountQuery) -> NDArray[np.bool_]:
        low, high = self._range(query)
        selected: NDArray[np.bool_] = (self.numbers >= low) & (self.numbers < high)
        return selected

    def lengths(self, query: CountQuery) -> tuple[Vector, Vector]:
        low, high = self._range(query)
        overlap = np.minimum(self.edges[1:], high) - np.maximum(self.edges[:-1], low)
        return self.edges[1:] - self.edges[:-1], np.maximum(overlap, 0.0)

    def _range(self, query: CountQuery) -> Bounds:
        if self.name not in query.ranges:
            raise PolicyError.unfit_query(self.name, "a range")
        return query.ranges[self.name]


@dataclass(frozen=True, eq=False)
class _Values:
    domain: CategoricalDomain
    codes: Labels  # (n_rows,)

    def selected(self, query: CountQuery) -> NDArray[np.bool_]:
        selected: NDArray[np.bool_] = np.append(self._inside(query), False)[self.codes]  # missing: in no query
        return selected

    def lengths(self, query: CountQuery) -> tuple[Vector, Vector]:
        return np.ones(self.domain.n_values), self._inside(query).astype(np.float64)

    def _inside(self, query: CountQuery) -> NDArray[np.bool_]:
        if self.domain.name not in query.values:
            raise PolicyError.unfit_query(self.domain.name, "values")
        chosen = query.values[self.domain.name]
        return np.array([value in chosen for value in self.domain.values])
