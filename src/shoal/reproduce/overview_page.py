"""The overview as one HTML page, without scripts; the files of every reproduction lie beside it and are linked."""

from __future__ import annotations

from base64 import b64encode
from hashlib import sha256

from jinja2 import PackageLoader
from markupsafe import Markup

from shoal.report.html import environment, page_style
from shoal.reproduce.overview import Overview

OWN_STYLE = """
article { margin: 0 0 1.5rem; padding: 0.9rem 1rem; border: 1px solid var(--line); border-radius: 0.4rem; }
article h3 { margin: 0 0 0.4rem; font-size: 1.05rem; }
article h3 span { margin-left: 0.6em; color: var(--mark); font-size: 0.9rem; }
article p { margin: 0 0 0.5rem; }
article img { display: block; max-width: 100%; margin: 0.6rem 0; padding: 0.4rem; background: #fff; }
a { color: var(--accent); }
"""
OUTCOMES = {
    "holds": "holds",
    "holds in part": "open",
    "does not hold": "fails",
    "drawn again": "holds",
    "nothing to compute": "",
    "cannot": "fails",
}


def page(overview: Overview) -> str:
    style = page_style() + OWN_STYLE
    digest = b64encode(sha256(style.encode()).digest()).decode()
    allowed = f"default-src 'none'; img-src data:; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
    pages = environment(PackageLoader("shoal.reproduce"), PackageLoader("shoal.report"))
    template = pages.get_template("overview.html.j2")
    return template.render(overview=overview, style=Markup(style), allowed=allowed, outcomes=OUTCOMES, image=_image)


def _image(svg: str) -> str:
    """As an address: marks of one drawing do not mix with those of another."""
    return f"data:image/svg+xml;base64,{b64encode(svg.encode()).decode()}"
