"""Bar charts of a report as Altair charts; bars before and after protection are drawn inside each other.

Bins are identified by position and named by the axis: names come from the data, may hold any character, and two of
them may be equal.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator

import altair as alt

from shoal.report import theme
from shoal.report.chart_text import chart_text
from shoal.report.outline_nodes import Chart, ChartForm


def draw(chart: Chart, *, small: bool = False) -> alt.LayerChart:
    """The Altair chart; ``small``: for several charts side by side."""
    return FORMS[chart.drawn](chart).properties(
        width=theme.SMALL_WIDTH if small else theme.WIDTH,
        autosize=alt.AutoSizeParams(type="fit-x", contains="padding"),
        config=theme.CONFIG,
    )


def _columns(chart: Chart) -> alt.LayerChart:
    """Vertical bars, for ordered bins."""
    x = alt.X("bin:O", title=chart.bin_title, axis=_names(chart.bins))
    y = alt.Y("share:Q", title=chart.measure, axis=alt.Axis(tickCount=4))
    layers = [data.mark_bar(**look.upright).encode(x, y) for data, look in _series(chart)]
    return alt.LayerChart(layer=[*layers, *_start(chart)]).properties(height=theme.HEIGHT)


def _bars(chart: Chart) -> alt.LayerChart:
    """Horizontal bars, for names, which may be long; a single series is labeled with its figures."""
    y = alt.Y("bin:O", title=None, axis=_names(chart.bins))
    x = alt.X("share:Q", title=chart.measure, axis=alt.Axis(tickCount=4))
    layers = [data.mark_bar(**look.lying).encode(x, y) for data, look in _series(chart)]
    return alt.LayerChart(layer=[*layers, *_figures(chart, x, y)]).properties(height=theme.BAR * len(chart.bins))


# A new form of chart is a function here and its name in ``nodes.ChartForm``.
FORMS: dict[ChartForm, Callable[[Chart], alt.LayerChart]] = {"columns": _columns, "bars": _bars}


def _series(chart: Chart) -> Iterator[tuple[alt.Chart, theme.BarStyle]]:
    """Every series with its style, the inner bars last."""
    looks = theme.LOOKS if len(chart.series) > 1 else (theme.ALONE,)
    for series, look in zip(chart.series, looks, strict=True):
        yield _data(series.values), look


def _data(shares: tuple[float, ...]) -> alt.Chart:
    return alt.Chart(alt.InlineData([{"bin": at, "share": share} for at, share in enumerate(shares)]))


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
    text = alt.Text("share:Q", format=".1f")
    return [_data(chart.series[0].values).mark_text(align="left", dx=5).encode(x, y, text)]
