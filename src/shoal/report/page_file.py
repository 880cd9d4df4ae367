"""The file of a page: its extension says how the page is written. A page has two editions."""

from __future__ import annotations

from pathlib import Path
from typing import Literal, get_args

from shoal.errors import SourceError

PageForm = Literal["html", "md", "json"]
Edition = Literal["internal", "external"]  # external: may leave the house
HTML = (".html", ".htm")
MARKDOWN = (".md",)
JSON = (".json",)
REPORT = (*HTML, *MARKDOWN, *JSON)
SVG = (".svg",)


def page_form(path: str | Path) -> PageForm:
    """How the page is written, by its extension; HTML where that is another one."""
    suffix = Path(path).suffix.lower()
    return "md" if suffix in MARKDOWN else "json" if suffix in JSON else "html"


def check_edition(edition: str) -> None:
    """Raises SourceError if it is no edition."""
    if edition not in get_args(Edition):
        raise SourceError.unknown_edition(get_args(Edition))


def check_page(path: str | Path, extensions: tuple[str, ...]) -> None:
    """Raises SourceError if the extension of ``path`` is not one of those in which the page can be written."""
    if Path(path).suffix.lower() not in extensions:
        raise SourceError.unknown_page(Path(path), extensions)
