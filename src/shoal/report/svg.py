"""A chart as SVG that stands in a page: no script, no font, no other file."""

from __future__ import annotations

import vl_convert
from markupsafe import Markup

from shoal.report.charts import draw
from shoal.report.nodes import Chart


def svg(chart: Chart, *, small: bool = False) -> Markup:
    """Safe to stand in HTML: the converter escapes what the chart writes, and we what it is called."""
    drawn = vl_convert.vegalite_to_svg(draw(chart, small=small).to_dict())
    named = Markup('<svg role="img" aria-label="{}" ').format(chart.description)
    return named + Markup(drawn.removeprefix("<svg "))
