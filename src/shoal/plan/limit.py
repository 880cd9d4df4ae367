"""How many records a share of them is, as a whole number."""

from __future__ import annotations

from fractions import Fraction


def most_records(share: float, n_records: int) -> int:
    """The most records that are no more than ``share`` as it is written: 0.29 of 100 are 29, though floats say 28."""
    return int(Fraction(str(float(share))) * n_records)
