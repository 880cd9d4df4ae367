"""Which of two releases is better, in one sentence."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from shoal.assessment.risk.risk_difference import RiskDifference

SAME = 0.05  # points of loss that count as equal: they are shown with one decimal


@dataclass(frozen=True)
class PairComparison:
    """Two releases of one table.

    numbers  of both, from 1, as in the report
    loss     how much more the first one loses, in points of a percentage
    risk     how many more persons are found in the first one; None where linkage was not tried
    """

    numbers: tuple[int, int]
    loss: float
    risk: RiskDifference | None

    @property
    def better(self) -> int | None:
        """The number of the better one: better in one of loss and risk, and not worse in the other. Risks that do
        not differ beyond their interval count as equal. None: neither is."""
        if self.risk is None:
            return None
        loss, risk = _sign(self.loss, SAME), _sign(self.risk.estimate, 0) if self.risk.is_clear else 0
        if loss * risk < 0 or loss == risk == 0:
            return None
        return self.numbers[0] if loss + risk < 0 else self.numbers[1]

    @property
    def sentence(self) -> str:
        """Starts with the one that loses less."""
        if self.loss > 0:
            return self._reversed.sentence
        first, second = self.numbers
        less = f"{-self.loss:.1f} points less than" if self.loss <= -SAME else "as much as"
        loses = f"loses {less} {second}"
        if self.risk is None:
            return f"{first} {loses}; how many persons are found was not measured for both."
        points, range_ = f"{abs(self.risk.estimate):.1f} points", _range(self.risk)
        if not self.risk.is_clear:
            return f"{first} {loses}, and their risks do not differ beyond the interval{range_}; {self._verdict}"
        if self.risk.estimate < 0:
            return f"{first} {loses}, and {points}{range_} fewer persons are found in it; {self._verdict}"
        return f"{first} {loses} and lets {points}{range_} more persons be found; {self._verdict}"

    @property
    def _verdict(self) -> str:
        if self.better is None:
            return "they are equally good." if self._is_equal else "neither is better in both."
        in_both = self.loss <= -SAME and self.risk is not None and self.risk.is_clear and self.risk.estimate < 0
        return f"{self.better} is better{' in both' if in_both else ''}."

    @property
    def _is_equal(self) -> bool:
        return abs(self.loss) < SAME and self.risk is not None and not self.risk.is_clear

    @property
    def _reversed(self) -> PairComparison:
        risk = self.risk
        swapped = risk and RiskDifference(-risk.estimate, (-risk.interval[1], -risk.interval[0]), risk.is_paired)
        return PairComparison((self.numbers[1], self.numbers[0]), -self.loss, swapped)

    def to_dict(self) -> dict[str, Any]:
        risk = self.risk
        return {
            "numbers": list(self.numbers),
            "loss": self.loss,
            "risk": None if risk is None else risk.estimate,
            "risk_interval": None if risk is None else list(risk.interval),
            "paired": risk is not None and risk.is_paired,
            "better": self.better,
            "sentence": self.sentence,
        }


def _sign(value: float, same: float) -> int:
    return 0 if abs(value) < same else (value > 0) - (value < 0)


def _range(risk: RiskDifference) -> str:
    """The interval in the direction of the sentence: of more persons, or of fewer."""
    low, high = risk.interval if risk.estimate >= 0 or not risk.is_clear else (-risk.interval[1], -risk.interval[0])
    return f" ({low:.1f} to {high:.1f})"
