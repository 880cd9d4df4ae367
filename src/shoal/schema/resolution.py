"""Resolution: on what points the numbers of a column lie, so that new ones tell no more than they do.

Noise with all of its digits can be taken off again: values lie on a step, what a machine draws lies on another, and
only one value leaves a draw that fits. On the step of the values every value fits.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import lcm

import numpy as np

from shoal.kernels import Vector


@dataclass(frozen=True)
class Resolution:
    """Multiples of ``step``, and ``offset`` above them; of dates and times in microseconds."""

    step: Fraction
    offset: Fraction = Fraction(0)

    def nearest(self, values: Vector) -> Vector:
        """(n,) the point nearest to each, as the float64 nearest to its decimal."""
        whole = np.rint((values - float(self.offset)) / float(self.step))
        scale = lcm(self.step.denominator, self.offset.denominator)
        return (whole * float(self.step * scale) + float(self.offset * scale)) / float(scale) + 0.0  # no -0.0

    def per(self, unit: int) -> Resolution:
        """The same in a larger unit."""
        return Resolution(self.step / unit, self.offset / unit)

    @property
    def decimals(self) -> int:
        """Digits after the point that its points need; both are decimals."""
        scale = lcm(self.step.denominator, self.offset.denominator)
        return next(places for places in range(scale.bit_length() + 1) if 10**places % scale == 0)
