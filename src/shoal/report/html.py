"""The outline as one HTML page with embedded styles and charts, without scripts or external resources."""

from __future__ import annotations

from base64 import b64encode
from hashlib import sha256
from importlib.resources import files
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from shoal.errors import visible
from shoal.report import theme
from shoal.report.outline_nodes import Outline
from shoal.report.pictures import PICTURES
from shoal.report.svg import svg


def render(outline: Outline) -> str:
    # Column names come from the user: everything is escaped, and charts, which are not, escape their own texts.
    pages = Environment(
        loader=PackageLoader("shoal.report"),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_visible_text,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    pages.globals.update(svg=svg, pictures=PICTURES)
    style = _style()
    return pages.get_template("report.html.j2").render(
        outline=outline, style=Markup(style), allowed=_content_security_policy(style)
    )


def _visible_text(value: Any) -> Any:
    """Text with unprintable characters escaped; markup of charts is left unchanged."""
    return visible(value) if isinstance(value, str) and not isinstance(value, Markup) else value


def _style() -> str:
    sheet = files("shoal.report").joinpath("templates/report.css").read_text(encoding="utf-8")
    return f"\n:root {{ --accent: {theme.ACCENT}; }}\n{sheet}"


def _content_security_policy(style: str) -> str:
    """The Content-Security-Policy of a page: its own styles only; no scripts, requests or forms."""
    digest = b64encode(sha256(style.encode()).digest()).decode()
    return f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
