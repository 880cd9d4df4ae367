"""A page as passages: every piece of text that a reader, or a reader of its source, can see."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise

INVISIBLE = re.compile("[\u2066-\u2069\u200b-\u200f\u00ad]")
SPACES = re.compile(r"\s+")


@dataclass(frozen=True)
class Passage:
    """A piece of text.

    subject   title of the figure that it belongs to, such as the name of a column; empty: of no figure
    block     number of the line, row or paragraph that it is part of: what is read together
    place     the nearest heading, for messages
    is_scale  a mark of an axis: equal steps from zero, which the data do not decide
    """

    text: str
    subject: str
    block: int
    place: str
    is_scale: bool = False


def plain(text: str) -> str:
    """The text on one line, without invisible characters."""
    return SPACES.sub(" ", INVISIBLE.sub("", text)).strip()


def are_scale(texts: list[str]) -> bool:
    """Whether the labels of an axis are numbers in equal steps from zero."""
    try:
        marks = [float(text.replace(",", "").replace("\u2212", "-").rstrip("%\u00a0 ")) for text in texts]
    except ValueError:
        return False
    steps = [after - before for before, after in pairwise(marks)]
    return len(marks) > 1 and marks[0] == 0 and all(abs(step - steps[0]) < 1e-9 * abs(marks[-1]) for step in steps)
