"""Individual risk as the sum it is: over all sizes that the population may have."""

from __future__ import annotations


def individual_risk(f, p):
    """The mean of 1 / F, where F is the trial of the f-th success with chance p each."""
    total, size, chance = 0.0, f, p**f
    while size < 50 * f / p:
        total += chance / size
        chance *= size / (size - f + 1) * (1 - p)
        size += 1
    return total
