"""Style of all charts: text and axes in the color of the page, series that differ in more than color."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

TEXT = "currentColor"  # so that a chart fits light and dark pages
ACCENT = "#2f7fd6"  # visible on white and on near black
GRAY = "#8b959f"  # of what is not chosen; visible on both, too
WIDTH, SMALL_WIDTH = 480, 360  # hardly wider than a phone, so that text stays legible
HEIGHT = 220
BAR = 18  # pixels from one horizontal bar to the next
LONGEST_LABEL = 120


@dataclass(frozen=True)
class BarStyle:
    """The fill of the bars of a series, and the share of the bin's width that they take."""

    mark: dict[str, Any]
    band: float

    @property
    def vertical(self) -> dict[str, Any]:
        return {**self.mark, "width": {"band": self.band}}

    @property
    def horizontal(self) -> dict[str, Any]:
        return {**self.mark, "height": {"band": self.band}}


# A wide pale bar and a narrow solid one inside it, distinguishable in gray print.
SERIES_STYLES = (
    BarStyle({"fill": TEXT, "fillOpacity": 0.14, "stroke": TEXT, "strokeOpacity": 0.5, "strokeWidth": 1}, 0.86),
    BarStyle({"fill": ACCENT}, 0.44),
)
SINGLE_STYLE = BarStyle({"fill": ACCENT}, 0.62)

# Regions of a map: of medium brightness, visible on light and dark pages.
REGION_COLORS = (
    "#2f7fd6",
    "#d9822b",
    "#3f9e5a",
    "#a05ac8",
    "#d2465a",
    "#2aa5a5",
    "#96693c",
    "#c8a52d",
    "#c86eaa",
    "#7d8790",
)


def region_color(place: int) -> str:
    return REGION_COLORS[place % len(REGION_COLORS)]


CONFIG: dict[str, Any] = {
    "aria": False,  # the figure has one description; bars are not read out one by one
    "background": "transparent",
    "font": "Arial, Helvetica, Liberation Sans, sans-serif",  # metrically compatible fonts that the converter knows
    "padding": 4,
    "view": {"stroke": None},
    "text": {"fill": TEXT, "fontSize": 11},
    "axis": {
        "labelColor": TEXT,
        "titleColor": TEXT,
        "domainColor": TEXT,
        "gridColor": TEXT,
        "domainOpacity": 0.5,
        "gridOpacity": 0.12,
        "ticks": False,
        "labelPadding": 5,
        "labelSeparation": 6,
        "labelFontSize": 11,
        "titleFontSize": 11,
        "titleFontWeight": "normal",
        "labelLimit": LONGEST_LABEL,
    },
}
