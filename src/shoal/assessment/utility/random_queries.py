"""Random count queries, such as an analyst might ask: two or three columns, with a range or some values of each.

A query selects 10 to 60 percent of the records on every column it names. The caller drops queries that match hardly any
record: the relative error of a count of 3 says little.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from shoal.assessment.utility.queries import Bounds, CountQuery
from shoal.encode.codes import to_codes
from shoal.encode.count_table import CountTable
from shoal.kernels import Vector
from shoal.plan import CategoricalDomain, Domain, NumericDomain
from shoal.plan.domain import as_numbers

SMALLEST_SHARE, LARGEST_SHARE = 0.1, 0.6
COLUMNS = (2, 3)


def random_queries(
    counts: CountTable, domains: Sequence[Domain], n_queries: int, seed: int = 0
) -> tuple[CountQuery, ...]:
    """Queries on a table of counts; ``domains`` say which columns are queried, and how."""
    return tuple(islice(drawn_queries(counts, domains, seed), n_queries))


def drawn_queries(counts: CountTable, domains: Sequence[Domain], seed: int = 0) -> Iterator[CountQuery]:
    """The same one by one, without end."""
    generator = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(9,)))
    columns = [(domain.name, _ValueShares(domain, counts)) for domain in domains]
    while True:
        yield _query(columns, generator)


def _query(columns: Sequence[tuple[str, _ValueShares]], generator: np.random.Generator) -> CountQuery:
    n_columns = min(COLUMNS[generator.integers(len(COLUMNS))], len(columns))
    chosen = [columns[place] for place in sorted(generator.choice(len(columns), n_columns, replace=False).tolist())]
    ranges = {name: column.bounds(generator) for name, column in chosen if column.is_numeric}
    values = {name: column.random_values(generator) for name, column in chosen if not column.is_numeric}
    return CountQuery(ranges, values)


class _ValueShares:
    """The known values of a column in order, and the share of the records that each has."""

    def __init__(self, domain: Domain, counts: CountTable) -> None:
        cells = counts[domain.name]
        known = pc.is_valid(cells).to_numpy()
        cells, n = cells.filter(pa.array(known)), counts.n[known]
        self.is_numeric = isinstance(domain, NumericDomain)
        if self.is_numeric:
            self.numbers, of_row = np.unique(as_numbers(domain.name, cells), return_inverse=True)
        else:
            codes = to_codes(domain.name, cells)
            self.texts, of_row = codes.texts, codes.codes
        self.is_ordered = isinstance(domain, CategoricalDomain) and domain.is_ordered
        if self.is_ordered and isinstance(domain, CategoricalDomain):
            positions = {value: at for at, value in enumerate(domain.values)}
            order = sorted(range(len(self.texts)), key=lambda at: positions.get(self.texts[at], len(positions)))
            self.texts, of_row = [self.texts[at] for at in order], np.argsort(order)[of_row]
        cumulative: Vector = np.cumsum(np.bincount(of_row, weights=n)) / max(int(n.sum()), 1)
        self.shares: Vector = np.diff(cumulative, prepend=0.0)
        self.cumulative: Vector = self.shares.cumsum()

    def bounds(self, generator: np.random.Generator) -> Bounds:
        """A range from one value up to another (exclusive), or to the end."""
        first, last = _random_run(generator, self.cumulative)
        above = self.numbers[last + 1] if last + 1 < self.numbers.size else np.inf
        return float(self.numbers[first]), float(above)

    def random_values(self, generator: np.random.Generator) -> frozenset[str]:
        """Consecutive values of an ordinal column; any values of other columns."""
        if self.is_ordered:
            first, last = _random_run(generator, self.cumulative)
            return frozenset(self.texts[first : last + 1])
        order = generator.permutation(self.shares.size)
        first, last = _random_run(generator, self.shares[order].cumsum())
        return frozenset(self.texts[at] for at in order[first : last + 1].tolist())


def _random_run(generator: np.random.Generator, cumulative: Vector) -> tuple[int, int]:
    """First and last place of values with about a random share of the records; at least one. ``cumulative``: the share
    of all values up to each."""
    share = generator.uniform(SMALLEST_SHARE, LARGEST_SHARE)
    start = generator.uniform(0, 1 - share)
    first = min(int(cumulative.searchsorted(start, side="right")), cumulative.size - 1)
    last = min(int(cumulative.searchsorted(start + share)), cumulative.size - 1)
    return first, max(first, last)
