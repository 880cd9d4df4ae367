"""Shares in steps that stand for at least k records, so that neither a share nor a difference is about fewer."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil

STEPS = (1, 2, 5, 10, 20, 25, 50, 100)  # percent; divisors of 100, so that a rest is a whole number of steps, too
SLACK = 1e-9


@dataclass(frozen=True)
class ShareSteps:
    n_records: int  # of the release, or of the original if that has fewer
    k: int

    @property
    def step(self) -> int:
        """In percent; 100 where no smaller step stands for k records."""
        return next((step for step in STEPS if step * self.n_records >= 100 * self.k), 100)

    def nearest(self, share: float) -> float:
        return float(min(self.step * round(max(share, 0) / self.step), 100 // self.step * self.step))

    def at_most(self, share: float) -> float:
        """The next step up; above 100 as it is, rounded up."""
        return float(self.step * ceil(max(share, 0) / self.step - SLACK))

    def up_to(self, share: float) -> str:
        """Such as: up to 5 %; none where there is nothing."""
        bound = self.at_most(share)
        return "none" if share <= 0 else "over 100\u00a0%" if bound > 100 else f"up to {bound:.0f}\u00a0%"
