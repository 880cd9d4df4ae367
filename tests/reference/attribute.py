"""Attribute disclosure, partial knowledge and presence, record by record."""

from collections import Counter, defaultdict
from fractions import Fraction
from itertools import combinations
from typing import Any

Records = list[tuple[Any, Any]]  # the class and the known value of every record


def windows(values: list[Any]) -> list[tuple[Any, Any]]:
    """The intervals between two values that span a tenth of the ranks at most, and every value alone."""
    different = set(values)
    return [
        (low, high)
        for low in different
        for high in different
        if low == high or (low < high and sum(low <= each <= high for each in values) <= len(values) / 10)
    ]


def guesses(values: list[Any], *, ordered: bool) -> list[tuple[Any, Any]]:
    return windows(values) if ordered else [(value, value) for value in set(values)]


def n_inside(values: list[Any], guess: tuple[Any, Any], *, ordered: bool) -> int:
    low, high = guess
    return sum(low <= value <= high if ordered else value == low for value in values)


def attribute_twin(records: Records, *, ordered: bool) -> dict[str, float]:
    """Right guesses, the surest class, the highest gain of belief, and classes of one and of two values."""
    values = [value for _, value in records]
    by_class: dict[Any, list[Any]] = defaultdict(list)
    for each, value in records:
        by_class[each].append(value)
    possible = guesses(values, ordered=ordered)
    whole = {guess: n_inside(values, guess, ordered=ordered) / len(values) for guess in possible}
    shares = {
        each: {guess: n_inside(inside, guess, ordered=ordered) / len(inside) for guess in possible}
        for each, inside in by_class.items()
    }
    n = len(records)
    gains = [(round(share - whole[guess], 12), share) for each in shares.values() for guess, share in each.items()]
    return {
        "right": sum(len(by_class[each]) * max(of.values()) for each, of in shares.items()) / n,
        "baseline": max(whole.values()),
        "surest": max(max(of.values()) for of in shares.values()),
        "gain": max(gains)[0],
        "belief": max(gains)[1],
        "homogeneous": sum(len(inside) for inside in by_class.values() if len(set(inside)) == 1) / n,
        "of_two": sum(len(inside) for inside in by_class.values() if len(set(inside)) <= 2) / n,
        "similar": sum(len(by_class[each]) for each, of in shares.items() if max(of.values()) == 1) / n,
        "narrowest": min(sum(min(i) <= v <= max(i) for v in values) for i in by_class.values()) / n if ordered else 1.0,
    }


def worst_set(rows: list[dict[str, Any]], names: list[str], size: int, units: list[Any] | None = None) -> int:
    """The most records that one set of ``size`` columns singles out: nobody of another unit equals them."""
    owners = units or list(range(len(rows)))
    found = []
    for columns in combinations(names, size):
        persons: dict[Any, set[Any]] = defaultdict(set)
        keys = [tuple(row[name] for name in columns) for row in rows]
        for key, owner in zip(keys, owners, strict=True):
            persons[key].add(owner)
        found.append(sum(len(persons[key]) == 1 for key in keys))
    return max(found)


def presence_twin(population: list[Any], released: list[Any]) -> list[float]:
    """Of every person of the population, the share of those who are equal who are in the file."""
    everybody, inside = Counter(population), Counter(released)
    return [inside[person] / everybody[person] for person in population]


def right_of_persons(records: list[tuple[Any, Any, Any]]) -> tuple[float, float]:
    """Share of persons guessed by the most frequent value of their class, and by that of the whole table. Of every
    record its class, value and person; the records of a person in a class are equal parts. No value: not guessed."""
    n_of = Counter((each, person) for each, _, person in records)
    by_class: dict[Any, dict[Any, Fraction]] = defaultdict(lambda: defaultdict(Fraction))
    for each, value, person in records:
        if value is not None:
            by_class[each][value] += Fraction(1, n_of[each, person])
    whole: dict[Any, Fraction] = defaultdict(Fraction)
    for value, n in (item for of in by_class.values() for item in of.items()):
        whole[value] += n
    total = sum(whole.values())
    return float(sum(max(of.values()) for of in by_class.values()) / total), float(max(whole.values()) / total)
