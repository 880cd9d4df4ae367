"""The outline as one HTML page: styles and charts inside, nothing to fetch, nothing to run."""

from __future__ import annotations

from base64 import b64encode
from hashlib import sha256
from importlib.resources import files
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from shoal.errors import visible
from shoal.report import theme
from shoal.report.nodes import Outline
from shoal.report.svg import convergence_svg, cut_tree_svg, frontier_svg, map_svg, svg


def render(outline: Outline) -> str:
    # Names of columns are the user's: everything is escaped, and what is not (charts) escapes for itself.
    pages = Environment(
        loader=PackageLoader("shoal.report"),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_seen,
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
    style = _style()
    return pages.get_template("report.html.j2").render(outline=outline, style=Markup(style), allowed=_allowed(style))


def _seen(value: Any) -> Any:
    """Of whatever is written into a page; charts have seen to it themselves."""
    return visible(value) if isinstance(value, str) and not isinstance(value, Markup) else value


def _style() -> str:
    sheet = files("shoal.report").joinpath("templates/report.css").read_text(encoding="utf-8")
    return f"\n:root {{ --accent: {theme.ACCENT}; }}\n{sheet}"


def _allowed(style: str) -> str:
    """The Content-Security-Policy of a page: its own styles, and nothing that is fetched, run or sent."""
    digest = b64encode(sha256(style.encode()).digest()).decode()
    return f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
