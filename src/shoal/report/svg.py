"""Charts as inline SVG, without scripts, fonts or other files."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import altair as alt
import vl_convert
from markupsafe import Markup

from shoal.engines.address_space import check_charts
from shoal.errors import visible
from shoal.report import theme
from shoal.report.pictures import AnyPicture
from shoal.report.pictures.map_picture import MapPicture, draw_map


def svg(picture: AnyPicture, *, small: bool = False) -> Markup:
    """The picture as SVG, safe in HTML: its drawing escapes its texts, and the description is escaped here."""
    drawing = picture.draw(small=small)
    return _named(drawing if isinstance(drawing, str) else _drawn(drawing.to_dict()), picture.description)


def combined_svg(pictures: Sequence[MapPicture]) -> str:
    """One SVG file of all pictures with their titles, three in a row."""
    charts = [draw_map(picture, is_part=True) for picture in pictures]
    return _drawn(_row_by_row(charts).to_dict())


def _row_by_row(charts: Sequence[alt.LayerChart]) -> alt.ConcatChart:
    rows = alt.concat(*charts, columns=3).properties(config=theme.CONFIG)
    independent: alt.ConcatChart = rows.resolve_scale(fillOpacity="independent", fill="independent", size="independent")
    return independent


def _named(drawing: str, description: str) -> Markup:
    named = Markup('<svg role="img" aria-label="{}" ').format(visible(description))
    return named + Markup(drawing.removeprefix("<svg "))


def _drawn(chart: dict[str, Any]) -> str:
    check_charts()
    drawn: str = vl_convert.vegalite_to_svg(chart)
    return drawn
