"""Risk and loss of releases as an Altair chart, with the Pareto frontier as a step line."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from shoal.report import theme
from shoal.report.pictures.picture import Picture
from shoal.report.text_nodes import Paragraph, Words

if TYPE_CHECKING:
    import altair as alt
else:
    from shoal.report.pictures import late_altair as alt

HEIGHT = 320
WIDE = 50  # ratio of largest to smallest loss from which the axis is logarithmic
SPOT = 70


@dataclass(frozen=True)
class Spot:
    """A point of a frontier chart; ``number``: its row in the table."""

    number: int
    name: str
    x: float
    y: float
    is_on_frontier: bool


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
        return (Paragraph(self.caption),)  # the figures are in the table next to it

    def draw(self, *, small: bool = False) -> alt.LayerChart:
        x = alt.X("x:Q", title=self.x_title, scale=_scale([spot.x for spot in self.spots]), axis=alt.Axis(tickCount=5))
        y = alt.Y("y:Q", title=self.y_title, scale=alt.Scale(zero=True), axis=alt.Axis(tickCount=5))
        best = [spot for spot in self.spots if spot.is_on_frontier]
        others = [spot for spot in self.spots if not spot.is_on_frontier]
        layers = [
            _data(best).mark_line(stroke=theme.ACCENT, strokeWidth=1.5, strokeDash=[4, 3], interpolate="step-after"),
            _data(others).mark_point(stroke=theme.TEXT, strokeOpacity=0.6, size=SPOT, opacity=1),
            _data(best).mark_point(filled=True, fill=theme.ACCENT, size=SPOT, opacity=1),
            _data(self.spots).mark_text(align="left", dx=7, dy=-7).encode(alt.Text("number:N")),
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
