"""Draws docs/pictures/PAGE_*.svg: charts of the report of the release that the blocks of a page produce."""

from __future__ import annotations

import contextlib
import re
import tempfile
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any

import shoal
from code_blocks import CodeBlock
from run_blocks import run_block
from shoal.report.outline import outline
from shoal.report.pictures.picture import Picture
from shoal.report.svg import svg

DOCS = Path(__file__).resolve().parent.parent / "docs"
SHOWN = {  # page -> title -> name
    "five_minutes": {"Records by the size of their class": "classes", "age": "age"},
    "case_public_use": {"Records by the size of their class": "classes", "The first cuts": "cuts"},
    "case_household_survey": {"Units by the size of their class": "classes", "Information loss by column": "loss"},
    "case_hospital": {"Units by the size of their class": "classes", "birth_date": "birth"},
    "case_business": {"turnover": "turnover", "Information loss by column": "loss"},
}


def pictures(page: str) -> Iterator[tuple[str, str]]:
    """Names and drawings."""
    release = _release(CodeBlock.all_of((DOCS / f"{page}.md").read_text(encoding="utf-8")))
    for picture in _within(outline(release.manifest, release.assessment)):
        if picture.title in SHOWN[page]:
            yield f"{page}_{SHOWN[page][picture.title]}", re.sub(r"\s+\n", "\n", str(svg(picture))) + "\n"


def _release(blocks: list[CodeBlock]) -> shoal.Release:
    """What Python blocks call ``release``, or else what the commands wrote to release.csv."""
    names: dict[str, Any] = {}
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        for block in blocks:
            run_block(block, names)
        return names["release"] if "release" in names else shoal.replay("release.manifest.json")


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
