"""Tails: the least and the greatest known values of a column, a few of each, piece by piece."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from shoal.encode.numbers import to_numbers
from shoal.kernels import Vector


class Tails:
    """The ``n`` least and the ``n`` greatest, in pieces of any size and in any order the same."""

    def __init__(self, name: str, n: int) -> None:
        self.name, self.n, self.n_known = name, n, 0
        self._least: Vector = np.empty(0)
        self._greatest: Vector = np.empty(0)

    def add(self, table: pa.Table) -> None:
        numbers = to_numbers(self.name, table[self.name])
        known: Vector = numbers.values[~numbers.missing]
        self.n_known += len(known)
        self._least = _first(np.concatenate([self._least, known]), self.n)
        self._greatest = -_first(-np.concatenate([self._greatest, known]), self.n)

    @property
    def inner(self) -> tuple[float, float] | None:
        """The ``n``-th least and the ``n``-th greatest; None where one record would be of both tails."""
        if self.n_known < 2 * self.n:
            return None
        return float(self._least.max()), float(self._greatest.min())


def _first(values: Vector, n: int) -> Vector:
    return values if len(values) <= n else np.partition(values, n - 1)[:n]
