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
            from shoal.sources.carriers import compression_carriers

            yield from compression_carriers.carriers(path)
        case "parquet":
            from shoal.sources.carriers import parquet_carriers

            yield from parquet_carriers.carriers(path)
        case "arrow" | "feather":
            from shoal.sources.carriers import arrow_carriers

            yield from arrow_carriers.carriers(path)
        case "xlsx":
            from shoal.sources.carriers import workbook_carriers

            yield from workbook_carriers.carriers(path)
        case _:
            from shoal.sources.carriers import label_carriers

            yield from label_carriers.carriers(path)
