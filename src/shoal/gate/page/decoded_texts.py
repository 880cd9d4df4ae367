"""Texts that a passage hides by an encoding: percent signs, base64, gzip within base64."""

from __future__ import annotations

import binascii
import re
import zlib
from base64 import b64decode
from collections.abc import Iterator
from urllib.parse import unquote

from shoal.gate.page.passages import plain

BASE64 = re.compile(r"(?<![\w+/-])[A-Za-z0-9+/_-]{8,}={0,2}")
GZIP = b"\x1f\x8b"
LONGEST = 1_000_000  # bytes of a decoded text


def decoded_texts(text: str) -> Iterator[str]:
    """The text as it reads once it is decoded; nothing where it is not encoded."""
    if "%" in text and unquote(text) != text:
        yield unquote(text)
    for token in BASE64.findall(text):
        found = _from_base64(token)
        if found:
            yield found


def _from_base64(token: str) -> str:
    """Empty where the token is not the base64 of a readable text."""
    bare = token.rstrip("=").translate(str.maketrans("-_", "+/"))
    try:
        found = b64decode(bare + "=" * (-len(bare) % 4))
        found = zlib.decompressobj(wbits=31).decompress(found, LONGEST) if found.startswith(GZIP) else found
        text = found.decode("utf-8")
    except (binascii.Error, zlib.error, UnicodeDecodeError):
        return ""
    return text if plain(text).isprintable() else ""  # the end of a line is not printable, but is readable
