"""How well counts can be asked of generalized records: the estimate of a range query, beside the true count.

Hore, Jammalamadaka, Mehrotra & D'Ascanio, Constrained generalization for data anonymization: a systematic search based
approach, experiment 9.

    estimate = sum over blocks of count(block) * share of the block that lies in the query

Records are taken to lie evenly in their block; a block inside of the query counts in full (printed is a second sum over
all blocks that overlap, which would count these twice).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from shoal.errors import PolicyError
from shoal.kernels import Labels, Vector
from shoal.plan import Categories, CutTree, Numbers
from shoal.plan.domain import as_numbers

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
    return CountQuery({"age": age} if age else {}, {name: wanted for name, wanted in values.items() if wanted})


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


def answers(tree: CutTree, counts: pa.Table, queries: Sequence[CountQuery]) -> tuple[Answer, ...]:
    """Of a table of combinations, whose last column says how many records have each."""
    n: Labels = counts.column(counts.num_columns - 1).to_numpy().astype(np.int64)
    totals = np.bincount(tree.block_of(counts), weights=n, minlength=tree.n_blocks)
    return tuple(
        Answer(int(n[_selected(counts, query)].sum()), float((totals * _overlaps(tree, counts, query)).sum()))
        for query in queries
    )


def _selected(counts: pa.Table, query: CountQuery) -> Any:
    """(n_rows,) bool"""
    selected = np.ones(len(counts), dtype=bool)
    for name, (low, high) in query.ranges.items():
        known = pc.is_valid(counts[name]).to_numpy()
        numbers = as_numbers(name, counts[name].filter(pa.array(known)))
        selected[known] &= (numbers >= low) & (numbers < high)
        selected &= known
    for name, wanted in query.values.items():
        found = pc.is_in(counts[name].cast(pa.string()), value_set=pa.array(sorted(wanted)))  # missing: in none
        selected &= found.to_numpy()
    return selected


def _overlaps(tree: CutTree, counts: pa.Table, query: CountQuery) -> Vector:
    """(n_blocks,) the share of every block that lies in the query."""
    shares = np.ones(tree.n_blocks)
    for name in [*query.ranges, *query.values]:
        if name not in tree.columns:
            raise PolicyError.unknown_column("the query", name, tree.columns)
        at = tree.columns.index(name)
        of_part = _part_shares(tree, at, counts, query)
        shares *= of_part[tree.block_parts[:, at]]
    return shares


def _part_shares(tree: CutTree, at: int, counts: pa.Table, query: CountQuery) -> Vector:
    """(n_parts,) of one column. What is missing is in no query; where it is mixed with what is known, it counts as a
    code among the others."""
    domain = tree.domains[at]
    if isinstance(domain, Numbers):
        lengths, inside = _on_line(domain, counts, query.ranges[domain.name])
    else:
        assert isinstance(domain, Categories)
        wanted = query.values[domain.name]
        inside = np.array([float(value in wanted) for value in domain.values])
        lengths = np.ones(domain.n_values)
    if domain.has_missing:
        lengths, inside = np.append(lengths, lengths.mean()), np.append(inside, 0.0)
    sums = np.concatenate([[0.0], np.cumsum(lengths)]), np.concatenate([[0.0], np.cumsum(inside)])
    ends = [np.array(part.ranges) for part in tree.parts[at]]
    covered, overlap = (np.array([(each[e[:, 1]] - each[e[:, 0]]).sum() for e in ends]) for each in sums)
    shares: Vector = np.divide(overlap, covered, out=np.zeros(len(ends)), where=covered > 0)
    return shares


def _on_line(domain: Numbers, counts: pa.Table, wanted: Bounds) -> tuple[Vector, Vector]:
    """(n_codes,) the length of every code and how much of it lies in the query; outer ones end where the table does."""
    cells = counts[domain.name]
    numbers = as_numbers(domain.name, cells.filter(pc.is_valid(cells)))
    unit = 1.0 if pa.types.is_integer(cells.type) or pa.types.is_date(cells.type) else 0.0
    edges = np.array(
        [numbers.min(), *domain.cuts, max(numbers.max() + unit, domain.cuts[-1] if domain.cuts else -np.inf)]
    )
    edges = np.maximum.accumulate(edges)
    overlap = np.minimum(edges[1:], wanted[1]) - np.maximum(edges[:-1], wanted[0])
    return edges[1:] - edges[:-1], np.maximum(overlap, 0.0)
