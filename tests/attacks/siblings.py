"""An intruder reads a blank cell off a sibling: what a household shares is shown by any of its members.

Who it is          anybody
What they hold     the release: blanks among the quasi-identifiers, and a number that ties the members of a household
What they try      where a cell is blank, look at the others of the same number; without them, the most frequent value
When it is right   the cell was this; the stated risk is the share of the most frequent value, which needs no release
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from attacks.members import Places
from attacks.published import Published
from attacks.rates import Rate


def guesses(published: Published, column: str, household: str) -> dict[int, str]:
    """For every blank cell of the column, by its place: what a sibling shows, or what is most frequent."""
    cells, numbers = (published.records[name].to_pylist() for name in (column, household))
    shown = {number: cell for number, cell in zip(numbers, cells, strict=True) if cell and number}
    usual = Counter(cell for cell in cells if cell).most_common(1)[0][0]
    return {
        place: shown.get(number, usual)
        for place, (cell, number) in enumerate(zip(cells, numbers, strict=True))
        if not cell
    }


def rate(guessed: dict[int, str], truth: Sequence[str], original_of: Places) -> Rate:
    """``truth``: the column of the original."""
    right = sum(truth[original_of[place]] == cell for place, cell in guessed.items())
    return Rate(right, len(guessed))
