"""Families of figures: one figure of many columns, of which pages and the shell show the worst.

figures, and what keeps them apart -> families

The names below are those that the findings have: what stands before or after the name of the column. The worst is what
exceeds its baseline most (`Finding.severity`), never a mean; up to three columns are shown as they are.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, replace

from shoal.assessment.exposure import HOMOGENEOUS
from shoal.assessment.risk import attribute_attacks as attribute
from shoal.assessment.risk.determined_cells import DETERMINED
from shoal.assessment.risk.earlier_releases import DEPARTED, JOINED, PINNED
from shoal.assessment.risk.interval import INTERVAL_DISCLOSURE
from shoal.assessment.risk.minimality import BLANKED, MINIMALITY, SUPPRESSED
from shoal.findings import Finding, UnmeasuredFigure
from shoal.report.text_nodes import Cell, Details, RowFamily, Table

MOST_ROWS = 3  # columns that are shown one by one
STARTS = (
    *(f"{name}, " for name in (DETERMINED, HOMOGENEOUS, MINIMALITY, SUPPRESSED, BLANKED)),
    *(f"{name} " for name in (INTERVAL_DISCLOSURE, attribute.RIGHT, attribute.BELIEF, attribute.SIMILAR)),
    f"{attribute.OF_TWO} ",
    "information loss of ",
    "total of ",
    "weighted total of ",
)
ENDS = (f" {PINNED}", *(f" of {of_whom} pinned down" for of_whom in (DEPARTED, JOINED)))

Figure = Finding | UnmeasuredFigure


@dataclass(frozen=True)
class FigureFamily:
    """The same figure of more columns than are shown one by one: all measured, or none for the same reason.

    title    the figure without a column
    figures  of ``columns``
    places   of the figures among those that were given
    n_all    columns of which the figure was asked for
    """

    title: str
    columns: tuple[str, ...]
    figures: tuple[Figure, ...]
    places: tuple[int, ...]
    n_all: int

    @property
    def n_columns(self) -> int:
        return len(set(self.columns))

    @property
    def place_of_worst(self) -> int:
        """Among ``figures``; the first of equals, and of those that were not measured."""
        measured = [figure.severity for figure in self.figures if isinstance(figure, Finding)]
        return measured.index(max(measured)) if measured else 0

    @property
    def shown(self) -> Figure:
        """The worst figure, its name with the number of columns that it stands for."""
        worst, n = self.figures[self.place_of_worst], self.n_columns
        of_all = "" if n == self.n_all else f"of {self.n_all} "
        if isinstance(worst, UnmeasuredFigure):
            return replace(worst, name=f"{self.title}, {n} {of_all}columns")
        return replace(worst, name=f"{worst.name}, worst of {n} {of_all}columns")

    def rows(self, table: Table, shown: Sequence[Cell]) -> RowFamily:
        """The family as rows of ``table``, whose figures are right-aligned; ``shown``: the row that stands for all."""
        figures = [at for at, letter in enumerate(table.align) if letter == "r"]
        cells = tuple(
            (Cell(column, note=self._own_note(at)), *(table.rows[place][each] for each in figures))
            for at, (column, place) in enumerate(zip(self.columns, self.places, strict=True))
        )
        head = ("Column", *(table.head[each] for each in figures))
        summary = f"{self.title}: all {self.n_columns} columns"
        return RowFamily(tuple(shown), self.places, Details(summary, Table(head, cells, "l" + "r" * len(figures))))

    def _own_note(self, at: int) -> str:
        """What a figure says about itself; nothing where the worst one says the same of its own column."""
        worst = self.place_of_worst
        own, of_worst = _words(self.figures[at]), _words(self.figures[worst])
        name = re.compile(rf"(?<!\w){re.escape(self.columns[at])}(?!\w)")
        return "" if name.sub(lambda _: self.columns[worst], own) == of_worst else own


def _words(figure: Figure) -> str:
    return figure.meaning if isinstance(figure, Finding) else figure.reason


def figure_families(figures: Iterable[Figure], apart: Sequence[Hashable] | None = None) -> tuple[FigureFamily, ...]:
    """The families of more than three columns. ``apart``: for every figure, what else it must have in common."""
    listed = tuple(figures)
    named = [_title_and_column(figure.name) for figure in listed]
    groups: dict[Hashable, list[int]] = {}
    for place, (figure, (title, column)) in enumerate(zip(listed, named, strict=True)):
        if column is not None:
            reason = figure.reason if isinstance(figure, UnmeasuredFigure) else None
            groups.setdefault((title, reason, apart[place] if apart else None), []).append(place)
    found = [_family(listed, named, tuple(places)) for places in groups.values()]
    return tuple(family for family in found if family.n_columns > MOST_ROWS)


def _family(
    figures: Sequence[Figure], named: Sequence[tuple[str, str | None]], places: tuple[int, ...]
) -> FigureFamily:
    title = named[places[0]][0]
    columns = tuple(str(named[place][1]) for place in places)
    n_all = len({column for other, column in named if other == title and column is not None})
    return FigureFamily(title, columns, tuple(figures[place] for place in places), places, n_all)


def _title_and_column(name: str) -> tuple[str, str | None]:
    """The figure and the column that it is of; None where it is not the figure of a column."""
    for start in STARTS:
        if name.startswith(start):
            return start.removesuffix(" ").removesuffix(",").removesuffix(" of"), name.removeprefix(start)
    for end in ENDS:
        if name.endswith(end):
            return end.strip().removeprefix("of "), name.removesuffix(end)
    return name, None


def worst_findings(findings: Iterable[Finding], not_measured: Iterable[UnmeasuredFigure] = ()) -> list[Finding]:
    """The findings with the worst instead of every family. ``not_measured``: figures that are counted with them."""
    listed = list(findings)
    shown: dict[int, Figure | None] = {}
    for family in figure_families((*listed, *not_measured)):
        shown |= dict.fromkeys(family.places) | {family.places[0]: family.shown}
    found = [shown.get(place, finding) for place, finding in enumerate(listed)]
    return [figure for figure in found if isinstance(figure, Finding)]
