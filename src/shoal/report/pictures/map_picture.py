"""Pictures of a self-organizing map as Altair charts: hexagons for six neighbors, squares for eight.

Every cell is a mark whose path and size fit the lattice, with a small gap between neighbors.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from math import cos, pi, sin, sqrt
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from shoal.errors import visible
from shoal.report import theme
from shoal.report.chart_text import chart_text
from shoal.report.pictures.picture import Picture
from shoal.report.text_nodes import Items, Words

if TYPE_CHECKING:
    import altair as alt
else:
    from shoal.report.pictures import late_altair as alt

MapForm = Literal["shades", "areas", "colors"]

LONGEST_SIDE = 320  # pixels
FULL = 0.96  # share of the cell's width that is filled, so that neighbors are separated
FAINTEST = 0.04  # lowest opacity

CORNERS = [(sin(at * pi / 3), -cos(at * pi / 3)) for at in range(6)]  # first one at the top, 1 from the center
HEXAGON = "M" + "L".join(f"{x:.4f},{y:.4f}" for x, y in CORNERS) + "Z"
SQUARE = "M-1,-1L1,-1L1,1L-1,1Z"


@dataclass(frozen=True)
class MapPicture(Picture):
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
    form: ClassVar[str] = "map"

    @property
    def description(self) -> str:
        """Alternative text for readers who cannot see it."""
        return f"Map, {self.title}. {self.caption}"

    @property
    def words(self) -> tuple[Words, ...]:
        return (Items((f"{self.title}: {self.caption}",)),)

    def draw(self, *, small: bool = False) -> alt.LayerChart:
        return draw_map(self)


def draw_map(picture: MapPicture, *, is_part: bool = False) -> alt.LayerChart:
    """The Altair chart; ``is_part``: for a drawing of many, with its own title and the style of the whole."""
    low_x, high_x, low_y, high_y = _extent(picture)
    scale = LONGEST_SIDE / max(high_x - low_x, high_y - low_y)  # pixels between neighboring units
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
    scale = alt.Scale(domain=places, range=[theme.region_color(place) for place in places])
    fill = alt.Fill("value:N", scale=scale, legend=_names(picture))
    return [_all_cells(picture, mark), _cells(picture).mark_point(**mark).encode(fill)]


FORMS: dict[MapForm, Callable[[MapPicture, dict[str, Any]], list[alt.Chart]]] = {
    "shades": _shades,
    "areas": _areas,
    "colors": _colors,
}


def _names(picture: MapPicture) -> alt.Legend:
    """The legend, with names as JSON since they come from the data and JSON can hold any text as a literal."""
    names = json.dumps([chart_text(name) for name in picture.names])
    return alt.Legend(
        title=None, labelExpr=f"{names}[datum.value]", labelColor=theme.TEXT, orient="bottom", columns=3, offset=8
    )


def _all_cells(picture: MapPicture, mark: dict[str, Any]) -> alt.Chart:
    """All cells in a faint shade, so that empty ones are visible."""
    values = [{"x": x, "y": y} for x, y, _ in picture.cells]
    cells: alt.Chart = alt.Chart(alt.InlineData(values)).mark_point(fill=theme.TEXT, fillOpacity=0.07, **mark)
    return cells


def _cells(picture: MapPicture) -> alt.Chart:
    values = [
        {"x": x, "y": y, "value": value, "tip": _tip(picture, value)}
        for x, y, value in picture.cells
        if value is not None
    ]
    return alt.Chart(alt.InlineData(values)).encode(tooltip="tip:N")


def _tip(picture: MapPicture, value: float) -> str:
    """A figure of three digits, or the name of a color."""
    return visible(picture.names[int(value)]) if picture.drawn == "colors" else f"{picture.title}: {value:.3g}"


def _extent(picture: MapPicture) -> tuple[float, float, float, float]:
    """Left, right, top and bottom of all cells, including their corners."""
    half_width = picture.spacing / 2
    half_height = picture.spacing / (sqrt(3) if picture.is_hexagonal else 2)
    xs, ys = [x for x, _, _ in picture.cells], [y for _, y, _ in picture.cells]
    return min(xs) - half_width, max(xs) + half_width, min(ys) - half_height, max(ys) + half_height


def _size(picture: MapPicture, scale: float) -> float:
    """The mark size for a full cell: Vega scales a path by half the square root of its size."""
    reach = picture.spacing / (sqrt(3) if picture.is_hexagonal else 2)  # from the center to coordinate 1 of the path
    return (2 * FULL * reach * scale) ** 2
