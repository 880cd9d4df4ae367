"""Reading of a file larger than memory in pieces, in the order of its records, with exactly the values of `read`."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pyarrow as pa

from shoal.errors import SourceError
from shoal.sources.file_state import FileState
from shoal.sources.formats import check_readable, format_of
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
    types: pa.Schema | None = None  # common to several files; None: those of one file

    def read(self, names: Iterable[str]) -> Iterator[pa.Table]:
        self.origin.check_unchanged()
        with enough_memory(self.origin.path):
            yield from self.source(list(names))
        self.origin.check_unchanged()


def open_pieces(
    source: Any,
    options: ReadOptions,
    *,
    columns: Iterable[str] | None = None,
    kinds: Kinds = None,
    sizes: PieceSizes = USUAL,
) -> Pieces:
    """Pieces of a file whose format is read in pieces; raises for everything else."""
    if not isinstance(source, str | os.PathLike):
        raise SourceError.not_in_pieces("the dataframe", "it is in memory already")
    path = Path(source)
    check_readable(path)
    if kinds == "infer":
        raise SourceError.not_in_pieces(path, "kinds are inferred from all cells of a column")
    file_state = FileState.of(path)
    format_ = format_of(path, options.format)
    if not format_.in_pieces:
        raise SourceError.not_in_pieces(path, "files of this format are read as a whole")
    found: Pieces = format_.load().open_pieces(path, options, columns, kinds or {}, sizes)
    return replace(found, origin=replace(found.origin, file_state=file_state))
