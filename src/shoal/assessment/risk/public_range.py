"""Public knowledge of a column of numbers or dates: its range and its step.

cells, piece by piece (`encode/steps.py`) -> PublicRange
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from shoal.encode.steps import Steps


@dataclass(frozen=True)
class PublicRange:
    """In numbers, days or microseconds; ``per_day``: microseconds of a day, otherwise 1."""

    low: Fraction
    high: Fraction
    step: Fraction
    per_day: int = 1

    @classmethod
    def of(cls, steps: Steps, per_day: int = 1) -> PublicRange | None:
        """The grid points between the lowest and the highest value; None where there is nothing to solve: no value, a
        single one, or a step too fine."""
        step, offset = steps.lattice
        if not step or steps.low is None or steps.high is None:
            return None
        low, high = steps.low + (offset - steps.low) % step, steps.high - (steps.high - offset) % step
        return cls(low, high, step, per_day)

    @property
    def n_steps(self) -> int:
        """Steps from the lowest to the highest value."""
        return int((self.high - self.low) / self.step)

    @property
    def largest_magnitude(self) -> Fraction:
        return max(abs(self.low), abs(self.high))
