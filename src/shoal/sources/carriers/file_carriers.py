"""The carriers of a file, by its format."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from shoal.sources.carriers.carrier import Carrier
from shoal.sources.formats import format_of


def carriers_of(path: Path) -> tuple[Carrier, ...]:
    return tuple(_found(path))


def _found(path: Path) -> Iterator[Carrier]:
    match format_of(path):
        case "csv":
            from shoal.sources.carriers import packed

            yield from packed.carriers(path)
        case "parquet":
            from shoal.sources.carriers import parquet

            yield from parquet.carriers(path)
        case "arrow" | "feather":
            from shoal.sources.carriers import arrow

            yield from arrow.carriers(path)
        case "xlsx":
            from shoal.sources.carriers import workbook

            yield from workbook.carriers(path)
        case _:
            from shoal.sources.carriers import labels

            yield from labels.carriers(path)
