"""Who is which record of a class, by tables of how often each released value occurs with each known one.

pairs of persons and records, values of both -> pairs with the logarithm of their posterior

A regression (`regression_posterior.py`) learns what nearly is a straight line. A table learns any dependence: a dose
that is least in middle age, the district of a postal code, a rate by age and region. As there, it is learned from the
release alone, by turns with the posterior. The known column, or the two, that tell most about a released one are chosen
by the true pairs: an intruder who tries all of them finds no more.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np
import pyarrow as pa

from shoal.assessment.risk.informed.candidate_pairs import CandidatePairs
from shoal.assessment.risk.informed.joint_posterior import log_posterior
from shoal.encode.codes import has_codes, to_codes
from shoal.kernels import Labels, Vector
from shoal.sources.kinds import with_inferred_kind

MOST_VALUES = 200  # of a column; of more, intervals with about equally many records
MOST_OF_TWO = 32  # of each of two columns that are known together
MOST_CHOSEN = 20_000  # true pairs by which known columns are chosen
LEAST_EXPLAINED = 0.005  # share of a column that its table must explain to be used
PRIOR = 0.1  # persons of every row of a table who have values as everybody has
N_STEPS = 10  # of expectation and maximization
N_DIGITS = 6  # of the logarithm of posteriors: equal records stay equal, in whatever order sums were added


@dataclass(frozen=True, eq=False)
class ValueTable:
    """A released column and what is known that tells most about it; values are numbered 0, 1, ..."""

    column: str
    of_persons: Labels  # (n_persons,) what is known of each
    of_records: Labels  # (n_records,) what each shows
    explained: float  # share of the differences between records that is explained, from 0 to 1

    def of_pairs(self, pairs: CandidatePairs) -> PairCells:
        n_values = int(self.of_records.max()) + 1
        known, values = self.of_persons[pairs.persons], self.of_records[pairs.records]
        return PairCells(known, values, known * n_values + values)


@dataclass(frozen=True, eq=False)
class PairCells:
    """(n_pairs,) each: what is known of the person, the value of the record, and the cell of both in the table."""

    known: Labels
    values: Labels
    cells: Labels

    def log_chances(self, chances: Vector) -> Vector:
        """(n_pairs,) of the value of the record, given what is known of the person; ``chances``: of the pairs."""
        of_all = np.bincount(self.values, chances) / chances.sum()
        of_known, of_cell = (np.bincount(each, chances)[each] for each in (self.known, self.cells))
        logarithms: Vector = np.log((of_cell + PRIOR * of_all[self.values]) / (of_known + PRIOR))
        return logarithms


def value_tables(
    persons: pa.Table, records: pa.Table, known: Sequence[str], shown: Sequence[str], truth: Labels
) -> list[ValueTable]:
    """The tables of columns that depend on something. ``persons``: with the columns ``known``; ``records``: with those
    that are ``shown``; ``truth``: (n_persons,) the record of each, -1 where there is none."""
    paired = np.flatnonzero(truth >= 0)
    paired = paired[np.sort(np.random.default_rng(0).permutation(len(paired))[:MOST_CHOSEN])]
    choices = list(_known_values(persons, known))
    tables = []
    for name in shown:
        values = _values(_codes(name, records), MOST_VALUES)
        of_pairs = values[truth[paired]]
        shares = [_explained(choice[paired], of_pairs) for choice in choices]
        best = int(np.argmax(shares)) if shares else -1
        if best >= 0 and shares[best] >= LEAST_EXPLAINED:
            tables.append(ValueTable(name, choices[best], values, shares[best]))
    return tables


def table_posterior(pairs: CandidatePairs, tables: Sequence[ValueTable], n_records: int) -> CandidatePairs:
    """``pairs``: with what is known of them before."""
    of_tables = [table.of_pairs(pairs) for table in tables]
    posterior = log_posterior(pairs, pairs.log_ratios, n_records)
    for _ in range(N_STEPS):
        chances = np.exp(posterior)
        told = pairs.log_ratios + sum(each.log_chances(chances) for each in of_tables)
        posterior = log_posterior(pairs, told, n_records)
    return replace(pairs, log_ratios=np.round(posterior, N_DIGITS))


def _known_values(persons: pa.Table, known: Sequence[str]) -> Iterator[Labels]:
    """(n_persons,) each: the values of one column, then of two together."""
    columns = [_codes(name, persons) for name in known]
    for codes in columns:
        yield _values(codes, MOST_VALUES)
    for one, other in combinations([_values(codes, MOST_OF_TWO) for codes in columns], 2):
        yield one * (int(other.max()) + 1) + other


def _codes(name: str, table: pa.Table) -> Labels:
    """(n_rows,) from 1 in the order of the values; 0 where missing, and where values cannot be compared."""
    cells = table[name]
    if not has_codes(cells.type) or not len(cells):
        return np.zeros(len(cells), dtype=np.int64)
    return to_codes(name, with_inferred_kind(cells)).codes + 1


def _values(codes: Labels, most: int) -> Labels:
    """(n_rows,) values numbered 0, 1, ..., or intervals of them where there are more than ``most``."""
    n = np.bincount(codes)
    if np.count_nonzero(n) <= most:
        return np.unique(codes, return_inverse=True)[1].astype(np.int64)
    before = np.cumsum(n) - n
    return (before * (most - 1) // len(codes))[codes] + (codes > 0)


def _explained(known: Labels, values: Labels) -> float:
    """Share of the differences between values that what is known explains: how much likelier it makes the value of a
    record than all records do, each without the record itself (the tau of Goodman & Kruskal 1954)."""
    n, n_values = len(values), int(values.max(initial=0)) + 1
    if n < 2:
        return 0.0
    cells = known * n_values + values
    of_cell = np.bincount(cells)[cells] - 1
    of_known, of_value = np.bincount(known)[known] - 1, np.bincount(values)[values] - 1
    by_all = of_value / (n - 1)
    by_known = (of_cell + PRIOR * by_all) / (of_known + PRIOR)
    left = 1 - float(by_all.mean())
    return round(max(0.0, float((by_known - by_all).mean()) / left), N_DIGITS) if left > 0 else 0.0
