"""Figures of pairs of names as a table of shaded cells, the figures of the names themselves on its diagonal."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar

from shoal.errors import visible
from shoal.report import theme
from shoal.report.chart_text import chart_text
from shoal.report.pictures.picture import Picture
from shoal.report.text_nodes import Cell, Details, Table
from shoal.report.words import rounded_percent

if TYPE_CHECKING:
    import altair as alt
else:
    from shoal.report.pictures import late_altair as alt

CELL = 26  # height in pixels
LONGEST_NAME = 90
FAINTEST_SHADE, DARKEST_SHADE = 0.04, 0.6  # opacity of a cell
SMALLEST_SCALE = 10.0  # percent of the darkest shade at least, so that small shares look small


@dataclass(frozen=True)
class HeatTable(Picture):
    """Percentages of names and of pairs of them, or hundredths of what is no share.

    names       along both axes
    shares      by one name or by two in the order of ``names``
    in_percent  whether the figures below the table have a percent sign
    """

    title: str
    caption: str
    names: tuple[str, ...]
    shares: Mapping[tuple[str, ...], float] = field(hash=False)
    measure: str
    in_percent: bool = True
    form: ClassVar[str] = "heat_table"

    @property
    def description(self) -> str:
        """Alternative text for readers who cannot see it."""
        return f"{self.title}: {self.measure}, by two of {len(self.names)} columns. {self.caption}"

    @property
    def details(self) -> Details:
        rows = sorted(self.shares.items(), key=lambda item: -item[1])
        cells = tuple((Cell(", ".join(names)), Cell(self._figure(share))) for names, share in rows)
        return Details("The figures", Table(("Columns", self.measure), cells, "lr"))

    def _figure(self, share: float) -> str:
        return rounded_percent(share) if self.in_percent else f"{share:.1f}"

    def draw(self, *, small: bool = False) -> alt.LayerChart:
        cells = alt.Chart(alt.InlineData(self._cells())).encode(tooltip="tip:N")
        x = alt.X("x:O", title=None, axis=self._axis(labelAngle=-40, orient="top", labelOverlap=False))
        y = alt.Y("y:O", title=None, axis=self._axis())
        shade = alt.FillOpacity("shade:Q", scale=None)
        layers = [
            cells.mark_rect(fill=theme.ACCENT, stroke=theme.TEXT, strokeOpacity=0.15).encode(x, y, shade),
            cells.mark_text(fontSize=10).encode(x, y, alt.Text("text:N")),
        ]
        return alt.LayerChart(layer=layers).properties(
            width=theme.SMALL_WIDTH if small else theme.WIDTH,
            height=CELL * len(self.names),
            autosize=alt.AutoSizeParams(type="fit-x", contains="padding"),
            config=theme.CONFIG,
        )

    def _cells(self) -> list[dict[str, Any]]:
        place, most = {name: at for at, name in enumerate(self.names)}, max(*self.shares.values(), SMALLEST_SCALE)
        return [
            {
                "x": place[names[0]],
                "y": place[names[-1]],
                "shade": _shade(share / most),
                "text": _short(share),
                "tip": f"{visible(', '.join(names))}: {self._figure(share)}",
            }
            for names, share in self.shares.items()
        ]

    def _axis(self, **options: Any) -> alt.Axis:
        """The names as JSON, since that can hold any text as a literal of a Vega expression."""
        names = json.dumps([chart_text(name) for name in self.names])
        return alt.Axis(labelExpr=f"{names}[datum.value]", labelLimit=LONGEST_NAME, **options)


def _shade(part: float) -> float:
    """The opacity of a cell, in few digits: the drawing tells no more than its text."""
    return round(FAINTEST_SHADE + (DARKEST_SHADE - FAINTEST_SHADE) * part, 2)


def _short(share: float) -> str:
    """A share that fits a small cell; a share that is not zero is never shown as 0."""
    return "0" if share == 0 else "<0.1" if share < 0.1 else f"{share:.1f}" if share < 10 else f"{share:.0f}"
