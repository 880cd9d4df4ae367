"""Chance undone by its repetition: what all members of a household share, and each shows with chance of its own.

The new number of a household ties its members. Of names the intruder takes the one that most of them show, of numbers
their mean.
"""

from __future__ import annotations

from collections import Counter, defaultdict

import numpy as np

from attacks.published import Published
from attacks.rates import Rate


def guesses(published: Published, column: str, household: str, *, are_numbers: bool) -> dict[str, str | float]:
    """By the number of a household."""
    shown: dict[str, list[str]] = defaultdict(list)
    for record in published.records.to_pylist():
        shown[record[household]].append(record[column])
    if are_numbers:
        return {number: float(np.mean([float(cell) for cell in cells])) for number, cells in shown.items()}
    return {number: Counter(cells).most_common(1)[0][0] for number, cells in shown.items()}


def rate(guessed: dict[str, str | float], truth: dict[str, str | float], near: float = 0.0) -> Rate:
    """``near``: how far a number may be off."""
    right = [
        abs(guess - truth[number]) <= near if isinstance(guess, float) else guess == truth[number]
        for number, guess in guessed.items()
    ]
    return Rate(sum(right), len(right))
