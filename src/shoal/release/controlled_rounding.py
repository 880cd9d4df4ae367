"""Controlled rounding: numbers are rounded down or up to whole numbers such that their weighted total hardly changes.

numbers, weights, draws -> whole numbers

A number is rounded up with a probability equal to its fractional part, so that it is preserved in expectation, unless
that would change the total by more than three quarters of the largest weight; then it is rounded the other way. The
numbers are processed in random order, so that nobody knows which ones were rounded the other way. The carry is a sum of
doubles in that order, the same on every machine, and its own rounding error is far below the remaining quarter: the
total changes by less than the largest weight.

After Cox (1987), doi:10.1080/01621459.1987.10478456, for one total of weighted numbers.
"""

from __future__ import annotations

import numpy as np

from shoal import kernels
from shoal.kernels import Vector
from shoal.rng import RandomStream


def controlled_rounding(numbers: Vector, weights: Vector, draws: RandomStream) -> Vector:
    """(n,) the rounded numbers; whole numbers stay as they are."""
    below = np.floor(numbers)
    between = np.flatnonzero(below < numbers)
    order = between[draws.permutation(between.size)]
    rests = np.ascontiguousarray((numbers - below)[order])
    sizes = np.ascontiguousarray(weights[order])
    below[order] += kernels.rounded_up(rests, sizes, draws.random(order.size))
    return below
