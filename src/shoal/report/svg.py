"""Charts as inline SVG, without scripts, fonts or other files."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from markupsafe import Markup

from shoal.errors import visible
from shoal.report import theme
from shoal.report.charts import check_charts
from shoal.report.pictures import AnyPicture
from shoal.report.pictures.map_picture import MapPicture, draw_map

if TYPE_CHECKING:
    import altair as alt
else:
    from shoal.report.pictures import late_altair as alt

MOST_KEPT = 64  # charts: a release is shown in several pages and forms


def svg(picture: AnyPicture, *, small: bool = False) -> Markup:
    """The picture as SVG, safe in HTML: its drawing escapes its texts, and the description is escaped here."""
    check_charts()
    return named_svg(_drawing(picture, small), picture.description)


def chart(picture: AnyPicture, *, small: bool = False) -> dict[str, Any] | str:
    """The picture as Vega-Lite, or as SVG where it is drawn without."""
    from altair.utils.schemapi import debug_mode

    with debug_mode(False):  # tests compare the charts with their schema, which takes as long as to draw them
        drawing = picture.draw(small=small)
        return drawing if isinstance(drawing, str) else drawing.to_dict(validate=False)


@lru_cache(MOST_KEPT)
def _drawing(picture: AnyPicture, small: bool) -> str:
    found = chart(picture, small=small)
    return found if isinstance(found, str) else _drawn(found)


def combined_svg(pictures: Sequence[MapPicture]) -> str:
    """One SVG file of all pictures with their titles, three in a row."""
    charts = [draw_map(picture, is_part=True) for picture in pictures]
    check_charts()
    return _drawn(_row_by_row(charts).to_dict())


def _row_by_row(charts: Sequence[alt.LayerChart]) -> alt.ConcatChart:
    rows = alt.concat(*charts, columns=3).properties(config=theme.CONFIG)
    independent: alt.ConcatChart = rows.resolve_scale(fillOpacity="independent", fill="independent", size="independent")
    return independent


def named_svg(drawing: str, description: str) -> Markup:
    """A drawing with its description for readers who cannot see it, which is escaped here."""
    named = Markup('<svg role="img" aria-label="{}" ').format(visible(description))
    return named + Markup(drawing.removeprefix("<svg "))


def _drawn(chart: dict[str, Any]) -> str:
    import vl_convert

    drawn: str = vl_convert.vegalite_to_svg(chart)
    return drawn
