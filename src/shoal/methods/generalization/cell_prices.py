"""Prices of cells: a lower bound on the loss of every box at once.

If no block that satisfies the requirements has a loss below the prices of its cells together, then no division of any
box costs less than the prices of its cells. Each round multiplies the price of a cell by the least ratio of loss to
price of all blocks around it, after which no block is priced above its loss. The first round begins with the numbers
of records and finds for every cell the least loss per record of a block around it; the later ones raise prices of cells
whose neighbors have a block of their own.

Where there are too many boxes, only those that cost less than ``reach`` per record are examined, and no record is
priced above that: all others cost at least as much.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import frexp

import numpy as np

from shoal.kernels import Vector

DIGITS = 52  # binary, of the loss of all records as one block: sums of prices are exact
ROUNDS = 8
GAIN = 0.01  # by which the sum of prices grows in a round, at least
ROUNDING = 1e-12  # of a ratio, a product and a sum together, at most


@dataclass(frozen=True, eq=False)
class CellPrices:
    ratios: Callable[[Vector, float], Vector]  # prices, reach -> (n_cells,) least ratios; empty: too much work
    n: Vector  # (n_cells,) records
    floors: Vector  # (n_cells,) what the records of a cell cost at least in any block
    whole: float  # loss of all records as one block
    is_exact: bool  # whether the loss per record of a block has few digits, so that the first prices are not rounded
    reaches: Vector  # ascending; none where the loss of a record is not known before all parts of a box are

    def prices(self) -> Vector:
        """(n_cells,) the floors where no better prices are found."""
        begun = self._begin()
        if begun is None:
            return self.floors
        prices, reach = begun
        for _ in range(1, ROUNDS):
            before = prices.sum()
            raised = self._next(prices, self.ratios(prices, reach) * (1 - ROUNDING), reach)
            prices = np.maximum(prices, raised)
            if prices.sum() < before * (1 + GAIN):
                break
        return max(self.floors, prices, key=np.sum)

    def _begin(self) -> tuple[Vector, float] | None:
        """The first prices, and how far blocks are examined: all, or as far as the work allows."""
        ratios = self.ratios(self.n, np.inf)
        if ratios.size:
            return self._first(ratios, np.inf), np.inf
        found, low, high = None, 0, len(self.reaches)
        while low < high:
            middle = (low + high) // 2
            reach = float(self.reaches[middle])
            ratios = self.ratios(self.n, reach)
            if ratios.size:
                found, low = (self._first(ratios, reach), reach), middle + 1
            else:
                high = middle
        return found

    def _first(self, ratios: Vector, reach: float) -> Vector:
        return self._next(self.n, ratios if self.is_exact else ratios * (1 - ROUNDING), reach)

    def _next(self, prices: Vector, ratios: Vector, reach: float) -> Vector:
        most = np.maximum(self.n * reach, self.floors)
        raised = np.multiply(prices, ratios, out=np.zeros_like(prices), where=prices > 0)
        return self._rounded_down(np.minimum(raised, most))

    def _rounded_down(self, prices: Vector) -> Vector:
        grain = 2.0 ** (frexp(self.whole)[1] - DIGITS)
        return np.floor(prices / grain) * grain
