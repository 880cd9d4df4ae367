"""The encoding of a text file, found by one fast pass over all of its bytes."""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass
from pathlib import Path

from shoal.errors import SourceError
from shoal.sources.compression import DAMAGED, open_bytes

CHUNK = 1 << 20
WINDOWS = "cp1252"
WIDE = ("utf-16", "utf-32")  # many of their bytes may be NUL
MARKS = {  # longer marks first: UTF-32 begins like UTF-16
    codecs.BOM_UTF8: "utf-8-sig",
    codecs.BOM_UTF32_LE: "utf-32",
    codecs.BOM_UTF32_BE: "utf-32",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}
# Characters that no text contains, except NUL, which is searched for in the whole file.
UNPRINTABLE = re.compile("[\x01-\x08\x0e-\x1a\x1c-\x1f\x7f]")


@dataclass(frozen=True)
class TextScan:
    """What one pass over a text file finds."""

    encoding: str
    head: str
    """The first characters, enough for sniffing."""
    is_whole: bool
    """Whether the head is the whole file."""
    n_quotes: dict[str, int]
    """How often each possible quote character occurs."""


def scan_text(path: Path, declared: str | None, quotes: tuple[str, ...]) -> tuple[TextScan, tuple[str, ...]]:
    """The census of a text file, and notes on it for the user."""
    known = declared or _encoding_of_mark(path)
    if found := _scan(path, known or "utf-8", quotes):
        return found, ()
    found = None if known else _scan(path, WINDOWS, quotes)
    if found is None:
        if not (known or "").startswith(WIDE) and _is_binary(path):
            raise SourceError.not_text(path)
        raise SourceError.not_decodable(path, known or "utf-8")
    # Nearly any bytes are valid text of old Windows programs: check whether it is text at all.
    if UNPRINTABLE.search(found.head):
        raise SourceError.not_text(path)
    return found, (f"read as {WINDOWS}: the bytes are not UTF-8",)


def _is_binary(path: Path) -> bool:
    with open_bytes(path) as stream:
        start = stream.read(CHUNK).decode("latin-1")
    return "\0" in start or bool(UNPRINTABLE.search(start))


def codec(encoding: str) -> str:
    """The codec to use: UTF-8 may begin with a byte order mark, declared or not."""
    return "utf-8-sig" if encoding == "utf-8" else encoding


def _encoding_of_mark(path: Path) -> str | None:
    """The encoding that a byte order mark declares."""
    try:
        with open_bytes(path) as stream:
            start = stream.read(4)
    except DAMAGED:
        raise SourceError.damaged(path) from None
    return next((name for mark, name in MARKS.items() if start.startswith(mark)), None)


def _scan(path: Path, encoding: str, quotes: tuple[str, ...]) -> TextScan | None:
    """The census in this encoding; None where the bytes are not valid in it."""
    decoder = codecs.getincrementaldecoder(codec(encoding))()
    n_quotes = dict.fromkeys(quotes, 0)
    head, n_characters = "", 0
    try:
        with open_bytes(path) as stream:
            while True:
                chunk = stream.read(CHUNK)
                text = decoder.decode(chunk, final=not chunk)
                if "\0" in text:
                    raise SourceError.not_text(path)
                head = head or text
                n_characters += len(text)
                for quote in quotes:
                    n_quotes[quote] += text.count(quote)
                if not chunk:
                    break
    except UnicodeError:  # a required byte order mark is missing, or bytes are not valid
        return None
    except DAMAGED:
        raise SourceError.damaged(path) from None
    if not n_characters:
        raise SourceError.empty(path)
    return TextScan(encoding, head, len(head) == n_characters, n_quotes)
