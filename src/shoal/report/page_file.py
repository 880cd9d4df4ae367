"""The file of a page: its extension says how the page is written."""

from __future__ import annotations

from pathlib import Path

from shoal.errors import SourceError

HTML = (".html", ".htm")
MARKDOWN = (".md",)
SVG = (".svg",)


def check_page(path: str | Path, extensions: tuple[str, ...]) -> None:
    """Raises SourceError if the extension of ``path`` is not one of those in which the page can be written."""
    if Path(path).suffix.lower() not in extensions:
        raise SourceError.unknown_page(Path(path), extensions)
