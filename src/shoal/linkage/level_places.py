"""The levels of all columns, one after the other, so that a model of agreement is one vector over these places.

patterns of agreement -> LevelPlaces

A sum over the columns of every pattern, or over the patterns of every level, is computed in bundles of columns: a
bundle has few different combinations of levels, and only their number is read for every pattern.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from shoal.kernels import Labels, Vector
from shoal.kernels.combinations import distinct_combinations
from shoal.linkage.agreement import Levels

MOST_COMBINATIONS = 4096  # of a bundle


@dataclass(frozen=True, eq=False)
class Bundle:
    """Some columns: the places of each of their combinations, and the combination of every pattern."""

    places: Labels  # (n_columns, n_combinations); the number of all places where a level is unknown
    of_patterns: Labels  # (n_patterns,)


@dataclass(frozen=True, eq=False)
class LevelPlaces:
    bundles: tuple[Bundle, ...]
    starts: Labels  # (n_columns,) the first place of each column
    n_levels: Labels  # (n_columns,)

    @classmethod
    def of(cls, patterns: Levels, n_levels: Sequence[int]) -> LevelPlaces:
        sizes = np.array(n_levels, dtype=np.int64)
        starts = np.cumsum(sizes) - sizes
        places = np.where(patterns >= 0, patterns + starts, sizes.sum()).T
        return cls(tuple(_bundle(places[columns]) for columns in _bundled_columns(n_levels)), starts, sizes)

    @property
    def n_places(self) -> int:
        return int(self.n_levels.sum())

    def sums(self, values: Vector) -> Vector:
        """(n_patterns,) the sum of the values of the levels of every pattern; 0 for unknown ones."""
        padded = np.append(values, 0.0)
        total: Vector = sum(padded[bundle.places].sum(axis=0)[bundle.of_patterns] for bundle in self.bundles)
        return total

    def frequencies(self, weights: Vector) -> Vector:
        """(n_places,) shares of the weights of the patterns with a known level, by column; all alike where there are
        none."""
        totals = np.zeros(self.n_places + 1)
        for bundle in self.bundles:
            by_combination = np.bincount(bundle.of_patterns, weights, minlength=bundle.places.shape[1])
            repeated = np.tile(by_combination, len(bundle.places))
            totals += np.bincount(bundle.places.ravel(), repeated, minlength=len(totals))
        of_columns = np.repeat(np.add.reduceat(totals[:-1], self.starts), self.n_levels)
        alike: Vector = 1 / np.repeat(self.n_levels, self.n_levels)
        shares: Vector = np.divide(totals[:-1], of_columns, out=alike, where=of_columns > 0)
        return shares

    def by_column(self, values: Vector) -> tuple[Vector, ...]:
        return tuple(np.split(values, self.starts[1:]))


def _bundled_columns(n_levels: Sequence[int]) -> Iterator[slice]:
    """Columns next to each other, as many as have few combinations of levels, unknown ones included."""
    start, n_combinations = 0, 1
    for column, n in enumerate(n_levels):
        if n_combinations * (n + 1) > MOST_COMBINATIONS and column > start:
            yield slice(start, column)
            start, n_combinations = column, 1
        n_combinations *= n + 1
    yield slice(start, len(n_levels))


def _bundle(places: Labels) -> Bundle:
    first, of_patterns = distinct_combinations(places, places.shape[1])
    return Bundle(places[:, first], of_patterns)
