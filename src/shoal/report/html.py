"""The outline as one HTML page: styles and charts inside, nothing to fetch, nothing to run."""

from __future__ import annotations

from jinja2 import Environment, PackageLoader, StrictUndefined

from shoal.report import theme
from shoal.report.nodes import Outline
from shoal.report.svg import convergence_svg, cut_tree_svg, frontier_svg, map_svg, svg


def render(outline: Outline) -> str:
    # Names of columns are the user's: everything is escaped, and what is not (charts) escapes for itself.
    pages = Environment(
        loader=PackageLoader("shoal.report"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    pages.globals.update(
        svg=svg,
        frontier_svg=frontier_svg,
        map_svg=map_svg,
        cut_tree_svg=cut_tree_svg,
        convergence_svg=convergence_svg,
    )
    return pages.get_template("report.html.j2").render(outline=outline, accent=theme.ACCENT)
