"""The outline as one HTML page with embedded styles and charts, without scripts or external resources."""

from __future__ import annotations

import re
from base64 import b64encode
from functools import cache
from hashlib import sha256
from importlib.resources import files
from typing import Any

from jinja2 import BaseLoader, ChoiceLoader, Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from shoal.errors import visible
from shoal.report import theme
from shoal.report.outline_nodes import Outline
from shoal.report.pictures import PICTURES
from shoal.report.svg import svg
from shoal.report.text_nodes import WHERE_ALL


def render(outline: Outline) -> str:
    style = page_style()
    allowed = _content_security_policy(style)
    return _pages().get_template("report.html.j2").render(outline=outline, style=Markup(style), allowed=allowed)


def render_fragment(outline: Outline) -> str:
    """The outline as a part of another page, such as a notebook: its styles apply to nothing else, and all sections but
    the first are folded."""
    style = re.sub(r":root|\bbody\b(?= \{)", ":scope", page_style())
    return _pages().get_template("fragment.html.j2").render(outline=outline, style=Markup(style))


@cache
def _pages() -> Environment:
    """With templates that are compiled once."""
    return environment(PackageLoader("shoal.report"))


def environment(*loaders: BaseLoader) -> Environment:
    """What pages are rendered with; ``loaders``: where their templates are, the first one that has a name counts."""
    # Column names come from the user: everything is escaped, and charts, which are not, escape their own texts.
    pages = Environment(
        loader=ChoiceLoader(loaders),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_visible_text,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    pages.globals.update(svg=svg, pictures=PICTURES, where_all=WHERE_ALL)
    return pages


def _visible_text(value: Any) -> Any:
    """Text with unprintable characters escaped; markup of charts is left unchanged."""
    return visible(value) if isinstance(value, str) and not isinstance(value, Markup) else value


def page_style() -> str:
    sheet = files("shoal.report").joinpath("templates/report.css").read_text(encoding="utf-8")
    return f"\n:root {{ --accent: {theme.ACCENT}; }}\n{sheet}"


def _content_security_policy(style: str) -> str:
    """The Content-Security-Policy of a page: its own styles only; no scripts, requests or forms."""
    digest = b64encode(sha256(style.encode()).digest()).decode()
    return f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
