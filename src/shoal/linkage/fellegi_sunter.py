"""The model of Fellegi & Sunter: how often true pairs, and all others, agree in every column; estimated by EM.

patterns of agreement and the number of pairs with each -> Model

Fellegi & Sunter (1969), doi:10.1080/01621459.1969.10501049; starting values of the EM algorithm as in Jaro (1989),
doi:10.1080/01621459.1989.10478785. Columns are assumed to be independent, given whether the pair is of one person. An
unknown level (-1) is no evidence, for or against.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from shoal.kernels import Labels, Matrix, Vector
from shoal.kernels.combinations import distinct_combinations
from shoal.linkage.agreement import Levels

STARTING_PROBABILITY = 0.9  # starting probability that a true pair agrees fully, and that another disagrees
STARTING_SHARE = 0.1  # starting share of true pairs
FLOOR = 1e-12  # probability, so that weights stay finite
TOLERANCE = 1e-10
MOST_STEPS = 1000


@dataclass(frozen=True, eq=False)
class Model:
    """``m[j][level]`` and ``u[j][level]``: the probability of a level of column j in true and in other pairs."""

    m: tuple[Vector, ...]
    u: tuple[Vector, ...]
    share: float  # of true pairs among all
    n_steps: int

    @property
    def weights(self) -> tuple[Vector, ...]:
        """log2(m / u) by level, and 0 for an unknown level as the last entry (index -1)."""
        return tuple(
            np.append(np.log2(np.maximum(m, FLOOR) / np.maximum(u, FLOOR)), 0.0)
            for m, u in zip(self.m, self.u, strict=True)
        )


@dataclass(frozen=True, eq=False)
class LevelColumn:
    """The levels of the patterns in one column, prepared for many sums over them."""

    levels: Labels  # (n_patterns,) -1 where unknown
    known: Labels | None  # the patterns whose level is known; None: all
    n_levels: int

    @classmethod
    def of(cls, levels: Levels, n_levels: int) -> LevelColumn:
        known = np.flatnonzero(levels >= 0)
        return cls(levels.astype(np.int64), None if len(known) == len(levels) else known, n_levels)

    def frequencies(self, weights: Vector) -> Vector:
        """(n_levels,) shares of the weights of the patterns with a known level."""
        levels, weights = (
            (self.levels, weights) if self.known is None else (self.levels[self.known], weights[self.known])
        )
        totals = np.bincount(levels, weights, minlength=self.n_levels)
        return totals / totals.sum() if totals.sum() > 0 else np.full(self.n_levels, 1 / self.n_levels)


def estimate_model(patterns: Levels, counts: Labels, n_levels: Sequence[int], most_steps: int = MOST_STEPS) -> Model:
    """``patterns``: (n_patterns, n_columns) levels; ``counts``: (n_patterns,) pairs with each."""
    m = [_starting_probabilities(n, top=True) for n in n_levels]
    u = [_starting_probabilities(n, top=False) for n in n_levels]
    columns = [LevelColumn.of(patterns[:, j], n) for j, n in enumerate(n_levels)]
    share = STARTING_SHARE
    n_steps, change = 0, np.inf
    while change > TOLERANCE and n_steps < most_steps:
        probabilities = _match_probabilities(columns, m, u, share)  # (n_patterns,) probability of being a true pair
        n_true, n_other = probabilities * counts, (1 - probabilities) * counts  # (n_patterns,) pairs, expected
        new_m, new_u = ([column.frequencies(pairs) for column in columns] for pairs in (n_true, n_other))
        new_share = float(n_true.sum() / counts.sum())
        change = max(abs(new_share - share), _largest_change(m, new_m), _largest_change(u, new_u))
        m, u, share, n_steps = new_m, new_u, new_share, n_steps + 1
    return Model(tuple(m), tuple(u), share, n_steps)


def count_patterns(levels: Matrix | Levels, counts: Labels) -> tuple[Levels, Labels]:
    """The different rows, and how many pairs have each. ``counts``: (n_rows,) pairs that a row stands for."""
    first, numbers = distinct_combinations(levels.T, len(levels))
    return levels[first].astype(np.int8), np.bincount(numbers, counts).astype(np.int64)


def _starting_probabilities(n_levels: int, *, top: bool) -> Vector:
    start = np.full(n_levels, (1 - STARTING_PROBABILITY) / (n_levels - 1))
    start[-1 if top else 0] = STARTING_PROBABILITY
    return start


def _match_probabilities(
    columns: Sequence[LevelColumn], m: Sequence[Vector], u: Sequence[Vector], share: float
) -> Vector:
    log_odds = np.full(len(columns[0].levels), np.log(max(share, FLOOR)) - np.log(max(1 - share, FLOOR)))
    for column, true, other in zip(columns, m, u, strict=True):
        log_ratios = np.append(np.log(np.maximum(true, FLOOR)) - np.log(np.maximum(other, FLOOR)), 0.0)
        log_odds += log_ratios[column.levels]
    chances: Vector = np.exp(-np.logaddexp(0.0, -log_odds))
    return chances


def _largest_change(old: Sequence[Vector], new: Sequence[Vector]) -> float:
    return max(float(np.abs(a - b).max()) for a, b in zip(old, new, strict=True))
