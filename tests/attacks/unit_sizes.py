"""Sizes of units: the second table of an anatomy counts records, so how often a value is counted tells whose it is.

The intruder knows the quasi-identifiers of all persons, and with them how many records each has; the first table shows
in which group they are. All records of a person have one value. Of all ways to give the persons of a group a value each
such that the counts of the second table come out, they take what most of them say.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from attacks.published import Published
from attacks.rates import Rate

MOST_WAYS = 500
Person = tuple[str, ...]  # what the first table shows of all records of a person


@dataclass(frozen=True)
class Guess:
    person: Person
    value: str
    is_sure: bool


def guesses(published: Published, n_records: dict[Person, int], names: Sequence[str], column: str) -> list[Guess]:
    """Of persons whom the first table shows in one group. ``n_records``: of every person."""
    assert published.sensitive is not None
    groups_of: dict[Person, set[str]] = defaultdict(set)
    for *person, group in zip(*(published.records[name].to_pylist() for name in (*names, "group")), strict=True):
        groups_of[tuple(person)].add(group)
    members: dict[str, list[Person]] = defaultdict(list)
    for person, groups in groups_of.items():
        if len(groups) == 1:
            members[next(iter(groups))].append(person)
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    told = (published.sensitive[name].to_pylist() for name in ("group", column, "count"))
    for group, value, n in zip(*told, strict=True):
        counts[group][value] += int(n)
    return [
        guess
        for group, persons in members.items()
        for guess in _guesses(persons, [n_records[person] for person in persons], counts[group])
    ]


def rate(found: Sequence[Guess], truth: dict[Person, str]) -> Rate:
    return Rate(sum(truth[guess.person] == guess.value for guess in found), len(found))


def _guesses(persons: Sequence[Person], sizes: Sequence[int], counts: Counter[str]) -> Iterator[Guess]:
    """None where somebody of the group is not known."""
    ways = list(_ways(sizes, counts)) if sum(sizes) == counts.total() else []
    for at, person in enumerate(persons if ways else ()):
        said = Counter(way[at] for way in ways)
        yield Guess(person, said.most_common(1)[0][0], len(said) == 1)


def _ways(sizes: Sequence[int], counts: Counter[str]) -> Iterator[tuple[str, ...]]:
    """Values for all persons that come out as counted; the first so many."""
    open_ways = [((), dict(counts))]
    for size in sizes:
        open_ways = [
            ((*way, value), {**left, value: left[value] - size})
            for way, left in open_ways[:MOST_WAYS]
            for value in left
            if left[value] >= size
        ]
    return (way for way, _ in open_ways)
