"""Slow twin of what several releases leave: plain loops over all records."""

from __future__ import annotations


def records_left(new, earlier):
    """Of every new record, the fewest records that can be its person's in any release.

    ``new``: (class, value) of every record; ``earlier``: of every earlier release its records, and the class of the
    person of every new record, or -1.
    """
    return [_left(at, new, earlier) for at in range(len(new))]


def _left(at, new, earlier):
    former = [(records, places[at]) for records, places in earlier if places[at] >= 0]
    sides = [(new, new[at][0]), *former]
    common = set.intersection(*({value for own, value in records if own == place} for records, place in sides))
    if not former:
        return sum(own == new[at][0] for own, _ in new)
    return min(sum(own == place and value in common for own, value in records) for records, place in sides)


def values_left(at, new, earlier, sensitive):
    """The different sensitive values of the records that can be the person's of record ``at`` in the new release."""
    former = [{value for own, value in records if own == places[at]} for records, places in earlier if places[at] >= 0]
    return {
        sensitive[other]
        for other, (own, value) in enumerate(new)
        if own == new[at][0] and all(value in values for values in former)
    }


def invariance(at, new, earlier):
    """The m of the person of record ``at``; 0 is a missing value, and 0.0 is returned where sets of values differ."""
    own = [value for place, value in new if place == new[at][0] and value]
    sets = [
        {value for place, value in records if place == places[at] and value}
        for records, places in earlier
        if places[at] >= 0
    ]
    if any(each != set(own) for each in sets):
        return 0.0
    most = max((own.count(value) for value in own), default=0)
    return min(len(own) / max(most, 1), len(set(own)))
