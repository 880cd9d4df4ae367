"""Interval disclosure cell by cell."""

from __future__ import annotations

from statistics import fmean, pstdev


def rank_interval(released, i, percent):
    """The values whose rank differs by less than percent from a rank that the value of record i has."""
    n = len(released)
    ascending = sorted(released)
    own = [rank for rank, value in enumerate(ascending) if value == released[i]]
    near = [ascending[r] for r in range(n) if any(100 * abs(r - rank) < percent * n for rank in own)]
    return min(near), max(near)


def sd_interval(released, i, percent):
    reach = percent / 100 * pstdev(released)
    return released[i] - reach, released[i] + reach


def disclosure(original, released, interval, percents):
    """(hits of every record, hits for a value of anybody), as shares of one column."""
    ends = [[interval(released, i, percent) for percent in percents] for i in range(len(original))]
    own = [fmean(low <= x <= high for low, high in around) for x, around in zip(original, ends, strict=True)]
    luck = fmean(low <= x <= high for around in ends for low, high in around for x in original)
    return own, luck
