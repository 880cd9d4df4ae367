"""Choice of a linkage blocking: the one with the highest recall on a sample, for a given number of pairs.

two files and the true pairs -> blocking

All methods are parametrized to leave about the same number of pairs, so that they are compared by recall alone: fuzzy
blocking with each of the thirty quantifiers, cut into blocks of equal size, and every column as the key of standard
blocking or as the sort key. Ties in recall are resolved in this order: fuzzy, standard, sorted neighborhood.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from shoal.errors import LinkageError
from shoal.kernels import Labels
from shoal.linkage.fuzzy_blocking import FuzzyBlocking
from shoal.linkage.linkage_blocking import BlockingQuality, LinkageBlocking, blocking_quality
from shoal.linkage.linkage_tables import LinkageTables
from shoal.linkage.quantifiers import published_quantifiers
from shoal.linkage.sorted_neighborhood import SortedNeighborhood
from shoal.linkage.standard_blocking import StandardBlocking

PAIRS_PER_RECORD = 1000
SAMPLE = 10_000
SLACK = 1.1  # tolerated excess of pairs: blocks of a sample are only approximately of the target size


@dataclass(frozen=True)
class EvaluatedBlocking:
    blocking: LinkageBlocking
    quality: BlockingQuality  # on the sample


@dataclass(frozen=True)
class BlockingChoice:
    blocking: LinkageBlocking
    evaluated: tuple[EvaluatedBlocking, ...]


def choose_blocking(
    tables: LinkageTables, truth: Labels, *, n_pairs: int | None = None, seed: int = 0
) -> BlockingChoice:
    """The best affordable blocking. ``n_pairs``: maximum number of pairs; by default 1,000 per original record."""
    all_pairs = tables.n_original * tables.n_released
    budget = PAIRS_PER_RECORD * tables.n_original if n_pairs is None else n_pairs
    share = min(1.0, budget / all_pairs)
    known = np.flatnonzero(truth >= 0)
    generator = np.random.default_rng(np.random.SeedSequence(seed))
    drawn = np.sort(generator.choice(known, min(SAMPLE, len(known)), replace=False))
    sample = tables.take(drawn, truth[drawn])
    truth_of_sample = np.arange(len(drawn))
    evaluated = tuple(
        EvaluatedBlocking(blocking, blocking_quality(blocking.candidates(sample), truth_of_sample))
        for blocking in _possible_blockings(tables, share)
    )
    affordable = [t for t in evaluated if 1 - t.quality.reduction_ratio <= SLACK * share]
    if not affordable:
        raise LinkageError.no_blocking_fits(budget)
    return BlockingChoice(max(affordable, key=lambda t: t.quality.recall or 0.0).blocking, evaluated)


def _possible_blockings(tables: LinkageTables, share: float) -> Iterator[LinkageBlocking]:
    n_blocks = int(np.ceil(1 / share))
    for family in published_quantifiers().values():
        for quantifier in family:
            yield FuzzyBlocking((quantifier,), n_blocks=n_blocks)
    for column in tables.original:
        yield StandardBlocking((column.name,), n_blocks=n_blocks)
    for column in tables.original:
        yield SortedNeighborhood((column.name,), window=share)
