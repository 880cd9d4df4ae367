"""Risk and loss of releases as an Altair chart: the Pareto frontier as a step line, dominated releases in gray."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import log
from typing import TYPE_CHECKING, Any, ClassVar

from shoal.errors import visible
from shoal.report import theme
from shoal.report.chart_text import chart_text
from shoal.report.pictures.label_places import SIDES, LabeledPoint, LabelSide, PlacedLabel, place_labels
from shoal.report.pictures.picture import Picture
from shoal.report.text_nodes import Cell, Row, Table, Words
from shoal.report.words import percent

if TYPE_CHECKING:
    import altair as alt
else:
    from shoal.report.pictures import late_altair as alt

HEIGHT = 320
PLOT_WIDTH = theme.WIDTH - 50  # without the axis, about
WIDE = 50  # ratio of largest to smallest loss from which the axis is logarithmic
SPOT, RING = 70, 260  # areas of marks
LONGEST = 24  # letters of a label; longer settings are in the table only


@dataclass(frozen=True)
class Spot:
    """A point of a frontier chart; ``number``: its row in the table."""

    number: int
    name: str  # what tells it from the others, such as k = 3
    x: float
    y: float
    is_on_frontier: bool
    is_recommended: bool = False

    @property
    def label(self) -> str:
        named = f"{self.number}: {self.name}"
        return chart_text(named) if self.is_on_frontier and len(named) <= LONGEST else str(self.number)

    @property
    def row(self) -> Row:
        """The point in the table that stands for the drawing."""
        shares = (Cell(percent(round(share, 1))) for share in (self.x, self.y))
        return Cell(str(self.number), note=self.name), *shares, Cell("yes" if self.is_on_frontier else "")


@dataclass(frozen=True)
class Frontier(Picture):
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

    @property
    def words(self) -> tuple[Words, ...]:
        """The points as a table, without the caption, which says how to read the drawing. All of its texts are fixed
        texts of the external edition (`tools/page_texts.py`): others might be rare values of an original."""
        head = ("Policy", self.x_title, self.y_title, "The frontier")
        return (Table(head, tuple(spot.row for spot in self.spots), "lrrl"),)

    def draw(self, *, small: bool = False) -> alt.LayerChart:
        across, up = Axis.of([spot.x for spot in self.spots]), Axis.of([spot.y for spot in self.spots], linear=True)
        x = alt.X("x:Q", title=self.x_title, scale=across.scale, axis=alt.Axis(tickCount=5))
        y = alt.Y("y:Q", title=self.y_title, scale=up.scale, axis=alt.Axis(tickCount=5))
        best = [spot for spot in self.spots if spot.is_on_frontier]
        others = [spot for spot in self.spots if not spot.is_on_frontier]
        ring = [spot for spot in self.spots if spot.is_recommended]
        layers = [
            _data(best).mark_line(stroke=theme.ACCENT, strokeWidth=1.5, strokeDash=[4, 3], interpolate="step-after"),
            _data(others).mark_point(filled=True, fill=theme.GRAY, size=SPOT, opacity=1),
            _data(best).mark_point(filled=True, fill=theme.ACCENT, size=SPOT, opacity=1),
            _data(ring).mark_point(stroke=theme.ACCENT, strokeWidth=2, size=RING, opacity=1),
            *_labels(self.spots, across, up),
        ]
        return alt.LayerChart(layer=[layer.encode(x, y) for layer in layers]).properties(
            width=theme.WIDTH,
            height=HEIGHT,
            autosize=alt.AutoSizeParams(type="fit-x", contains="padding"),
            config=theme.CONFIG,
        )


@dataclass(frozen=True)
class Axis:
    """The range of an axis, wider than its values, so that marks and labels have room."""

    low: float
    high: float
    is_log: bool

    @classmethod
    def of(cls, values: Sequence[float], *, linear: bool = False) -> Axis:
        low, high = min(values, default=0.0), max(values, default=0.0)
        if not linear and 0 < low * WIDE < high:
            return cls(low / 1.5, high * 1.5, is_log=True)
        return cls(0.0, high * 1.08 or 1.0, is_log=False)

    @property
    def scale(self) -> alt.Scale:
        return alt.Scale(type="log" if self.is_log else "linear", domain=[self.low, self.high], nice=False)

    def share(self, value: float) -> float:
        """Where a value is on the axis, from 0 to 1."""
        if self.is_log:
            return log(value / self.low) / log(self.high / self.low)
        return value / self.high


def _labels(spots: Sequence[Spot], across: Axis, up: Axis) -> list[alt.Chart]:
    """One layer for every side that labels are on. The recommended one and those of the frontier choose first."""
    order = sorted(spots, key=lambda spot: (not spot.is_recommended, not spot.is_on_frontier, spot.number))
    points = [
        LabeledPoint(PLOT_WIDTH * across.share(s.x), HEIGHT * (1 - up.share(s.y)), s.label, str(s.number))
        for s in order
    ]
    labels = place_labels(points, PLOT_WIDTH + 10)
    layers = (_side_layer(order, [label for label in labels if label.side == side], side) for side in SIDES)
    return [layer for layer in layers if layer is not None]


def _side_layer(spots: Sequence[Spot], labels: Sequence[PlacedLabel], side: LabelSide) -> alt.Chart | None:
    if not labels:
        return None
    rows = [{"x": spots[label.points[0]].x, "y": spots[label.points[0]].y, "text": label.text} for label in labels]
    texts = alt.Chart(alt.InlineData(rows)).mark_text(
        align="left" if side.right else "right", baseline="middle", dx=8 if side.right else -8, dy=side.down
    )
    layer: alt.Chart = texts.encode(alt.Text("text:N"))
    return layer


def _data(spots: Iterable[Spot]) -> alt.Chart:
    return alt.Chart(alt.InlineData([_row(spot) for spot in spots])).encode(tooltip="tip:N")


def _row(spot: Spot) -> dict[str, Any]:
    """With the number of its policy, by which a page knows which point was chosen."""
    figures = f"loss {percent(spot.x)}, risk {percent(spot.y)}"
    return {"x": spot.x, "y": spot.y, "number": spot.number, "tip": f"{spot.number}: {visible(spot.name)}; {figures}"}
