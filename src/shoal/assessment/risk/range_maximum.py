"""The place of the highest of a row of numbers, within a range for every number."""

from __future__ import annotations

import numpy as np

from shoal.kernels import Labels, Vector


def highest_places(numbers: Vector, lasts: Labels) -> Labels:
    """(n,) the place of the highest number from each place to ``lasts``, its last one; of equal ones, the last place.

    Ranges of 2, 4, 8, ... numbers are compared by their halves, and every range is two of these that may overlap."""
    n = len(numbers)
    lengths = lasts - np.arange(n) + 1
    powers = np.frexp(lengths.astype(np.float64))[1] - 1  # of the greatest power of two that fits
    found, of_range = np.empty(n, dtype=np.int64), np.arange(n)
    for power in range(int(powers.max(initial=-1)) + 1):
        if power:
            half = 1 << (power - 1)
            of_range = _higher(numbers, of_range[:-half], of_range[half:])
        at = np.flatnonzero(powers == power)
        found[at] = _higher(numbers, of_range[at], of_range[lasts[at] + 1 - (1 << power)])
    return found


def _higher(numbers: Vector, left: Labels, right: Labels) -> Labels:
    places: Labels = np.where(numbers[right] >= numbers[left], right, left)
    return places
