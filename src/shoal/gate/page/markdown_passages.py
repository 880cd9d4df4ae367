"""The passages of a page in Markdown: lines, cells of tables, and comments."""

from __future__ import annotations

import re

from shoal.gate.page.passages import Passage, plain

ESCAPED = re.compile(r"\\(.)")
RULE = re.compile(r"[|:\s-]+")
MARKUP = re.compile(r"^(#+|-)\s+|^[:,]\s")
PARTS = re.compile(r"<br>|(?<!\\)\*\*")
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
    return tuple(found)


def _text(line: str) -> str:
    return plain(ESCAPED.sub(r"\1", MARKUP.sub("", line.strip())))
