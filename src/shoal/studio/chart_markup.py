"""Pictures of the report as charts that the browser draws, in place of their static drawings.

picture -> markup with its Vega-Lite as a data block, which `static/chart.mjs` draws
"""

from __future__ import annotations

from jinja2.utils import htmlsafe_json_dumps
from markupsafe import Markup

from shoal.errors import visible
from shoal.report.pictures import AnyPicture
from shoal.report.svg import chart, named_svg

BLOCK = Markup(
    '<div class="chart" role="img" aria-label="{name}" data-form="{form}">'
    '<script type="application/json">{chart}</script></div>'
)


def chart_markup(picture: AnyPicture, *, small: bool = False) -> Markup:
    """The picture as a block that a script draws; as SVG where it has no chart. A data block is inert, so that a policy
    of the page that forbids scripts within it allows it."""
    found = chart(picture, small=small)
    if isinstance(found, str):
        return named_svg(found, picture.description)
    return BLOCK.format(name=visible(picture.description), form=picture.form, chart=htmlsafe_json_dumps(found))
