"""Chains of partners: what follows from one pair of a person and a record, where values were swapped.

If person i is record r, the owner of its released value in a swapped column is the partner of i, and the partner's
record is the one that shows the value of i. So every swapped column leads from one pair to another, and back. Pairs
that are connected in this way hold together or not at all: not, if a person would be two records, a record two persons,
or a pair is excluded by its values. Wrong pairs lead to a contradiction after about the square root of the number of
records, so that this finds persons even where values may have moved anywhere.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from shoal.assessment.risk.informed.exchange_likelihood import ExchangedColumn
from shoal.assessment.risk.informed.likelihood import Likelihood, Mask
from shoal.kernels import Labels, Vector

MOST_PAIRS = 2_500_000  # of all persons and all records; in larger files chains are not followed
MOST_COLUMNS = 4  # swapped columns that are followed: those of which most owners are known


@dataclass(frozen=True, eq=False)
class PartnerChains(Likelihood):
    """``columns`` is empty: those of the others are counted."""

    holds: Mask  # (n_original, n_released) whether the pair and all that follow from it are possible

    @classmethod
    def of(cls, exchanged: Sequence[ExchangedColumn], others: Sequence[Likelihood]) -> PartnerChains | None:
        """``others``: likelihoods that exclude pairs by their values. None where there are too many pairs."""
        n_persons, n_records = len(exchanged[0].holders), len(exchanged[0].owners)
        if n_persons * n_records > MOST_PAIRS:
            return None
        persons, records = (each.ravel() for each in np.indices((n_persons, n_records)))
        followed = sorted(exchanged, key=lambda each: -each.n_known)[:MOST_COLUMNS]
        chains = _connected(followed, persons, records, n_records)
        is_excluded = np.zeros(len(persons), dtype=np.bool_)
        for likelihood in others:
            possible = likelihood.possible(persons, records)
            is_excluded |= False if possible is None else ~possible
        n_chains = int(chains.max()) + 1
        fails = np.bincount(chains[is_excluded], minlength=n_chains) > 0
        for sides in (persons, records):
            fails |= _has_several(chains, sides, n_chains)
        return cls((), ~fails[chains].reshape(n_persons, n_records))

    def log_ratios(self, persons: Labels, records: Labels) -> Vector:
        return np.where(self.holds[persons, records], 0.0, -np.inf)

    def possible(self, persons: Labels, records: Labels) -> Mask | None:
        found: Mask = self.holds[persons, records]
        return found


def _connected(exchanged: Sequence[ExchangedColumn], persons: Labels, records: Labels, n_records: int) -> Labels:
    """(n_pairs,) the chain of every pair, numbered 0, 1, ..."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    ends = [_partners(column, persons, records) for column in exchanged]
    start = np.concatenate([at for at, _, _ in ends])
    stop = np.concatenate([owners * n_records + holders for _, owners, holders in ends])
    n = len(persons)
    links = coo_array((np.ones(len(start), dtype=np.int8), (start, stop)), shape=(n, n))
    chains: Labels = connected_components(links, directed=False)[1].astype(np.int64)
    return chains


def _partners(column: ExchangedColumn, persons: Labels, records: Labels) -> tuple[Labels, Labels, Labels]:
    """The pairs of which the partners are known, and the person and the record of these. The value of the person must
    be theirs alone: else the record that shows it may be that of another's partner."""
    owners, holders = column.owners[records], column.holders[persons]
    at = np.flatnonzero((owners >= 0) & (holders >= 0) & (column.owners[holders] == persons))
    return at, owners[at], holders[at]


def _has_several(chains: Labels, sides: Labels, n_chains: int) -> Mask:
    """(n_chains,) whether a person, or a record, is in several pairs of the chain."""
    n = int(sides.max()) + 1
    keys, counts = np.unique(chains * n + sides, return_counts=True)
    return np.bincount(keys[counts > 1] // n, minlength=n_chains) > 0
