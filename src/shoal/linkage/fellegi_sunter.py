"""The model of Fellegi & Sunter: how often true pairs, and all others, agree in every column; estimated by EM.

patterns of agreement and the number of pairs with each -> Model

Fellegi & Sunter (1969), doi:10.1080/01621459.1969.10501049; starting values of the EM algorithm as in Jaro (1989),
doi:10.1080/01621459.1989.10478785, extrapolated (`fixed_point.py`). Columns are assumed to be independent, given
whether the pair is of one person. An unknown level (-1) is no evidence, for or against.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from shoal.kernels import Labels, Matrix, Vector
from shoal.kernels.combinations import distinct_combinations
from shoal.linkage.agreement import Levels
from shoal.linkage.fixed_point import Step, fixed_point
from shoal.linkage.level_places import LevelPlaces

STARTING_PROBABILITY = 0.9  # starting probability that a true pair agrees fully, and that another disagrees
STARTING_SHARE = 0.1  # starting share of true pairs
FLOOR = 1e-12  # probability, so that weights stay finite
TOLERANCE = 1e-10  # change of a probability by one step
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


def estimate_model(patterns: Levels, counts: Labels, n_levels: Sequence[int], most_steps: int = MOST_STEPS) -> Model:
    """``patterns``: (n_patterns, n_columns) levels; ``counts``: (n_patterns,) pairs with each."""
    m = np.concatenate([_starting_probabilities(n, top=True) for n in n_levels])
    u = np.concatenate([_starting_probabilities(n, top=False) for n in n_levels])
    places = LevelPlaces.of(patterns, n_levels)
    start = np.concatenate([m, u, [STARTING_SHARE, 1 - STARTING_SHARE]])
    found = fixed_point(em_step(places, counts), start, tolerance=TOLERANCE, most_steps=most_steps)
    m, u, shares = np.split(found.values, [places.n_places, 2 * places.n_places])
    return Model(places.by_column(m), places.by_column(u), float(shares[0]), found.n_steps)


def count_patterns(levels: Matrix | Levels, counts: Labels) -> tuple[Levels, Labels]:
    """The different rows, and how many pairs have each. ``counts``: (n_rows,) pairs that a row stands for."""
    first, numbers = distinct_combinations(levels.T, len(levels))
    return levels[first].astype(np.int8), np.bincount(numbers, counts).astype(np.int64)


def _starting_probabilities(n_levels: int, *, top: bool) -> Vector:
    start = np.full(n_levels, (1 - STARTING_PROBABILITY) / (n_levels - 1))
    start[-1 if top else 0] = STARTING_PROBABILITY
    return start


def em_step(places: LevelPlaces, counts: Labels) -> Step:
    """One step of the EM algorithm. The values are m, u, the share of true pairs and that of the others."""
    n_pairs = counts.sum()

    def step(values: Vector) -> tuple[Vector, float]:
        m, u, shares = np.split(np.log(np.maximum(values, FLOOR)), [places.n_places, 2 * places.n_places])
        log_others = shares[1] + places.sums(u)  # (n_patterns,) probability of the pattern and no true pair
        log_odds = shares[0] - shares[1] + places.sums(m - u)
        smaller = np.exp(-np.abs(log_odds))  # the smaller of both probabilities over the larger
        likelihood = float((counts * (log_others + np.maximum(log_odds, 0.0) + np.log1p(smaller))).sum())
        n_true = counts * np.where(log_odds > 0, 1.0, smaller) / (1 + smaller)  # (n_patterns,) pairs, expected
        n_other = counts - n_true
        new_shares = np.array([n_true.sum(), n_other.sum()]) / n_pairs
        return np.concatenate([places.frequencies(n_true), places.frequencies(n_other), new_shares]), likelihood

    return step
