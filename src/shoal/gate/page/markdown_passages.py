"""The passages of a page in Markdown: lines, cells of tables, and comments; as written, and as a reader sees them."""

from __future__ import annotations

import re
from html import unescape

from shoal.gate.page.fixed_texts import is_fixed_part
from shoal.gate.page.passages import BREAK, Passage, plain

ESCAPED = re.compile(r"\\(.)")
RULE = re.compile(r"[|:\s-]+")
MARKUP = re.compile(r"^(#+|-)\s+|^[:,]\s")
BOLD = re.compile(r"(?<!\\)\*\*")
MARKS = re.compile(r"\\(.)|<!--.*?-->|</?\w[^>]*>|[*`]+")
CELLS = re.compile(r"(?<!\\)\|")


def markdown_passages(page: str) -> tuple[Passage, ...]:
    found, subject, place = list[Passage](), "", ""
    for block, line in enumerate(page.splitlines()):
        if RULE.fullmatch(line):
            continue
        heading = re.match(r"(#+)\s+(.*)", line)
        if heading:
            title = _text(heading[2])
            subject, place = (title, place) if len(heading[1]) > 2 else ("", title)  # the title of a picture
        for cell in CELLS.split(line) if line.startswith("|") else [line]:
            texts = [text for part in cell.split("<br>") for text in _texts(part)]
            found += [Passage(text, subject, block, place) for text in texts]
    return tuple(found)


def _texts(line: str) -> list[str]:
    """What is written between marks, and the whole as it is rendered where that says more."""
    parts = BOLD.split(line)
    written = [text for text in map(_text, parts) if text]
    shown = _rendered("**".join(BREAK if is_fixed_part(_text(part)) else part for part in parts)).strip(BREAK + " ")
    says_more = shown and not {shown, _text(shown)} & set(written)
    return [*written, shown] if says_more else written


def _text(line: str) -> str:
    return plain(ESCAPED.sub(r"\1", MARKUP.sub("", line.strip())))


def _rendered(line: str) -> str:
    """As only a reader of the rendered page sees it: without marks, comments and elements, entities as characters."""
    texts = MARKS.split(line)  # every second is what a backslash escapes, or None
    return plain("".join((text or "") if at % 2 else unescape(text) for at, text in enumerate(texts)))
