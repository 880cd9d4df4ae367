"""Slow twin of the turnover of classes: plain loops over persons and classes."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction


def likeliest_shares(before, after):
    """By class before: the share of the likeliest value of a person who is gone, 0 where nobody is.

    ``before``, ``after``: (person, class, value) of every record; a value of 0 is missing.
    """
    now = {person: place for person, place, _ in after}
    links = {place: {now[p] for p, own, _ in before if own == place and p in now} for _, place, _ in before}
    return {
        place: max(
            _share({place}, links[place], before, after, now), _share(*_connected(place, links), before, after, now)
        )
        if any(own == place and person not in now for person, own, _ in before)
        else 0
        for place in links
    }


def _connected(place, links):
    """The classes of both releases that persons connect with a class before."""
    old, new = {place}, set()
    while True:
        more = set().union(*(links[each] for each in old))
        others = {each for each in links if links[each] & more}
        if more == new and others <= old:
            return old, new
        old, new = old | others, more


def _share(old, new, before, after, now):
    shown = Counter(value for _, place, value in before if place in old)
    left = Counter(value for _, place, value in after if place in new)
    gone = sum(place in old and person not in now for person, place, _ in before)
    certain = shown - left
    gone = max(gone - certain.pop(0, 0), sum(certain.values()))
    shown.pop(0, 0)
    if not gone:
        return Fraction(0)
    rest = Fraction(gone - sum(certain.values()), max(sum(shown.values()), 1))
    return max((Fraction(certain[value]) + rest * n) / gone for value, n in shown.items()) if shown else Fraction(0)
