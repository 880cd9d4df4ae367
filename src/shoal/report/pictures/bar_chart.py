"""Bar charts, one series or two; bars before and after protection are drawn inside each other.

Bins are identified by position and named by the axis: names come from the data, may hold any character, and two of
them may be equal.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Literal

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

ChartForm = Literal["columns", "bars"]


@dataclass(frozen=True)
class Series:
    name: str
    values: tuple[float, ...]  # (n_bins,) percent


@dataclass(frozen=True)
class Chart(Picture):
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
        columns = [[Cell(rounded_percent(value)) for value in series.values] for series in self.series]
        return Table(
            (self.bin_title, *(series.name for series in self.series)),
            tuple(zip(map(Cell, self.bins), *columns, strict=True)),
            "l" + "r" * len(self.series),
        )

    @property
    def legend(self) -> tuple[str, ...]:
        return tuple(series.name for series in self.series) if len(self.series) > 1 else ()

    @property
    def details(self) -> Details:
        return Details("The figures", self.table)

    def draw(self, *, small: bool = False) -> alt.LayerChart:
        return FORMS[self.drawn](self).properties(
            width=theme.SMALL_WIDTH if small else theme.WIDTH,
            autosize=alt.AutoSizeParams(type="fit-x", contains="padding"),
            config=theme.CONFIG,
        )


def _columns(chart: Chart) -> alt.LayerChart:
    """Vertical bars, for ordered bins."""
    x = alt.X("bin:O", title=chart.bin_title, axis=_names(chart.bins))
    y = alt.Y("share:Q", title=chart.measure, axis=alt.Axis(tickCount=4))
    layers = [data.mark_bar(**style.vertical).encode(x, y) for data, style in _series(chart)]
    return alt.LayerChart(layer=[*layers, *_start(chart)]).properties(height=theme.HEIGHT)


def _bars(chart: Chart) -> alt.LayerChart:
    """Horizontal bars, for names, which may be long; a single series is labeled with its figures."""
    y = alt.Y("bin:O", title=None, axis=_names(chart.bins))
    x = alt.X("share:Q", title=chart.measure, axis=alt.Axis(tickCount=4))
    layers = [data.mark_bar(**style.horizontal).encode(x, y) for data, style in _series(chart)]
    return alt.LayerChart(layer=[*layers, *_figures(chart, x, y)]).properties(height=theme.BAR * len(chart.bins))


# A new way to draw bars is a function here and its name in ``ChartForm``.
FORMS: dict[ChartForm, Callable[[Chart], alt.LayerChart]] = {"columns": _columns, "bars": _bars}


def _series(chart: Chart) -> Iterator[tuple[alt.Chart, theme.BarStyle]]:
    """Every series with its style, the inner bars last."""
    styles = theme.SERIES_STYLES if len(chart.series) > 1 else (theme.SINGLE_STYLE,)
    for series, style in zip(chart.series, styles, strict=True):
        yield _data(chart, series), style


def _data(chart: Chart, series: Series) -> alt.Chart:
    bins = zip(chart.bins, series.values, strict=True)
    rows = [
        {"bin": at, "share": share, "tip": f"{visible(name)}: {rounded_percent(share)} ({series.name})"}
        for at, (name, share) in enumerate(bins)
    ]
    return alt.Chart(alt.InlineData(rows)).encode(tooltip="tip:N")


def _names(bins: tuple[str, ...]) -> alt.Axis:
    """The axis with the names of the bins, as JSON since that can hold any text as a literal of a Vega expression."""
    names = json.dumps([chart_text(name) for name in bins])
    return alt.Axis(labelExpr=f"{names}[datum.value]", labelAngle=0, labelOverlap="greedy")


def _start(chart: Chart) -> list[alt.Chart]:
    """A line at the start of a bin, with its label."""
    if chart.start is None:
        return []
    place, words = chart.start
    at = alt.Chart(alt.InlineData([{"bin": place}])).encode(alt.X("bin:O", bandPosition=0))
    line = at.mark_rule(stroke=theme.TEXT, strokeDash=[4, 3])
    return [line, at.mark_text(text=words, align="right", dx=-5, y=6, fontWeight="bold")]


def _figures(chart: Chart, x: alt.X, y: alt.Y) -> list[alt.Chart]:
    if len(chart.series) > 1:
        return []
    shares = enumerate(chart.series[0].values)
    data = alt.InlineData([{"bin": at, "share": share, "text": rounded_percent(share)} for at, share in shares])
    return [alt.Chart(data).mark_text(align="left", dx=5).encode(x, y, alt.Text("text:N"))]
