"""The step of a default grid, which was a part of the standard deviation, which one extreme value makes.

Who it is          knows how many records there are, and that one income is far beyond all others
What they hold     the manifest of a release by extents
What they try      the deviation is between twenty steps and twenty of the next larger ones, and sqrt(n) times it is
                   the extreme income
When it is right   the income lies in that range, a factor of two or three wide
"""

from __future__ import annotations

from math import floor, log10, sqrt

PARTS = 20


def guess(step: float, n_records: int) -> tuple[float, float]:
    """From where to where the extreme value is taken to lie."""
    larger = step * (2.5 if round(step / 10.0 ** floor(log10(step))) == 2 else 2)
    return 0.98 * PARTS * step * sqrt(n_records), 1.05 * PARTS * larger * sqrt(n_records)
