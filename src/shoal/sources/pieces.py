"""Reading of a file larger than memory in pieces, in the order of its records, with exactly the values of `read`."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pyarrow as pa

from shoal.errors import SourceError
from shoal.sources.columns import chosen
from shoal.sources.file_state import FileState
from shoal.sources.formats import check_readable, format_of
from shoal.sources.kinds import TextConversion, with_kinds_each
from shoal.sources.options import CellKind, Kinds, ReadOptions
from shoal.sources.origin import Origin
from shoal.sources.piece_sizes import USUAL, PieceSizes
from shoal.sources.plain_errors import enough_memory


@dataclass(frozen=True)
class Pieces:
    """``read(names)`` yields some columns of all records. The source must not change meanwhile."""

    origin: Origin
    names: tuple[str, ...]
    kinds: Mapping[str, CellKind]
    n_records: int | None  # where the file states it; None: known, as are the types, after one pass
    source: Callable[[list[str]], Iterator[pa.Table]]

    def read(self, names: Iterable[str]) -> Iterator[pa.Table]:
        self.origin.check_unchanged()
        with enough_memory(self.origin.path):
            yield from self.source(list(names))
        self.origin.check_unchanged()


def in_pieces(
    source: Any,
    options: ReadOptions,
    *,
    columns: Iterable[str] | None = None,
    kinds: Kinds = None,
    sizes: PieceSizes = USUAL,
) -> Pieces:
    """Pieces of a CSV or Parquet file; raises for all else, which is read at once or not at all."""
    if not isinstance(source, str | os.PathLike):
        raise SourceError.not_in_pieces("the dataframe", "it is in memory already")
    path = Path(source)
    check_readable(path)
    if kinds == "infer":
        raise SourceError.not_in_pieces(path, "kinds are told from all cells of a column")
    stamp = FileState.of(path)
    match format_of(path):
        case "csv":
            found = _csv(path, options, columns, kinds or {}, sizes)
        case "parquet":
            found = _parquet(path, options, columns, kinds or {}, sizes)
        case _:
            raise SourceError.not_in_pieces(path, "a file of this format is read at once")
    return replace(found, origin=replace(found.origin, stamp=stamp))


def _csv(
    path: Path,
    options: ReadOptions,
    columns: Iterable[str] | None,
    kinds: Mapping[str, CellKind],
    sizes: PieceSizes,
) -> Pieces:
    from shoal.sources import csv

    shape = csv.look(path, options)

    def read(names: list[str]) -> Iterator[pa.Table]:
        return with_kinds_each(csv.read_pieces(shape, names, sizes), kinds, shape.reading)

    return Pieces(shape.origin, tuple(chosen(path, shape.names, columns)), kinds, None, read)


def _parquet(
    path: Path,
    options: ReadOptions,
    columns: Iterable[str] | None,
    kinds: Mapping[str, CellKind],
    sizes: PieceSizes,
) -> Pieces:
    from shoal.sources import parquet

    footer = parquet.footer(path, options)
    if not footer.n_records:
        raise SourceError.no_records(path)
    names = chosen(path, footer.names, columns)
    wanted = sizes.n_bytes * footer.n_records // max(footer.n_bytes, 1)
    size = min(sizes.most_records, max(sizes.fewest_records, wanted))
    typed = Pieces(
        footer.origin, tuple(names), kinds, footer.n_records, lambda some: parquet.read_pieces(path, some, size)
    )
    texts = [name for name in names if kinds.get(name, "text") != "text"]
    if not any(pa.types.is_string(field.type) for field in next(typed.source(names)).schema if field.name in texts):
        return typed
    reading = TextConversion(path, options)
    return replace(typed, n_records=None, source=lambda some: with_kinds_each(typed.source(some), kinds, reading))
