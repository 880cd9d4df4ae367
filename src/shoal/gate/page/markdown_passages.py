"""The passages of a page in Markdown: lines, cells of tables, and comments; as written, and as a reader sees them."""

from __future__ import annotations

import re
from html import unescape

from shoal.gate.page.passages import Passage, plain

ESCAPED = re.compile(r"\\(.)")
RULE = re.compile(r"[|:\s-]+")
MARKUP = re.compile(r"^(#+|-)\s+|^[:,]\s")
PARTS = re.compile(r"<br>|(?<!\\)\*\*")
MARKS = re.compile(r"<!--.*?-->|</?\w[^>]*>|(?<!\\)[*`]+")
WORD = re.compile(r"\w+")
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
            for part in PARTS.split(cell):
                text = _text(part)
                if text:
                    found.append(Passage(text, subject, block, place))
            found += [Passage(word, subject, block, place) for word in _rendered_words(cell)]
    return tuple(found)


def _text(line: str) -> str:
    return plain(ESCAPED.sub(r"\1", MARKUP.sub("", line.strip())))


def _rendered_words(cell: str) -> list[str]:
    """Words that only a reader of the rendered page sees: markup divides them, or entities spell them."""
    shown = unescape(MARKS.sub("", cell.replace("<br>", " ")))
    written = set(WORD.findall(cell))
    return [plain(word) for word in WORD.findall(shown) if word not in written]
