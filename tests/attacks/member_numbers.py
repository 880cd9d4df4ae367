"""An intruder knows in which order the members of a household are listed, and so the number of everybody.

Who it is          knows the quasi-identifiers and the household of everybody, so that they can repeat the grouping
What they hold     the release, in which no number says who lives together, and the class of every person
What they try      of the persons of a class, take any of those who have the number that the record shows: at the least,
                   a household has as many members as the number says
When it is right   it is this person; a class of k households states one in k
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

import numpy as np


def guesses(
    classes: Sequence[Any], persons: Sequence[int], own: Sequence[int], shown: Sequence[str], seed: int = 0
) -> list[int]:
    """The person that every released record is taken for. ``classes``, ``shown``: of the records, with the number that
    each shows, empty where it is blank; ``persons``, ``own``: who is in these classes, with their numbers."""
    members, draw = defaultdict(list), np.random.default_rng(seed)
    for each, person, number in zip(classes, persons, own, strict=True):
        members[each].append((person, number))
    found = list[int]()
    for each, number in zip(classes, shown, strict=True):
        possible = [person for person, own_number in members[each] if not number or own_number == int(number)]
        found.append(int(draw.choice(possible)))
    return found
