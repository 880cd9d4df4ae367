"""The model of Fellegi & Sunter: how often true pairs, and all others, agree in every column; estimated by EM.

patterns of agreement and the number of pairs with each -> Model

Fellegi & Sunter (1969), doi:10.1080/01621459.1969.10501049; starting values of the EM algorithm as in Jaro (1989),
doi:10.1080/01621459.1989.10478785. Columns are assumed to be independent, given whether the pair is of one person. An
unknown level (-1) is no evidence, for or against.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

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
class LevelPlaces:
    """The levels of all columns, one column after the other: a model is one vector over them, and a sum over the
    patterns is one pass."""

    of_columns: tuple[Labels, ...]  # (n_patterns,) each, the place of the level; n_places where it is unknown
    starts: Labels  # (n_columns,) the first place of each column
    n_levels: Labels  # (n_columns,)

    @classmethod
    def of(cls, patterns: Levels, n_levels: Sequence[int]) -> LevelPlaces:
        sizes = np.array(n_levels, dtype=np.int64)
        starts = np.cumsum(sizes) - sizes
        places = np.where(patterns >= 0, patterns + starts, sizes.sum())
        return cls(tuple(np.ascontiguousarray(column) for column in places.T), starts, sizes)

    @cached_property
    def _flat(self) -> Labels:
        return np.concatenate(self.of_columns)

    def frequencies(self, weights: Vector) -> Vector:
        """(n_places,) shares of the weights of the patterns with a known level, by column; all alike where there are
        none."""
        n_places = int(self.n_levels.sum())
        totals = np.bincount(self._flat, np.tile(weights, len(self.starts)), minlength=n_places)[:n_places]
        of_columns = np.repeat(np.add.reduceat(totals, self.starts), self.n_levels)
        alike: Vector = 1 / np.repeat(self.n_levels, self.n_levels)
        shares: Vector = np.divide(totals, of_columns, out=alike, where=of_columns > 0)
        return shares

    def by_column(self, values: Vector) -> tuple[Vector, ...]:
        return tuple(np.split(values, self.starts[1:]))


def estimate_model(patterns: Levels, counts: Labels, n_levels: Sequence[int], most_steps: int = MOST_STEPS) -> Model:
    """``patterns``: (n_patterns, n_columns) levels; ``counts``: (n_patterns,) pairs with each."""
    m = np.concatenate([_starting_probabilities(n, top=True) for n in n_levels])
    u = np.concatenate([_starting_probabilities(n, top=False) for n in n_levels])
    places = LevelPlaces.of(patterns, n_levels)
    share = STARTING_SHARE
    n_steps, change = 0, np.inf
    while change > TOLERANCE and n_steps < most_steps:
        probabilities = _match_probabilities(places, m, u, share)  # (n_patterns,) probability of being a true pair
        n_true, n_other = probabilities * counts, (1 - probabilities) * counts  # (n_patterns,) pairs, expected
        new_m, new_u = places.frequencies(n_true), places.frequencies(n_other)
        new_share = float(n_true.sum() / counts.sum())
        change = max(abs(new_share - share), float(np.abs(m - new_m).max()), float(np.abs(u - new_u).max()))
        m, u, share, n_steps = new_m, new_u, new_share, n_steps + 1
    return Model(places.by_column(m), places.by_column(u), share, n_steps)


def count_patterns(levels: Matrix | Levels, counts: Labels) -> tuple[Levels, Labels]:
    """The different rows, and how many pairs have each. ``counts``: (n_rows,) pairs that a row stands for."""
    first, numbers = distinct_combinations(levels.T, len(levels))
    return levels[first].astype(np.int8), np.bincount(numbers, counts).astype(np.int64)


def _starting_probabilities(n_levels: int, *, top: bool) -> Vector:
    start = np.full(n_levels, (1 - STARTING_PROBABILITY) / (n_levels - 1))
    start[-1 if top else 0] = STARTING_PROBABILITY
    return start


def _match_probabilities(places: LevelPlaces, true: Vector, other: Vector, share: float) -> Vector:
    log_ratios = np.append(np.log(np.maximum(true, FLOOR)) - np.log(np.maximum(other, FLOOR)), 0.0)
    log_odds = np.full(len(places.of_columns[0]), np.log(max(share, FLOOR)) - np.log(max(1 - share, FLOOR)))
    for of_column in places.of_columns:
        log_odds += log_ratios[of_column]
    chances: Vector = np.exp(-np.logaddexp(0.0, -log_odds))
    return chances
