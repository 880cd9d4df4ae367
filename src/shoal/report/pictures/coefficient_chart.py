"""Coefficients of a regression before and after protection, each with its confidence interval.

Coefficients have units of their own. To fit one axis, they are drawn as distances from the estimate on the original, in
its standard errors.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from shoal.errors import visible
from shoal.report import theme
from shoal.report.chart_text import chart_text
from shoal.report.pictures.picture import Picture
from shoal.report.text_nodes import Paragraph, Words

if TYPE_CHECKING:
    import altair as alt
else:
    from shoal.report.pictures import late_altair as alt

ROW = 24  # height in pixels
FARTHEST = 20.0  # standard errors; what is farther is drawn at the edge
SPOT = 50
AXIS = "distance from the original, in standard errors"


@dataclass(frozen=True)
class CoefficientBar:
    """A coefficient: both ends of its interval, in standard errors of the original from its estimate there."""

    name: str
    before: tuple[float, float]
    after: tuple[float, float, float] | None  # low, estimate, high; None: not in the release


@dataclass(frozen=True)
class CoefficientChart(Picture):
    title: str
    caption: str
    bars: tuple[CoefficientBar, ...]
    form: ClassVar[str] = "coefficients"

    @property
    def description(self) -> str:
        """Alternative text for readers who cannot see it."""
        return f"{self.title}: confidence intervals of {len(self.bars)} coefficients, {AXIS}. {self.caption}"

    @property
    def legend(self) -> tuple[str, ...]:
        return ("original", "release")

    @property
    def words(self) -> tuple[Words, ...]:
        return (Paragraph(self.caption),)  # the figures are in the table next to it

    def draw(self, *, small: bool = False) -> alt.LayerChart:
        names = json.dumps([chart_text(bar.name) for bar in self.bars])
        y = alt.Y("row:O", title=None, axis=alt.Axis(labelExpr=f"{names}[datum.value]", labelOverlap=False))
        x, end = alt.X("low:Q", title=AXIS, axis=alt.Axis(tickCount=5)), alt.X2("high:Q")
        before, after = theme.SERIES_STYLES
        layers = [
            alt.Chart(alt.InlineData(self._before())).mark_bar(**before.horizontal).encode(x, end, y),
            alt.Chart(alt.InlineData(self._after())).mark_rule(stroke=theme.ACCENT, strokeWidth=2).encode(x, end, y),
            alt.Chart(alt.InlineData(self._after()))
            .mark_point(filled=True, size=SPOT, opacity=1, **after.mark)
            .encode(alt.X("at:Q"), y, tooltip="tip:N"),
        ]
        return alt.LayerChart(layer=layers).properties(
            width=theme.SMALL_WIDTH if small else theme.WIDTH,
            height=ROW * len(self.bars),
            autosize=alt.AutoSizeParams(type="fit-x", contains="padding"),
            config=theme.CONFIG,
        )

    def _before(self) -> list[dict[str, Any]]:
        return [{"row": row, "low": bar.before[0], "high": bar.before[1]} for row, bar in enumerate(self.bars)]

    def _after(self) -> list[dict[str, Any]]:
        found = ((row, bar.name, bar.after) for row, bar in enumerate(self.bars) if bar.after)
        return [
            {
                "row": row,
                "low": _near(low),
                "at": _near(at),
                "high": _near(high),
                "tip": f"{visible(name)}: {at:.2g} standard errors from the original",
            }
            for row, name, (low, at, high) in found
        ]


def _near(distance: float) -> float:
    return max(-FARTHEST, min(FARTHEST, distance))
