"""The outline as Markdown, for a repository, a ticket or a terminal. Charts become tables."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import groupby

from shoal.errors import visible
from shoal.report.outline_nodes import Caution, Gallery, Headline, Outline, Part, Section
from shoal.report.text_nodes import (
    WHERE_ALL,
    Branch,
    Cell,
    Code,
    Items,
    Paragraph,
    Subheading,
    Table,
    Terms,
    Tiles,
    Tree,
    Words,
)

MARKS = {"holds": "✓", "warns": "!", "fails": "✗", "open": "○"}
RULES = {"l": ":---", "r": "---:"}
SPECIAL = re.compile(r"([\\`*_\[\]<>|~#&$])")


def render(outline: Outline) -> str:
    blocks = [
        f"# {escape_markdown(outline.title)}",
        escape_markdown(outline.subtitle),
        *([_verdict(outline.verdict)] if outline.verdict else []),
        *map(_section, outline.sections),
    ]
    return "\n\n".join(blocks) + "\n"


def _verdict(verdict: Headline) -> str:
    headline = f"**{MARKS[verdict.outcome]} {escape_markdown(verdict.mark)}.** {escape_markdown(verdict.sentence)}"
    return "\n\n".join([headline, *map(_caution, verdict.cautions)])


def _caution(caution: Caution) -> str:
    return "\n".join(
        [f"**!** {escape_markdown(caution.text)}", *(f"- {escape_markdown(line)}" for line in caution.lines)]
    )


def escape_markdown(text: str) -> str:
    """The text on one line, with unprintable characters and the markup of Markdown and HTML escaped."""
    return SPECIAL.sub(r"\\\1", " ".join(visible(text).split()))


def _section(section: Section) -> str:
    return "\n\n".join([f"## {escape_markdown(section.title)}", *map(_part, section.parts)])


def _part(part: Part) -> str:
    match part:
        case Paragraph() | Items() | Code() | Table() | Tiles() | Terms() | Tree():
            return _text(part)
        case Gallery(pictures):
            return _texts(text for picture in pictures for text in picture.words)
        case _:
            return _texts(part.words)


def _texts(texts: Iterable[Words]) -> str:
    """The texts in their order; lists that follow each other are one list."""
    lists = [list(same) for _, same in groupby(texts, key=type)]
    return "\n\n".join(("\n" if isinstance(same[0], Items) else "\n\n").join(map(_text, same)) for same in lists)


def _text(part: Words) -> str:
    match part:
        case Subheading(text):
            return f"### {escape_markdown(text)}"
        case Paragraph(text):
            return escape_markdown(text)
        case Items(texts):
            return "\n".join(f"- {escape_markdown(text)}" for text in texts)
        case Code(lines):
            return _fenced([visible(line) for line in lines])
        case Terms(terms):
            return "\n".join(f"- **{escape_markdown(word)}**: {escape_markdown(meaning)}" for word, meaning in terms)
        case Tiles(tiles):
            return "\n".join(
                f"- {escape_markdown(tile.label)}: **{escape_markdown(tile.figure)}**, {escape_markdown(tile.note)}"
                for tile in tiles
            )
        case Table():
            return _table(part)
        case Tree(root):
            return _branch(root)


def _fenced(lines: Sequence[str]) -> str:
    """Lines between fences that are longer than any run of backticks in them."""
    longest = max((len(run) for line in lines for run in re.findall("`+", line)), default=0)
    fence = "`" * max(3, longest + 1)
    return "\n".join([f"{fence}toml", *lines, fence])


def _branch(branch: Branch, indent: str = "") -> str:
    return "\n".join(
        [f"{indent}- {escape_markdown(branch.text)}", *(_branch(part, indent + "  ") for part in branch.parts)]
    )


def _table(table: Table) -> str:
    head = table.head or ("",) * len(table.align)  # Markdown tables need a header
    rules = [RULES[letter] for letter in table.align]
    rows = (_row([_cell(cell) for cell in row]) for row in table.shown_rows)
    where = ["", escape_markdown(WHERE_ALL)] if table.families else []
    return "\n".join([_row([escape_markdown(name) for name in head]), _row(rules), *rows, *where])


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _cell(cell: Cell) -> str:
    """The full text of a cell, since Markdown has no tooltips."""
    text = escape_markdown(cell.full or cell.text)
    return f"{text}<br>{escape_markdown(cell.note)}" if cell.note else text
