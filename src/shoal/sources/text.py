"""Text files that Shoal writes about a release."""

from __future__ import annotations

from pathlib import Path


def write_text(path: Path, text: str) -> None:
    """In UTF-8. A name of a file need not be Unicode: what is not is escaped, as JSON reads it back."""
    path.write_text(text, encoding="utf-8", errors="backslashreplace")
