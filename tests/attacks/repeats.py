"""An intruder compares two yearly releases: what is left of a person are values that both classes show.

Who it is          an acquaintance, or whoever holds a register with dates
What they hold     both releases as they were handed out, and a person's quasi-identifiers in both years
What they try      take the records of each release whose extents contain the person; keep those whose lasting condition
                   occurs on the other side, too
When it is right   fewer than k records are left on a side, the person's own among them
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pyarrow as pa

Person = Mapping[str, Any]


def compare(old: pa.Table, new: pa.Table, before: Sequence[Person], now: Sequence[Person]) -> list[int]:
    """Of every person, the records that are left on the side that leaves fewest. ``old``, ``new``: the releases as
    texts; ``before``, ``now``: what is known of the persons in both years."""
    sides = _classes(old), _classes(new)
    return [_left(_records(sides[0], then), _records(sides[1], later)) for then, later in zip(before, now, strict=True)]


def _classes(release: pa.Table) -> dict[tuple[str, str, str], list[str]]:
    """The conditions of the records that are written alike."""
    found: dict[tuple[str, str, str], list[str]] = {}
    for record in release.to_pylist():
        found.setdefault((record["age"], record["region"], record["schooling"]), []).append(record["condition"])
    return found


def _records(classes: Mapping[tuple[str, str, str], list[str]], person: Person) -> list[str]:
    return [
        condition
        for (age, region, schooling), conditions in classes.items()
        if _in(age, person["age"]) and _in(schooling, person["schooling"]) and person["region"] in _names(region)
        for condition in conditions
    ]


def _left(old: list[str], new: list[str]) -> int:
    common = set(old) & set(new)
    return min(sum(each in common for each in side) for side in (old, new))


def _in(extent: str, value: float) -> bool:
    """Whether an interval such as [30, 35) or [85, inf) contains the value."""
    low, high = extent.strip("[)").split(", ")
    return float(low) <= value < float(high)


def _names(extent: str) -> set[str]:
    return set(extent.strip("{}").split(", "))
