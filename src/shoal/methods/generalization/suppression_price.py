"""The price of a suppressed record, by which a search keeps a limit of suppressed records.

At a price p every suppressed record costs p more than its loss. If a plan is the least at that price and suppresses no
more than the limit, no plan within the limit costs less than

    cost at price p - p * limit

so every price yields a bound, and the best plan at price 0, where it is within the limit, is the best plan. A higher
price suppresses fewer records: the least price that keeps the limit is found by halving.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

FACTOR = 4.0  # from price to price until one keeps the limit
NARROW = 0.05  # a range is narrow where its ends differ by this share


@dataclass(frozen=True, order=True)
class PricedBound:
    """A lower bound on the cost of plans within the limit, and the price that proves it."""

    lower: float
    price: float


@dataclass(frozen=True)
class PriceRange:
    """Prices are multiples of ``grain``, from 0 to ``most``."""

    grain: float
    most: float
    first: float  # the first price above 0
    low: float = 0.0  # the best plan suppresses too many records
    high: float | None = None  # the best plan is within the limit

    @property
    def next_price(self) -> float:
        if self.high is None:
            return self._rounded(min(max(FACTOR * self.low, self.first), self.most))
        return self._rounded((self.low + self.high) / 2)

    def is_open(self, suppresses_too_many: bool) -> bool:
        """Whether to try another price, after one at which the best plan suppresses too many records, or not."""
        if self.high is None:
            return suppresses_too_many and self.low < self._rounded(self.most)
        return self.high - self.low > max(NARROW * self.high, 2 * self.grain)

    def after(self, price: float, is_within: bool) -> PriceRange:
        """What is left, once the best plan at a price is known."""
        return replace(self, high=price) if is_within else replace(self, low=price)

    def _rounded(self, price: float) -> float:
        return max(price // self.grain, 1) * self.grain
