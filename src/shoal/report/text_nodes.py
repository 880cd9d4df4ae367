"""Parts of a report that are text: paragraphs, lists, tables, highlighted figures.

Every part has a ``form``; a renderer can write each form.
"""

from __future__ import annotations

from collections.abc import Iterator
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


Row = tuple[Cell, ...]
WHERE_ALL = "The figures of all columns are in this report as HTML, to unfold on the screen, and as JSON."


@dataclass(frozen=True)
class RowFamily:
    """Rows of a table that are shown as one.

    shown    the row that stands for them: the worst, never a mean
    places   of its rows, in the table
    details  the figures of all, to be unfolded below the table
    """

    shown: Row
    places: tuple[int, ...]
    details: Details


@dataclass(frozen=True)
class Table:
    """``align`` has one letter per column: l text, r figures. Without ``head`` the first column holds the names.
    ``rows``: all of them, those of ``families`` too."""

    head: tuple[str, ...]
    rows: tuple[Row, ...]
    align: str
    families: tuple[RowFamily, ...] = ()
    form: ClassVar[str] = "table"

    @property
    def shown_rows(self) -> tuple[Row, ...]:
        """The rows that a page shows: one of each family, in the place of its first."""
        return tuple(self._shown_rows())

    def _shown_rows(self) -> Iterator[Row]:
        family_of = {place: family for family in self.families for place in family.places}
        for place, row in enumerate(self.rows):
            family = family_of.get(place)
            if family is None or place == family.places[0]:
                yield family.shown if family else row


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
