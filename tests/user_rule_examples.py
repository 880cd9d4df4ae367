"""Rules as users write them: twins of requirements and losses that Shoal has, and one that it has not."""

from __future__ import annotations

from dataclasses import dataclass
from math import log
from typing import ClassVar

import numpy as np

from shoal.losses import Measures, UserLoss
from shoal.requirements import UserRequirement
from shoal.requirements.groups import Groups


@dataclass(frozen=True)
class OwnSize(UserRequirement):
    """k-anonymity."""

    k: int
    monotone: ClassVar[bool] = True
    measure: ClassVar[str] = "k"

    @property
    def least_records(self) -> int:
        return self.k

    def holds(self, groups: Groups):
        return groups.totals >= self.k

    def reached(self, groups: Groups) -> float:
        return float(groups.totals.min())


@dataclass(frozen=True)
class OwnEntropy(UserRequirement):
    """Entropy l-diversity."""

    l: float  # noqa: E741
    monotone: ClassVar[bool] = True
    measure: ClassVar[str] = "l"

    def _entropy(self, groups: Groups):
        counts = groups.sensitive.toarray()
        shares = counts / np.maximum(counts.sum(axis=1, keepdims=True), 1)
        return -(shares * np.log(np.where(shares > 0, shares, 1))).sum(axis=1)

    def holds(self, groups: Groups):
        return self._entropy(groups) >= log(self.l) - 1e-9

    def reached(self, groups: Groups) -> float:
        return float(np.exp(self._entropy(groups).min()))


@dataclass(frozen=True)
class OwnMinority(UserRequirement):
    """At least ``rest`` records are not known to have the most frequent value. Shoal has no such requirement."""

    rest: int
    monotone: ClassVar[bool] = True

    def holds(self, groups: Groups):
        return groups.totals - groups.sensitive.toarray().max(axis=1) >= self.rest


@dataclass(frozen=True)
class OwnDiscernibility(UserLoss):
    def loss(self, blocks: Measures):
        return blocks.totals.astype(float) ** 2

    def least(self, n, k: int):
        n_blocks = np.maximum(n // k, 1)
        size, n_larger = n // n_blocks, n % n_blocks
        return (size**2 * (n_blocks - n_larger) + (size + 1) ** 2 * n_larger).astype(float)


@dataclass(frozen=True)
class OwnSquares(UserLoss):
    """Discernibility without a bound."""

    power: float = 2.0

    def loss(self, blocks: Measures):
        return blocks.totals.astype(float) ** self.power


@dataclass(frozen=True)
class OwnClassification(UserLoss):
    def loss(self, blocks: Measures):
        return (blocks.totals - blocks.classes.max(axis=1)).astype(float)


@dataclass(frozen=True)
class OwnVolume(UserLoss):
    def loss(self, blocks: Measures):
        return blocks.totals * blocks.cells.prod(axis=1)


@dataclass(frozen=True)
class OwnCertainty(UserLoss):
    def loss(self, blocks: Measures):
        return (blocks.widths * blocks.weights).sum(axis=1) * blocks.totals


TWINS = {
    "discernibility": OwnDiscernibility(),
    "classification": OwnClassification(),
    "volume": OwnVolume(),
    "certainty": OwnCertainty(),
}
