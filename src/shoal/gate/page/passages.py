"""A page as passages: every piece of text that a reader, or a reader of its source, can see."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

# Format characters (category Cf), and those that Unicode lets a reader ignore: fillers, variation selectors, tags. They
# are listed, since versions of Python and of Arrow, which reads the cells, know different ones.
INVISIBLE = (
    "[\u00ad\u034f\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f"
    "\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\U000110bd\U000110cd\U00013430-\U0001343f"
    "\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
BREAK = "\x00"  # in place of what is explained, or what every page has
ELLIPSIS = "\u2026"
SPACES = re.compile(r"\s+")


@dataclass(frozen=True)
class Passage:
    """A piece of text.

    subject   title of the figure that it belongs to, such as the name of a column; empty: of no figure
    block     number of the line, row or paragraph that it is part of: what is read together
    place     the nearest heading, for messages
    is_scale  a mark of an axis: equal steps from zero, which the data do not decide
    is_odd    markup that no page needs, such as a script, and that may show more than its text says
    """

    text: str
    subject: str
    block: int
    place: str
    is_scale: bool = False
    is_odd: bool = False


def plain(text: str) -> str:
    """The text on one line, without invisible characters, letters and digits in their usual form."""
    parts = without_invisible(text).split(ELLIPSIS)
    return SPACES.sub(" ", ELLIPSIS.join(unicodedata.normalize("NFKC", part) for part in parts)).strip()


def without_invisible(text: str) -> str:
    return re.sub(INVISIBLE, "", text)


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
    """Whether the labels of an axis are numbers in equal steps from zero, of 1, 2 or 5 times a power of ten."""
    try:
        marks = [float(text.replace(",", "").replace("\u2212", "-").rstrip("%\u00a0 ")) for text in texts]
    except ValueError:
        return False
    steps = [after - before for before, after in pairwise(marks)]
    is_round = all(f"{abs(step):e}".split("e")[0].rstrip("0") in ("1.", "2.", "2.5", "5.") for step in steps[:1])
    is_even = all(abs(step - steps[0]) < 1e-9 * abs(marks[-1]) for step in steps)
    return bool(marks) and marks[0] == 0 and is_round and is_even
