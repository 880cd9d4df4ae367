"""Controlled rounding: every number goes to the whole number below or above, and their weighted total hardly moves.

numbers, weights, draws -> whole numbers

A number goes up with the chance of what it is above the whole number below, so it is kept in expectation, unless that
would carry the total farther than three quarters of the largest weight; then it goes the other way. They come in an
order drawn by chance, so that nobody knows which ones went the other way. The carry is a sum of doubles in that order,
the same on every machine, and its own rounding is far below the quarter that is left: the total moves by less than the
largest weight.

After Cox (1987), doi:10.1080/01621459.1987.10478456, for one total of weighted numbers.
"""

from __future__ import annotations

import numpy as np

from shoal import kernels
from shoal.chance import Draws
from shoal.kernels import Vector


def controlled(numbers: Vector, weights: Vector, draws: Draws) -> Vector:
    """(n,) whole; what is whole already stays."""
    below = np.floor(numbers)
    between = np.flatnonzero(below < numbers)
    order = between[draws.permutation(between.size)]
    rests = np.ascontiguousarray((numbers - below)[order])
    sizes = np.ascontiguousarray(weights[order])
    below[order] += kernels.rounded_up(rests, sizes, draws.random(order.size))
    return below
