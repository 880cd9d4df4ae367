"""The tree of a report: contents and their order, without markup.

Every part has a ``form``; a renderer can write each form.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from shoal.report.plan_nodes import Convergence, CutTreePicture
from shoal.report.words import tenths

Outcome = Literal["holds", "warns", "fails", "open"]  # open: no requirements, or no released record
ChartForm = Literal["columns", "bars"]
MapForm = Literal["shades", "areas", "colors"]


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
class Series:
    name: str
    values: tuple[float, ...]  # (n_bins,) percent


@dataclass(frozen=True)
class Chart:
    """Figures in bins, and how to draw them.

    drawn    columns: vertical, for ordered bins; bars: horizontal, for names
    title    what is shown
    caption  how to read it
    bins     names along one axis, with the title ``bin_title``
    series   one, or two to compare: before, after
    measure  what the percentages refer to
    start    the bin at which a line is drawn, and its label
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
        """Alternative text for readers who cannot see it."""
        names = " and ".join(series.name for series in self.series)
        return f"{self.title}: {names}, {self.measure}, by {self.bin_title}. {self.caption}"

    @property
    def table(self) -> Table:
        """The same figures as a table."""
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
    """A point of a frontier chart; ``number``: its row in the table."""

    number: int
    name: str
    x: float
    y: float
    is_on_frontier: bool


@dataclass(frozen=True)
class Frontier:
    """Points by two measures, both to be minimized; those on the Pareto frontier are joined."""

    title: str
    caption: str
    spots: tuple[Spot, ...]
    x_title: str
    y_title: str
    form: ClassVar[str] = "frontier"

    @property
    def description(self) -> str:
        """Alternative text for readers who cannot see it."""
        return f"{self.title}: {self.y_title} by {self.x_title}. {self.caption}"


@dataclass(frozen=True)
class MapPicture:
    """Cells of a map.

    drawn    shades: value as opacity; areas: value as size; colors: value as an index of ``names``
    cells    x, y and value; None: an empty cell
    spacing  distance between cells, where units are 1 apart
    names    of the colors
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
        """Alternative text for readers who cannot see it."""
        return f"Map, {self.title}. {self.caption}"


@dataclass(frozen=True)
class MapGallery:
    """Pictures of one map side by side: a position is the same cell in all of them."""

    pictures: tuple[MapPicture, ...]
    form: ClassVar[str] = "map_gallery"


Part = (
    Paragraph | Items | Table | Tiles | Terms | Chart | Gallery | Frontier | MapGallery | CutTreePicture | Convergence
)


@dataclass(frozen=True)
class Section:
    name: str  # anchor for links
    title: str
    parts: tuple[Part, ...]


@dataclass(frozen=True)
class Caution:
    """A warning to be read before publication, and lines for the policy that resolve it."""

    text: str
    lines: tuple[str, ...]


@dataclass(frozen=True)
class Headline:
    """The report in one sentence."""

    outcome: Outcome
    mark: str  # a few words, in large type
    sentence: str
    cautions: tuple[Caution, ...] = ()


@dataclass(frozen=True)
class Outline:
    title: str
    subtitle: str
    verdict: Headline | None  # None: not the report of a release
    sections: tuple[Section, ...]


def facts(*pairs: tuple[str, str | Cell]) -> Table:
    """A table of names and values without a header."""
    rows = tuple((Cell(name), cell if isinstance(cell, Cell) else Cell(cell)) for name, cell in pairs)
    return Table((), rows, "ll")


def digest(sha256: str) -> Cell:
    """The first digits of a hash, enough to compare by eye; the cell keeps all."""
    return Cell(f"{sha256[:12]}…", full=sha256)
