"""What everybody is taken to know of a column of numbers or dates: from where to where it reaches, and in which steps.

cells, piece by piece (`encode/steps.py`) -> PublicRange
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from shoal.encode.steps import Steps


@dataclass(frozen=True)
class PublicRange:
    """Numbers, days, or microseconds: of these, ``per_day`` make a day."""

    low: Fraction
    high: Fraction
    step: Fraction
    per_day: int = 1

    @classmethod
    def of(cls, steps: Steps, per_day: int = 1) -> PublicRange | None:
        """The points of the step between the lowest and the highest value; None where there is nothing to solve: no
        value, a single one, or too fine ones."""
        if not steps.step or steps.low is None or steps.high is None:
            return None
        step, offset = steps.step, steps.offset
        low, high = steps.low + (offset - steps.low) % step, steps.high - (steps.high - offset) % step
        return cls(low, high, step, per_day)

    @property
    def most(self) -> int:
        """Steps from the lowest to the highest value."""
        return int((self.high - self.low) / self.step)

    @property
    def largest(self) -> Fraction:
        return max(abs(self.low), abs(self.high))
