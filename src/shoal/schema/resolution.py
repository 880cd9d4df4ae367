"""Resolution of a column: the points on which its numbers lie, and to which perturbed numbers are rounded.

Noise with all of its digits can be removed again: original values are multiples of one step, machine-drawn noise is a
multiple of another, and only one original value leaves a possible draw. Rounded to the step of the original, a
perturbed value is compatible with every original value.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import lcm

import numpy as np

from shoal.kernels import Vector


@dataclass(frozen=True)
class Resolution:
    """The points ``offset`` plus a multiple of ``step``; for dates and times in microseconds."""

    step: Fraction
    offset: Fraction = Fraction(0)

    def nearest(self, values: Vector) -> Vector:
        """(n,) the point nearest to each value, as the float64 nearest to its decimal."""
        whole = np.rint((values - float(self.offset)) / float(self.step))
        scale = lcm(self.step.denominator, self.offset.denominator)
        return (whole * float(self.step * scale) + float(self.offset * scale)) / float(scale) + 0.0  # no -0.0

    def per(self, unit: int) -> Resolution:
        """The same resolution in a unit that is ``unit`` times as large."""
        return Resolution(self.step / unit, self.offset / unit)

    @property
    def decimals(self) -> int:
        """Decimal places that the points need; step and offset are finite decimals."""
        scale = lcm(self.step.denominator, self.offset.denominator)
        return next(places for places in range(scale.bit_length() + 1) if 10**places % scale == 0)
