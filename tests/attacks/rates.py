"""How often an attack was right, and what that shows at a confidence of 99 %."""

from __future__ import annotations

from dataclasses import dataclass

from scipy.stats import binomtest

FEWEST_TARGETS = 500
CONFIDENCE = 0.99


@dataclass(frozen=True)
class Rate:
    """``n_right`` of ``n_targets`` guesses were right. A target that the attack leaves alone is no right guess."""

    n_right: int
    n_targets: int

    def __add__(self, other: Rate) -> Rate:
        return Rate(self.n_right + other.n_right, self.n_targets + other.n_targets)

    @property
    def share(self) -> float:
        return self.n_right / max(self.n_targets, 1)

    @property
    def lower(self) -> float:
        """The exact one-sided limit of Clopper and Pearson: the true rate is below it in one case of a hundred."""
        if not self.n_targets:
            return 0.0
        found = binomtest(self.n_right, self.n_targets, alternative="greater")
        return float(found.proportion_ci(CONFIDENCE, method="exact").low)

    def succeeds(self, risk: float) -> bool:
        """It is shown that the attack beats ``risk``."""
        return self.lower > risk

    def fails(self, risk: float) -> bool:
        """It is not shown, and there were targets enough to show it."""
        assert self.n_targets >= FEWEST_TARGETS, f"{self.n_targets} targets show nothing"
        return self.lower <= risk
