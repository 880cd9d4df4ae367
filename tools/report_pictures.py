"""Draws docs/pictures/PAGE_*.svg: charts of the report of a release that the Python blocks of a page produce."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any

from code_blocks import CodeBlock
from shoal.report.outline import outline
from shoal.report.pictures.picture import Picture
from shoal.report.svg import svg

DOCS = Path(__file__).resolve().parent.parent / "docs"
SHOWN = {"five_minutes": {"Records by the size of their class": "classes", "age": "age"}}  # page -> title -> name


def pictures(page: str) -> Iterator[tuple[str, str]]:
    """Names and drawings."""
    names: dict[str, Any] = {"print": lambda *_: None}
    for block in CodeBlock.all_of((DOCS / f"{page}.md").read_text(encoding="utf-8")):
        if block.language == "python":
            exec(block.code, names)
    release = names["release"]
    for picture in _within(outline(release.manifest, release.assessment)):
        if picture.title in SHOWN[page]:
            yield f"{page}_{SHOWN[page][picture.title]}", re.sub(r"\s+\n", "\n", str(svg(picture))) + "\n"


def _within(value: object) -> Iterator[Picture]:
    if isinstance(value, Picture):
        yield value
    elif isinstance(value, tuple | list):
        for part in value:
            yield from _within(part)
    elif is_dataclass(value):
        for field in fields(value):
            yield from _within(getattr(value, field.name))


def main() -> None:
    for page in SHOWN:
        for name, drawing in pictures(page):
            (DOCS / "pictures" / f"{name}.svg").write_text(drawing, encoding="utf-8")


if __name__ == "__main__":
    main()
