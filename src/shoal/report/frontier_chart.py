"""Risk and loss of releases as an Altair chart, with the Pareto frontier as a step line."""

from __future__ import annotations

from collections.abc import Sequence

import altair as alt

from shoal.report import theme
from shoal.report.outline_nodes import Frontier, Spot

HEIGHT = 320
WIDE = 50  # ratio of largest to smallest loss from which the axis is logarithmic
SPOT = 70
TICKS = alt.Axis(tickCount=5)


def draw_frontier(frontier: Frontier) -> alt.LayerChart:
    x = alt.X("x:Q", title=frontier.x_title, scale=_scale([spot.x for spot in frontier.spots]), axis=TICKS)
    y = alt.Y("y:Q", title=frontier.y_title, scale=alt.Scale(zero=True), axis=TICKS)
    best = [spot for spot in frontier.spots if spot.is_on_frontier]
    others = [spot for spot in frontier.spots if not spot.is_on_frontier]
    layers = [
        _data(best).mark_line(stroke=theme.ACCENT, strokeWidth=1.5, strokeDash=[4, 3], interpolate="step-after"),
        _data(others).mark_point(stroke=theme.TEXT, strokeOpacity=0.6, size=SPOT, opacity=1),
        _data(best).mark_point(filled=True, fill=theme.ACCENT, size=SPOT, opacity=1),
        _data(frontier.spots).mark_text(align="left", dx=7, dy=-7).encode(alt.Text("number:N")),
    ]
    return alt.LayerChart(layer=[layer.encode(x, y) for layer in layers]).properties(
        width=theme.WIDTH,
        height=HEIGHT,
        autosize=alt.AutoSizeParams(type="fit-x", contains="padding"),
        config=theme.CONFIG,
    )


def _data(spots: Sequence[Spot]) -> alt.Chart:
    return alt.Chart(alt.InlineData([{"x": spot.x, "y": spot.y, "number": spot.number} for spot in spots]))


def _scale(values: Sequence[float]) -> alt.Scale:
    low, high = min(values, default=0.0), max(values, default=0.0)
    return alt.Scale(type="log") if 0 < low * WIDE < high else alt.Scale(zero=True)
