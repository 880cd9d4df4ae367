"""Recall against pairs, for every quantifier, key and window: which blocking keeps the true pairs.

two files, the true pairs, a budget of pairs or a number of decimals -> BlockingTable

With a budget all blockings are made to keep about the same share of all pairs: keys are cut into blocks of equal size,
windows have that share of the records. With decimals they are those of Nin & Torra (2006), "Blocking anonymized data":
keys are rounded, and a window has the share 10^-decimals. Windows are not widened for equal values, as this would
exceed the budget. Categories are keys as they are: their number of pairs cannot be chosen, and is shown; rows above the
budget are marked.

More than 10,000 persons are sampled, each with their released record; the shares of pairs are those of the sample.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from shoal.errors import LinkageError
from shoal.kernels import Labels
from shoal.linkage.blocking_choice import PAIRS_PER_RECORD, SAMPLE
from shoal.linkage.fuzzy_blocking import FuzzyBlocking
from shoal.linkage.key_bins import KeyBins
from shoal.linkage.linkage_blocking import LinkageBlocking, blocking_quality
from shoal.linkage.linkage_tables import LinkageTables
from shoal.linkage.quantifiers import published_quantifiers, quantifier_text
from shoal.linkage.sorted_neighborhood import SortedNeighborhood
from shoal.linkage.standard_blocking import StandardBlocking
from shoal.linkage.tree_blocking import MapBlocking, TreeBlocking

SLACK = 1.02  # blocks of equal size hold whole records, so that they keep slightly more or less than the budget
LARGEST_SHARE = 0.1  # of all pairs, without a budget: where all are kept, nothing is compared
MOST_UNITS = 2_000  # of a map that is trained for one row of the table


@dataclass(frozen=True)
class BlockingRow:
    """One blocking. ``by``: its quantifier or key; empty for the tree and the map."""

    method: str
    by: str
    n_found: int  # true pairs that it keeps
    recall: float
    n_pairs: int
    pair_share: float  # of all pairs
    exceeds_budget: bool  # its recall is then not that of the budget


@dataclass(frozen=True)
class BlockingTable:
    rows: tuple[BlockingRow, ...]
    n_persons: int  # whose released record is known, or a sample of them
    n_records: int
    n_pairs: int | None  # the budget that was given, for all records
    budget: float | None  # share of all pairs that a blocking may keep; None with decimals
    decimals: int | None
    sampled: bool

    @property
    def means(self) -> dict[str, float]:
        """Mean number of true pairs kept, by method: the figures of the paper's tables."""
        methods = dict.fromkeys(row.method for row in self.rows)
        return {m: float(np.mean([row.n_found for row in self.rows if row.method == m])) for m in methods}

    def to_dict(self) -> dict[str, Any]:
        """Figures for JSON; no individual record."""
        return {**asdict(self), "rows": [asdict(row) for row in self.rows], "means": self.means}


def blocking_table(
    tables: LinkageTables, truth: Labels, *, n_pairs: int | None = None, decimals: int | None = None, seed: int = 0
) -> BlockingTable:
    """``n_pairs``: the budget, by default 1,000 pairs for every person, at most a tenth of all pairs; ``decimals``: the
    rounding of the paper."""
    if n_pairs is not None and (decimals is not None or n_pairs < 1):
        raise LinkageError.bad_budget()
    known = np.flatnonzero(truth >= 0)
    if not len(known):
        raise LinkageError.no_true_pair()
    generator = np.random.default_rng(np.random.SeedSequence(seed))
    drawn = known if len(known) <= SAMPLE else np.sort(generator.choice(known, SAMPLE, replace=False))
    sample = tables.take(drawn, truth[drawn])
    share = _share_of_pairs(tables, n_pairs, decimals)
    budget = share if decimals is None else None
    rows = tuple(_row(*each, sample, budget) for each in _blockings(sample, share, decimals))
    sampled = len(drawn) < len(known)
    return BlockingTable(rows, sample.n_original, sample.n_released, n_pairs, budget, decimals, sampled)


def _share_of_pairs(tables: LinkageTables, n_pairs: int | None, decimals: int | None) -> float:
    if decimals is not None:
        return float(10.0**-decimals)
    if n_pairs is None:
        return min(LARGEST_SHARE, PAIRS_PER_RECORD / tables.n_released)
    return min(1.0, n_pairs / (tables.n_original * tables.n_released))


def _blockings(sample: LinkageTables, share: float, decimals: int | None) -> Iterator[tuple[str, str, LinkageBlocking]]:
    n_blocks = max(1, round(1 / share))
    names = [column.name for column in sample.original]
    cut = KeyBins(decimals, n_blocks if decimals is None else None)
    for family in published_quantifiers().values():
        for quantifier in family:
            yield "fuzzy", quantifier_text(quantifier), FuzzyBlocking((quantifier,), cut.decimals, cut.n_blocks)
    for name in names:
        yield "standard", name, StandardBlocking((name,), cut.decimals, cut.n_blocks)
    for name in names:
        yield "sorted", name, SortedNeighborhood((name,), share, adapt=False)
    yield "twod_tree", "", TreeBlocking(n_blocks)
    if n_blocks <= MOST_UNITS:
        yield "som", "", MapBlocking(n_blocks)


def _row(method: str, by: str, blocking: LinkageBlocking, sample: LinkageTables, budget: float | None) -> BlockingRow:
    candidates = blocking.candidates(sample)
    quality = blocking_quality(candidates, np.arange(sample.n_original))
    recall = quality.recall or 0.0
    n_found = round(recall * sample.n_original)
    share = 1 - quality.reduction_ratio
    exceeds = budget is not None and share > SLACK * budget
    return BlockingRow(method, by, n_found, recall, quality.n_pairs, share, exceeds)
