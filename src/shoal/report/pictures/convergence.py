"""The convergence of a search as an Altair chart: falling cost, rising lower bound, and the gap between them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from shoal.report import theme
from shoal.report.pictures.picture import Picture
from shoal.report.text_nodes import Paragraph, Words

if TYPE_CHECKING:
    import altair as alt
else:
    from shoal.report.pictures import late_altair as alt

WIDE = 50  # ratio of last to first time from which the axis is logarithmic
ROOM = 18  # pixels above and below the lines, for their labels
LINE_STYLES: dict[str, dict[str, Any]] = {
    "cost": {"stroke": theme.ACCENT, "strokeWidth": 2},
    "lower bound": {"stroke": theme.TEXT, "strokeWidth": 1.5, "strokeDash": [5, 3]},
}


@dataclass(frozen=True)
class Convergence(Picture):
    """Cost and lower bound over the time of a search."""

    title: str
    caption: str
    steps: tuple[tuple[float, float, float], ...]  # seconds, cost, lower bound
    measure: str
    form: ClassVar[str] = "convergence"

    @property
    def description(self) -> str:
        """Alternative text for readers who cannot see it."""
        return f"{self.title}: {self.measure}, by seconds. {self.caption}"

    @property
    def words(self) -> tuple[Words, ...]:
        return (Paragraph(self.caption),)  # start and end are in the text next to it

    def draw(self, *, small: bool = False) -> alt.LayerChart:
        seconds = [step[0] for step in self.steps]
        is_wide = 0 < seconds[0] * WIDE < seconds[-1]
        scale = alt.Scale(type="log" if is_wide else "linear", nice=False, zero=False)
        x = alt.X("x:Q", title="seconds", scale=scale, axis=alt.Axis(tickCount=5, format="~g"))
        y = alt.Y(
            "y:Q",
            title=self.measure,
            scale=alt.Scale(zero=False, padding=ROOM),
            axis=alt.Axis(tickCount=5, format="~s"),
        )
        layers = []
        for place, (name, style) in enumerate(LINE_STYLES.items(), 1):
            points = [{"x": step[0], "y": step[place]} for step in self.steps]
            line = alt.Chart(alt.InlineData(points)).mark_line(interpolate="step-after", **style)
            first = alt.Chart(
                alt.InlineData(points[:1])
            )  # labels stay clear: from here one line falls, the other rises
            text = first.mark_text(text=name, align="left", dx=3, dy=-9 if place == 1 else 11, fontWeight="bold")
            layers += [line.encode(x, y), text.encode(x, y)]
        return alt.LayerChart(layer=layers).properties(
            width=theme.WIDTH,
            height=theme.HEIGHT,
            autosize=alt.AutoSizeParams(type="fit-x", contains="padding"),
            config=theme.CONFIG,
        )
