"""Parts of a report that are text: paragraphs, lists, tables, highlighted figures.

Every part has a ``form``; a renderer can write each form.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar


@dataclass(frozen=True)
class Cell:
    text: str
    full: str = ""  # if ``text`` is shortened
    note: str = ""  # small print below

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True)
class Paragraph:
    text: str
    form: ClassVar[str] = "paragraph"


@dataclass(frozen=True)
class Items:
    """A bulleted list."""

    texts: tuple[str, ...]
    form: ClassVar[str] = "items"


@dataclass(frozen=True)
class Code:
    """Lines to copy, such as those of a policy."""

    lines: tuple[str, ...]
    form: ClassVar[str] = "code"


@dataclass(frozen=True)
class Table:
    """``align`` has one letter per column: l text, r figures. Without ``head`` the first column holds the names."""

    head: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    align: str
    form: ClassVar[str] = "table"


@dataclass(frozen=True)
class Tile:
    """A highlighted figure."""

    label: str
    figure: str
    note: str


@dataclass(frozen=True)
class Tiles:
    tiles: tuple[Tile, ...]
    form: ClassVar[str] = "tiles"


@dataclass(frozen=True)
class Terms:
    """Terms with their definitions."""

    terms: tuple[tuple[str, str], ...]
    form: ClassVar[str] = "terms"


@dataclass(frozen=True)
class Branch:
    """A line of a tree, with those that hang on it."""

    text: str
    parts: tuple[Branch, ...]


@dataclass(frozen=True)
class Tree:
    """A nested list."""

    root: Branch
    form: ClassVar[str] = "tree"


TextPart = Paragraph | Items | Code | Table | Tiles | Terms | Tree


@dataclass(frozen=True)
class Subheading:
    """The title of a picture among its words; a page has it below the drawing."""

    text: str


Words = TextPart | Subheading


@dataclass(frozen=True)
class Details:
    """A part that a page shows on demand, below its summary."""

    summary: str
    part: TextPart


def facts(*pairs: tuple[str, str | Cell]) -> Table:
    """A table of names and values without a header."""
    rows = tuple((Cell(name), cell if isinstance(cell, Cell) else Cell(cell)) for name, cell in pairs)
    return Table((), rows, "ll")


def digest(sha256: str) -> Cell:
    """The first digits of a hash, enough to compare by eye; the cell keeps all."""
    return Cell(f"{sha256[:12]}…", full=sha256)
