"""A page as passages: every piece of text that a reader, or a reader of its source, can see."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

INVISIBLE = re.compile("[\u2066-\u2069\u200b-\u200f\u00ad]")
ELLIPSIS = "\u2026"
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


def without_shortened(passages: Sequence[Passage]) -> list[Passage]:
    """Without labels of a figure that are shortened, where the same figure has the whole text, too."""
    whole = {(each.subject, each.text) for each in passages}
    texts: dict[str, list[str]] = {}
    for subject, text in whole:
        texts.setdefault(subject, []).append(text)
    return [each for each in passages if not _is_shortened(each, texts[each.subject])]


def _is_shortened(passage: Passage, texts: list[str]) -> bool:
    start = passage.text.removesuffix(ELLIPSIS).strip()
    is_short = passage.text.endswith(ELLIPSIS) and bool(passage.subject) and bool(start)
    return is_short and any(text != passage.text and text.startswith(start) for text in texts)


def are_scale(texts: list[str]) -> bool:
    """Whether the labels of an axis are numbers in equal steps from zero."""
    try:
        marks = [float(text.replace(",", "").replace("\u2212", "-").rstrip("%\u00a0 ")) for text in texts]
    except ValueError:
        return False
    steps = [after - before for before, after in pairwise(marks)]
    return bool(marks) and marks[0] == 0 and all(abs(step - steps[0]) < 1e-9 * abs(marks[-1]) for step in steps)
