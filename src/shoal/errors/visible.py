"""Text that is safe to display: invisible characters, and those that reverse or hide others, are escaped.

Names of columns, categories and files come from the user. A control character may control a terminal, and one that
changes the direction of writing makes a name look like another.
"""

from __future__ import annotations

import re
from unicodedata import bidirectional

RIGHT_TO_LEFT = {"R", "AL"}  # Unicode bidirectional classes
# Control characters, direction marks and overrides, line separators, zero-width spaces, surrogates and noncharacters.
INVISIBLE = (
    "\x00-\x1f\x7f-\x9f\xad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ud800-\udfff\ufeff\ufff9-\ufffb"
    "\ufffe\uffff\U000e0001-\U000e007f"
)
PIECE = re.compile(f"\u2068[^{INVISIBLE}]*\u2069|[{INVISIBLE}]")


def visible(text: str) -> str:
    r"""The text with such characters escaped, as in a\u202eb. Isolates around right-to-left text are kept."""
    return PIECE.sub(lambda found: _escape_piece(found[0]), text)


def has_right_to_left(text: str) -> bool:
    """Whether the text contains letters that are written from right to left."""
    return any(bidirectional(letter) in RIGHT_TO_LEFT for letter in text)


def _escape_piece(piece: str) -> str:
    if len(piece) > 1 and has_right_to_left(piece):
        return piece
    return "".join(_escape_letter(letter) for letter in piece)


def _escape_letter(letter: str) -> str:
    return letter.encode("unicode_escape").decode() if PIECE.fullmatch(letter) else letter
