"""Text files that Shoal writes about a release."""

from __future__ import annotations

from pathlib import Path


def write_text(path: Path, text: str) -> None:
    """Writes UTF-8. File names need not be Unicode: what is not is escaped in a way that JSON reads back."""
    path.write_text(text, encoding="utf-8", errors="backslashreplace")
