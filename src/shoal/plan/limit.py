"""Comparison of the number of suppressed records with the permitted share."""

from __future__ import annotations


def is_above(n_lost: int, n_records: int, share: float) -> bool:
    """Whether ``n_lost`` of ``n_records`` exceeds the ``share``.

    Computed by division: m / n is the double nearest to the share of m in n, while 0.29 * 100 is less than 29.
    """
    return n_lost / n_records > share


def most_within(n_records: int, share: float) -> int:
    """The most of ``n_records`` that are no more than the ``share``."""
    most = min(int(share * n_records) + 1, n_records)
    while is_above(most, n_records, share):
        most -= 1
    return most
