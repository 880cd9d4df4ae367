"""Whether more records are lost than a share of them allows."""

from __future__ import annotations


def is_above(n_lost: int, n_records: int, share: float) -> bool:
    """By division: m / n is the double nearest to a share of m in n, while 0.29 * 100 is less than 29."""
    return n_lost / n_records > share
