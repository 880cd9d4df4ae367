"""Names of columns and values as they are written in charts."""

from __future__ import annotations

from shoal.errors import visible

FEW = 6  # characters that fit every limit, however wide


def chart_text(name: str) -> str:
    """The name with unprintable characters escaped: the SVG converter aborts on those that XML excludes, such as NUL.

    The converter also fails when it shortens a name between the two surrogates of a character above U+FFFF; long names
    with such a character are shortened here.
    """
    text = visible(name)
    is_beyond = any(ord(letter) > 0xFFFF for letter in text)
    return f"{text[:FEW]}…" if is_beyond and len(text) > FEW else text
