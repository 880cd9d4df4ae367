"""Minimality of local suppression: who blanks cells anew, by k alone, sees which classes were blanked further.

The intruder knows the quasi-identifiers of everybody, the policy and the release. A class that k alone leaves and the
release does not show had failed: its records share a value. They look for it in the class that can hold it with the
fewest further blanks, and take the most frequent value that enough of its records have.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

import pyarrow as pa

from attacks.published import Published
from attacks.rates import Rate

Key = tuple[str, ...]


@dataclass(frozen=True)
class Guess:
    persons: tuple[int, ...]  # places in the table
    value: str
    own: float  # how sure somebody is who reads nothing but the class


def guesses(published: Published, alone: pa.Table, column: str) -> list[Guess]:
    """``alone``: quasi-identifiers of everybody, blanked by k alone, in the order of the persons."""
    before: dict[Key, list[int]] = defaultdict(list)
    for person, cells in enumerate(zip(*(alone[name].to_pylist() for name in alone.column_names), strict=True)):
        before[tuple(cell or "" for cell in cells)].append(person)
    values: dict[Key, Counter[str]] = defaultdict(Counter)
    told = published.records.select([*alone.column_names, column])
    for *cells, value in zip(*(each.to_pylist() for each in told.columns), strict=True):
        values[tuple(cells)][value] += 1
    found = [_guess(key, persons, values) for key, persons in before.items() if key not in values]
    return [guess for guess in found if guess]


def _guess(key: Key, persons: Sequence[int], values: dict[Key, Counter[str]]) -> Guess | None:
    wider = [other for other in values if all(a in (b, "") for a, b in zip(other, key, strict=True))]
    wider = [other for other in wider if values[other].total() >= len(persons)]
    if not wider:
        return None
    found = values[min(wider, key=lambda other: other.count(""))]
    value, n = found.most_common(1)[0]
    return Guess(tuple(persons), value, n / found.total()) if n >= len(persons) else None


def rate(found: Sequence[Guess], truth: Sequence[str]) -> Rate:
    right = sum(truth[person] == guess.value for guess in found for person in guess.persons)
    return Rate(right, sum(len(guess.persons) for guess in found))


def stated(found: Sequence[Guess]) -> float:
    return sum(guess.own * len(guess.persons) for guess in found) / sum(len(guess.persons) for guess in found)
