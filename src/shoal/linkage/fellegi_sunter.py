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

SURE = 0.9  # starting probability that a true pair agrees fully, and that another disagrees
TRUE_AT_START = 0.1  # starting share of true pairs
LEAST = 1e-12  # probability, so that weights stay finite
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
            np.append(np.log2(np.maximum(m, LEAST) / np.maximum(u, LEAST)), 0.0)
            for m, u in zip(self.m, self.u, strict=True)
        )


def learn(patterns: Levels, counts: Labels, n_levels: Sequence[int], most_steps: int = MOST_STEPS) -> Model:
    """``patterns``: (n_patterns, n_columns) levels; ``counts``: (n_patterns,) pairs with each."""
    m = [_peaked(n, top=True) for n in n_levels]
    u = [_peaked(n, top=False) for n in n_levels]
    share = TRUE_AT_START
    n_steps, moved = 0, np.inf
    while moved > TOLERANCE and n_steps < most_steps:
        true = _true(patterns, m, u, share)  # (n_patterns,) probability of being a true pair
        new_m = [_frequencies(patterns[:, j], true * counts, n) for j, n in enumerate(n_levels)]
        new_u = [_frequencies(patterns[:, j], (1 - true) * counts, n) for j, n in enumerate(n_levels)]
        new_share = float((true * counts).sum() / counts.sum())
        moved = max(abs(new_share - share), _distance(m, new_m), _distance(u, new_u))
        m, u, share, n_steps = new_m, new_u, new_share, n_steps + 1
    return Model(tuple(m), tuple(u), share, n_steps)


def patterns_of(levels: Matrix | Levels) -> tuple[Levels, Labels]:
    """The different rows, and how often each occurs."""
    first, numbers = distinct_combinations(levels.T, len(levels))
    return levels[first].astype(np.int8), np.bincount(numbers).astype(np.int64)


def _peaked(n_levels: int, *, top: bool) -> Vector:
    start = np.full(n_levels, (1 - SURE) / (n_levels - 1))
    start[-1 if top else 0] = SURE
    return start


def _true(patterns: Levels, m: Sequence[Vector], u: Sequence[Vector], share: float) -> Vector:
    odds = np.full(len(patterns), np.log(max(share, LEAST)) - np.log(max(1 - share, LEAST)))
    for j in range(patterns.shape[1]):
        ratio = np.append(np.log(np.maximum(m[j], LEAST)) - np.log(np.maximum(u[j], LEAST)), 0.0)
        odds += ratio[patterns[:, j]]
    chances: Vector = np.exp(-np.logaddexp(0.0, -odds))
    return chances


def _frequencies(levels: Levels, weights: Vector, n_levels: int) -> Vector:
    known = levels >= 0
    totals = np.bincount(levels[known], weights[known], minlength=n_levels)
    return totals / totals.sum() if totals.sum() > 0 else np.full(n_levels, 1 / n_levels)


def _distance(old: Sequence[Vector], new: Sequence[Vector]) -> float:
    return max(float(np.abs(a - b).max()) for a, b in zip(old, new, strict=True))
