"""Text that can be shown: what cannot be seen, or would turn or hide what is around it, is written out.

Names of columns, categories and files are the user's. A control character drives a terminal, and one that turns the
direction of writing makes a name look like another.
"""

from __future__ import annotations

import re
from unicodedata import bidirectional

RIGHT_TO_LEFT = {"R", "AL"}  # classes of letters
# Controls, marks and turns of direction, separators of lines, spaces without width, and what is no character.
UNSEEN = (
    "\x00-\x1f\x7f-\x9f\xad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ud800-\udfff\ufeff\ufff9-\ufffb"
    "\ufffe\uffff\U000e0001-\U000e007f"
)
PIECE = re.compile(f"\u2068[^{UNSEEN}]*\u2069|[{UNSEEN}]")


def visible(text: str) -> str:
    r"""a\u202eb where a character turns what follows. A name from right to left that is isolated stays isolated."""
    return PIECE.sub(lambda found: _shown(found[0]), text)


def turns(text: str) -> bool:
    """Whether it is written from right to left, at least in part."""
    return any(bidirectional(letter) in RIGHT_TO_LEFT for letter in text)


def _shown(piece: str) -> str:
    if len(piece) > 1 and turns(piece):
        return piece
    return "".join(_escaped(letter) for letter in piece)


def _escaped(letter: str) -> str:
    return letter.encode("unicode_escape").decode() if PIECE.fullmatch(letter) else letter
