"""An outline on the screen, as text and tables."""

from __future__ import annotations

import sys
from collections.abc import Iterable

from rich import box
from rich.console import Console
from rich.table import Table as Grid
from rich.text import Text

from shoal.errors import visible
from shoal.report.outline_nodes import Gallery, Outline, Part, Section
from shoal.report.pictures.picture import Picture
from shoal.report.text_nodes import (
    WHERE_ALL,
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

WIDTH = 120


def print_outline(outline: Outline, width: int = WIDTH) -> None:
    """``width``: of a stream that is no terminal."""
    screen = Console(file=sys.stdout, width=None if sys.stdout.isatty() else width, highlight=False)
    screen.print(Text(visible(outline.title), style="bold"))
    screen.print(Text(visible(outline.subtitle)))
    if outline.verdict:
        screen.print(Text(visible(outline.verdict.mark), style="bold yellow"))
    for section in outline.sections:
        screen.print()
        screen.print(Text(visible(section.title), style="bold"))
        for words in (words for part in _shown(section) for words in _words(part)):
            screen.print(*_lines(words), sep="\n")


def _shown(section: Section) -> Iterable[Part]:
    """The parts without pictures where a table of the section has their figures."""
    has_table = any(isinstance(part, Table) for part in section.parts)
    return (part for part in section.parts if not (has_table and isinstance(part, Picture)))


def _words(part: Part) -> Iterable[Words]:
    match part:
        case Paragraph() | Items() | Code() | Table() | Tiles() | Terms() | Tree():
            return (part,)
        case Gallery(pictures):
            return (words for picture in pictures for words in picture.words)
        case _:
            return part.words


def _lines(words: Words) -> list[Text | Grid]:
    match words:
        case Subheading(text) | Paragraph(text):
            return [Text(visible(text))]
        case Items(texts):
            return [Text(f"- {visible(text)}") for text in texts]
        case Code(code):
            return [Text(f"    {visible(line)}") for line in code]
        case Terms(terms):
            return [Text(f"{visible(word)}: {visible(meaning)}") for word, meaning in terms]
        case Tiles(tiles):
            return [Text(visible(f"{tile.label}: {tile.figure}, {tile.note}")) for tile in tiles]
        case Table():
            return [_grid(words), *([Text(WHERE_ALL)] if words.families else [])]
        case Tree(root):
            return [Text(visible(root.text))]


def _grid(table: Table) -> Grid:
    grid = Grid(box=box.SIMPLE_HEAD, show_header=bool(table.head), pad_edge=False, collapse_padding=True)
    for name, align in zip(table.head or ("",) * len(table.align), table.align, strict=True):
        grid.add_column(Text(visible(name)), justify="right" if align == "r" else "left", overflow="fold")
    for row in table.shown_rows:
        grid.add_row(*map(_cell, row))
    return grid


def _cell(cell: Cell) -> Text:
    return Text(visible(f"{cell.text} ({cell.note})" if cell.note else cell.text))
