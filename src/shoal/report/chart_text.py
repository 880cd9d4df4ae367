"""A name as a chart writes it."""

from __future__ import annotations

from shoal.errors import visible

FEW = 6  # letters, however wide, that are inside of every limit


def chart_text(name: str) -> str:
    """Visible: the converter ends the process over a character that XML cannot hold, such as NUL.

    It shortens long names between the two halves of a letter beyond the 16-bit plane, and stumbles over the half that
    is left: with such a letter in it, a name is shortened here.
    """
    text = visible(name)
    is_beyond = any(ord(letter) > 0xFFFF for letter in text)
    return f"{text[:FEW]}…" if is_beyond and len(text) > FEW else text
