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
from shoal.report.charts import draw
from shoal.report.convergence_chart import draw_convergence
from shoal.report.cut_tree_chart import draw_cut_tree
from shoal.report.frontier_chart import draw_frontier
from shoal.report.map_charts import draw_map
from shoal.report.outline_nodes import Chart, Frontier, MapPicture
from shoal.report.plan_nodes import Convergence, CutTreePicture


def svg(chart: Chart, *, small: bool = False) -> Markup:
    """The chart as SVG, safe in HTML: the converter escapes its texts, and the description is escaped here."""
    return _named(draw(chart, small=small).to_dict(), chart.description)


def map_svg(picture: MapPicture) -> Markup:
    return _named(draw_map(picture).to_dict(), picture.description)


def frontier_svg(frontier: Frontier) -> Markup:
    return _named(draw_frontier(frontier).to_dict(), frontier.description)


def cut_tree_svg(picture: CutTreePicture) -> Markup:
    return _named(draw_cut_tree(picture).to_dict(), picture.description)


def convergence_svg(found: Convergence) -> Markup:
    return _named(draw_convergence(found).to_dict(), found.description)


def together(pictures: Sequence[MapPicture]) -> str:
    """One SVG file of all pictures with their titles, three in a row."""
    charts = [draw_map(picture, is_part=True) for picture in pictures]
    return _drawn(_row_by_row(charts).to_dict())


def _row_by_row(charts: Sequence[alt.LayerChart]) -> alt.ConcatChart:
    rows = alt.concat(*charts, columns=3).properties(config=theme.CONFIG)
    independent: alt.ConcatChart = rows.resolve_scale(fillOpacity="independent", fill="independent", size="independent")
    return independent


def _named(chart: dict[str, Any], description: str) -> Markup:
    named = Markup('<svg role="img" aria-label="{}" ').format(visible(description))
    return named + Markup(_drawn(chart).removeprefix("<svg "))


def _drawn(chart: dict[str, Any]) -> str:
    check_charts()
    drawn: str = vl_convert.vegalite_to_svg(chart)
    return drawn
