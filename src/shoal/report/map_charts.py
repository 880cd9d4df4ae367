"""Pictures of a map as Altair charts: hexagons where units have six neighbors, squares where they have eight.

Every cell is a mark whose path and size fit the lattice to the pixel, with a hair's breadth between neighbors.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from math import cos, pi, sin, sqrt
from typing import Any

import altair as alt

from shoal.report import theme
from shoal.report.chart_text import chart_text
from shoal.report.nodes import MapForm, MapPicture

LONGEST_SIDE = 320  # pixels
FULL = 0.96  # of a cell's room, so that neighbors can be told apart
FAINTEST = 0.04  # opacity of the lowest shade

CORNERS = [(sin(at * pi / 3), -cos(at * pi / 3)) for at in range(6)]  # one upward, at distance 1 from the center
HEXAGON = "M" + "L".join(f"{x:.4f},{y:.4f}" for x, y in CORNERS) + "Z"
SQUARE = "M-1,-1L1,-1L1,1L-1,1Z"


def draw_map(picture: MapPicture, *, is_part: bool = False) -> alt.LayerChart:
    """``is_part``: of a drawing of many, under its own title, and in the looks of the whole."""
    low_x, high_x, low_y, high_y = _extent(picture)
    scale = LONGEST_SIDE / max(high_x - low_x, high_y - low_y)  # pixels from a unit to the next
    x = alt.X("x:Q", axis=None, scale=alt.Scale(domain=[low_x, high_x], nice=False, zero=False))
    y = alt.Y("y:Q", axis=None, scale=alt.Scale(domain=[high_y, low_y], nice=False, zero=False))
    mark = {
        "shape": HEXAGON if picture.is_hexagonal else SQUARE,
        "size": _size(picture, scale),
        "filled": True,
        "opacity": 1,
    }
    layers = [layer.encode(x, y) for layer in FORMS[picture.drawn](picture, mark)]
    own = (
        {"title": alt.TitleParams(chart_text(picture.title), color=theme.TEXT)} if is_part else {"config": theme.CONFIG}
    )
    return alt.LayerChart(layer=layers).properties(
        width=round((high_x - low_x) * scale), height=round((high_y - low_y) * scale), **own
    )


def _shades(picture: MapPicture, mark: dict[str, Any]) -> list[alt.Chart]:
    known = [value for _, _, value in picture.cells if value is not None]
    low, high = min(known, default=0.0), max(known, default=0.0)
    scale = alt.Scale(domain=[low, high if high > low else low + 1], range=[FAINTEST, 1])
    opacity = alt.FillOpacity("value:Q", scale=scale, legend=None)
    return [_cells(picture).mark_point(fill=theme.ACCENT, **mark).encode(opacity)]


def _areas(picture: MapPicture, mark: dict[str, Any]) -> list[alt.Chart]:
    most = max((value for _, _, value in picture.cells if value is not None), default=1.0)
    size = alt.Size("value:Q", scale=alt.Scale(domain=[0, most], range=[0, mark["size"]]), legend=None)
    return [_all_cells(picture, mark), _cells(picture).mark_point(fill=theme.ACCENT, **mark).encode(size)]


def _colors(picture: MapPicture, mark: dict[str, Any]) -> list[alt.Chart]:
    places = list(range(len(picture.names)))
    scale = alt.Scale(domain=places, range=[theme.hue(place) for place in places])
    fill = alt.Fill("value:N", scale=scale, legend=_names(picture))
    return [_all_cells(picture, mark), _cells(picture).mark_point(**mark).encode(fill)]


FORMS: dict[MapForm, Callable[[MapPicture, dict[str, Any]], list[alt.Chart]]] = {
    "shades": _shades,
    "areas": _areas,
    "colors": _colors,
}


def _names(picture: MapPicture) -> alt.Legend:
    """Names come from the data: JSON is the one way to write any text as a literal of an expression."""
    names = json.dumps([chart_text(name) for name in picture.names])
    return alt.Legend(
        title=None, labelExpr=f"{names}[datum.value]", labelColor=theme.TEXT, orient="bottom", columns=3, offset=8
    )


def _all_cells(picture: MapPicture, mark: dict[str, Any]) -> alt.Chart:
    """The lattice, faintly: an empty cell is seen to be one."""
    values = [{"x": x, "y": y} for x, y, _ in picture.cells]
    cells: alt.Chart = alt.Chart(alt.InlineData(values)).mark_point(fill=theme.TEXT, fillOpacity=0.07, **mark)
    return cells


def _cells(picture: MapPicture) -> alt.Chart:
    values = [{"x": x, "y": y, "value": value} for x, y, value in picture.cells if value is not None]
    return alt.Chart(alt.InlineData(values))


def _extent(picture: MapPicture) -> tuple[float, float, float, float]:
    """Left, right, top and bottom of all cells, their corners included."""
    half_width = picture.spacing / 2
    half_height = picture.spacing / (sqrt(3) if picture.is_hexagonal else 2)
    xs, ys = [x for x, _, _ in picture.cells], [y for _, y, _ in picture.cells]
    return min(xs) - half_width, max(xs) + half_width, min(ys) - half_height, max(ys) + half_height


def _size(picture: MapPicture, scale: float) -> float:
    """Vega stretches a path by half the root of its size."""
    reach = picture.spacing / (sqrt(3) if picture.is_hexagonal else 2)  # from the center to where the path has 1
    return (2 * FULL * reach * scale) ** 2
