"""Swapped values: they were exchanged between two records, so what one record shows tells about another person.

If a person is a record, the owner of its released value in a swapped column is their partner, and the partner's record
shows the person's value in return. So a pair of a person and a record stands or falls with the pairs of their partners,
one for every swapped column, and each of these has likelihoods of its own in all other columns; and so on with the
partners of partners, as far as the limit on work allows. Owners are known where one person of the stratum has the
value, and holders where one record shows it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import prod

import numpy as np

from shoal.assessment.risk.informed.candidate_pairs import CandidatePairs
from shoal.assessment.risk.informed.informed_tables import InformedTables
from shoal.assessment.risk.informed.likelihood import Likelihood
from shoal.kernels import Labels, Vector
from shoal.kernels.combinations import number_combinations

LEAST_POSTERIOR = 1e-6  # of a pair of partners, so that one that was not kept excludes nothing
MOST_COLUMNS = 4  # swapped columns whose partners are compared: those of which most owners are known
MOST_COMPARED = 60_000_000  # cells of partners, as expected if columns are independent
MOST_PAIRS = 20_000_000  # of persons and records that are within the window of one column


@dataclass(frozen=True, eq=False)
class ExchangedColumn:
    name: str
    owners: Labels  # (n_released,) the only person whose original value it is; -1: none, or several
    holders: Labels  # (n_original,) the only record that shows the person's value; -1: none, or several

    @classmethod
    def of(cls, tables: InformedTables, name: str) -> ExchangedColumn:
        missing, n = tables.missing(name), len(tables.expected)
        is_missing = np.concatenate([missing.of_persons, missing.of_records])
        columns = [np.concatenate(each) for each in (tables.labels(name), tables.strata)]
        values = number_combinations([np.where(is_missing, -1, columns[0]), columns[1]], len(is_missing))
        values = np.where(is_missing | (columns[1] < 0), -1, values)
        persons, records = values[:n], values[n:]
        n_values = int(values.max(initial=-1)) + 1
        return cls(name, _only_place(persons, n_values)[records], _only_place(records, n_values)[persons])

    @property
    def n_known(self) -> int:
        return int(np.count_nonzero(self.owners >= 0))


def _only_place(values: Labels, n_values: int) -> Labels:
    """(n_values + 1,) where each value is, if in one place only, else -1; the last, of value -1, is -1."""
    known = np.flatnonzero(values >= 0)
    places = np.full(n_values + 1, -1, dtype=np.int64)
    places[values[known]] = known
    several = np.bincount(values[known], minlength=n_values) != 1
    places[:-1][several] = -1
    return places


@dataclass(frozen=True, eq=False)
class ExchangeLikelihood(Likelihood):
    """What the partners of a person tell; ``columns`` is empty: those of the others are counted with them."""

    exchanged: tuple[ExchangedColumn, ...]
    others: tuple[Likelihood, ...]
    n_steps: int  # 1: partners, 2: partners of partners, too

    @classmethod
    def of(
        cls, columns: Sequence[ExchangedColumn], others: Sequence[Likelihood], most_steps: int
    ) -> ExchangeLikelihood:
        """``columns``: that were swapped; ``others``: the likelihoods of all columns, one by one."""
        found = sorted(columns, key=lambda each: -each.n_known)
        n_affordable = MOST_COMPARED / max(1.0, _n_compared(others, len(found[0].holders), len(found[0].owners)))
        m = min(MOST_COLUMNS, max(1, int(n_affordable)))
        used = tuple(each for each in found[:m] if each.n_known)
        return cls((), used, tuple(others), most_steps if len(used) ** 2 <= n_affordable else 1)

    def log_ratios(self, persons: Labels, records: Labels) -> Vector:
        total = np.zeros(len(persons))
        for column in self.exchanged:
            owners, holders = column.owners[records], column.holders[persons]
            told = (owners >= 0) & (holders >= 0) & (owners != persons)  # a value that stayed has no partner
            for likelihood in self._of_partners(column):
                at = np.flatnonzero(told & (total > -np.inf))
                total[at] += likelihood.log_ratios(owners[at], holders[at])
        return total

    def _of_partners(self, column: ExchangedColumn) -> tuple[Likelihood, ...]:
        """Without the column itself, whose exchange the pair counts already."""
        others = tuple(each for each in self.others if each.columns != (column.name,))
        rest = tuple(each for each in self.exchanged if each is not column)
        return (*others, replace(self, exchanged=rest, n_steps=1)) if self.n_steps > 1 else others

    def log_posteriors(self, pairs: CandidatePairs, n_released: int) -> Vector:
        """(n_pairs,) what the posteriors of the partners tell of every pair, relative to chance. ``pairs``: of all
        persons of the original in their order, with the logarithm of their posterior."""
        keys = pairs.persons * n_released + pairs.records
        order = np.argsort(keys)
        total = np.zeros(len(keys))
        for column in self.exchanged:
            owners, holders = column.owners[pairs.records], column.holders[pairs.persons]
            told = np.flatnonzero((owners >= 0) & (holders >= 0) & (owners != pairs.persons))
            wanted = owners[told] * n_released + holders[told]
            at = order[np.minimum(np.searchsorted(keys, wanted, sorter=order), len(keys) - 1)]
            posterior = np.where(keys[at] == wanted, np.exp(pairs.log_ratios[at]), 0.0)
            total[told] += np.log(np.maximum(posterior, LEAST_POSTERIOR) * n_released)
        return total


def _n_compared(likelihoods: Sequence[Likelihood], n_persons: int, n_records: int) -> float:
    """Cells that one partner of every pair has, if columns are independent; pairs are those that no column excludes."""
    shares = sorted(each.window.mean_size / n_records if each.window else 1.0 for each in likelihoods)
    return min(n_persons * n_records * shares[0], MOST_PAIRS) * prod(shares[1:]) * len(likelihoods)
