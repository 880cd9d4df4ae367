"""The tree of a report: what is said, in which order, without a word of markup.

Every part has a ``form``; a renderer knows how to write each of them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from shoal.report.plan_nodes import Convergence, CutTreePicture
from shoal.report.words import tenths

Outcome = Literal["holds", "warns", "fails", "open"]  # open: nothing was promised, or there is no record
ChartForm = Literal["columns", "bars"]
MapForm = Literal["shades", "areas", "colors"]


@dataclass(frozen=True)
class Cell:
    text: str
    full: str = ""  # what ``text`` is short for
    note: str = ""  # a quieter line below

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True)
class Paragraph:
    text: str
    form: ClassVar[str] = "paragraph"


@dataclass(frozen=True)
class Items:
    """Lines of equal standing."""

    texts: tuple[str, ...]
    form: ClassVar[str] = "items"


@dataclass(frozen=True)
class Table:
    """``align`` has one letter per column: l text, r figures. Without a head the first column says it all."""

    head: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    align: str
    form: ClassVar[str] = "table"


@dataclass(frozen=True)
class Tile:
    """A figure to be seen first."""

    label: str
    figure: str
    note: str


@dataclass(frozen=True)
class Tiles:
    tiles: tuple[Tile, ...]
    form: ClassVar[str] = "tiles"


@dataclass(frozen=True)
class Terms:
    """Words and what they mean."""

    terms: tuple[tuple[str, str], ...]
    form: ClassVar[str] = "terms"


@dataclass(frozen=True)
class Series:
    name: str
    values: tuple[float, ...]  # (n_bins,) percent


@dataclass(frozen=True)
class Chart:
    """Figures in bins, and how to draw them.

    drawn    columns: upright, for bins that have an order; bars: lying, for names
    title    what is shown
    caption  what to see in it
    bins     names along one axis, ``bin_title`` above them all
    series   one, or two to compare: before, after
    measure  what the percentages are of
    start    the bin where a line is drawn, and what it says
    """

    drawn: ChartForm
    title: str
    caption: str
    bins: tuple[str, ...]
    series: tuple[Series, ...]
    bin_title: str
    measure: str
    start: tuple[int, str] | None = None
    form: ClassVar[str] = "chart"

    @property
    def description(self) -> str:
        """For readers who do not see it."""
        names = " and ".join(series.name for series in self.series)
        return f"{self.title}: {names}, {self.measure}, by {self.bin_title}. {self.caption}"

    @property
    def table(self) -> Table:
        """The same figures to read."""
        columns = [[Cell(tenths(value)) for value in series.values] for series in self.series]
        return Table(
            (self.bin_title, *(series.name for series in self.series)),
            tuple(zip(map(Cell, self.bins), *columns, strict=True)),
            "l" + "r" * len(self.series),
        )


@dataclass(frozen=True)
class Gallery:
    """Small charts side by side, all of the same series."""

    charts: tuple[Chart, ...]
    form: ClassVar[str] = "gallery"


@dataclass(frozen=True)
class Spot:
    """A point of a frontier chart, by the number that it has in the table."""

    number: int
    name: str
    x: float
    y: float
    is_on_frontier: bool


@dataclass(frozen=True)
class Frontier:
    """Spots by two measures, the less of either the better; those that no other beats are joined."""

    title: str
    caption: str
    spots: tuple[Spot, ...]
    x_title: str
    y_title: str
    form: ClassVar[str] = "frontier"

    @property
    def description(self) -> str:
        """For readers who do not see it."""
        return f"{self.title}: {self.y_title} by {self.x_title}. {self.caption}"


@dataclass(frozen=True)
class MapPicture:
    """Cells of a map.

    drawn    shades: the fuller, the more; areas: the larger, the more; colors: a value is the place of a name
    cells    x, y and value; None: the cell is there and says nothing
    spacing  from a cell to the next, where units are 1 apart
    names    what colors stand for
    """

    drawn: MapForm
    title: str
    caption: str
    is_hexagonal: bool
    cells: tuple[tuple[float, float, float | None], ...]
    spacing: float = 1.0
    names: tuple[str, ...] = ()

    @property
    def description(self) -> str:
        """For readers who do not see it."""
        return f"Map, {self.title}. {self.caption}"


@dataclass(frozen=True)
class MapGallery:
    """Pictures of one map side by side: the same place is the same cell in all of them."""

    pictures: tuple[MapPicture, ...]
    form: ClassVar[str] = "map_gallery"


Part = (
    Paragraph | Items | Table | Tiles | Terms | Chart | Gallery | Frontier | MapGallery | CutTreePicture | Convergence
)


@dataclass(frozen=True)
class Section:
    name: str  # for links into the report
    title: str
    parts: tuple[Part, ...]


@dataclass(frozen=True)
class Caution:
    """What the reader must know before the release goes out, and lines that mend it."""

    text: str
    lines: tuple[str, ...]


@dataclass(frozen=True)
class Verdict:
    """The report in one sentence."""

    outcome: Outcome
    mark: str  # a few words, to be written large
    sentence: str
    cautions: tuple[Caution, ...] = ()


@dataclass(frozen=True)
class Outline:
    title: str
    subtitle: str
    verdict: Verdict | None  # None: the page is no report of a release
    sections: tuple[Section, ...]


def facts(*pairs: tuple[str, str | Cell]) -> Table:
    """A table of names and what they are."""
    rows = tuple((Cell(name), cell if isinstance(cell, Cell) else Cell(cell)) for name, cell in pairs)
    return Table((), rows, "ll")


def digest(sha256: str) -> Cell:
    """Enough of a hash to compare by eye."""
    return Cell(f"{sha256[:12]}…", full=sha256)
