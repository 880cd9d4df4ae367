"""Records on disk, and the functions to apply to them when they are read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Protocol

import numpy as np
import pyarrow as pa

from shoal.engines.protocol import RECORD_ID, RowFunction
from shoal.engines.spill import with_record_ids
from shoal.sources import Origin
from shoal.sources.pieces import Pieces


class StoredRecords(Protocol):
    """Records that can be read any number of times, always in the order of their ids."""

    @property
    def n_records(self) -> int: ...

    def pieces(self, names: Sequence[str] | None = None) -> Iterator[pa.Table]: ...


@dataclass(frozen=True)
class InFile:
    """A file that states its types and its number of records, read in place."""

    file: Pieces
    n_records: int

    def pieces(self, names: Sequence[str] | None = None) -> Iterator[pa.Table]:
        names = [*self.file.names, RECORD_ID] if names is None else list(names)
        in_file = [name for name in names if name != RECORD_ID]
        # Where only ids are requested, some column must give the number of records of a piece.
        for piece in with_record_ids(self.file.read(in_file or self.file.names[:1])):
            yield piece.select(names)


@dataclass(frozen=True)
class DuckdbFrame:
    origin: Origin
    stored: StoredRecords
    functions: tuple[RowFunction, ...] = ()

    def with_function(self, fn: RowFunction) -> DuckdbFrame:
        return replace(self, functions=(*self.functions, fn))

    def pieces(self, names: Sequence[str] | None = None) -> Iterator[pa.Table]:
        """The pieces in stored order, with all functions applied."""
        if not self.functions:
            yield from self.stored.pieces(names)
            return
        for piece in self.stored.pieces():
            result = self._apply_functions(piece)
            yield result if names is None else result.select(list(names))

    def _apply_functions(self, piece: pa.Table) -> pa.Table:
        for fn in self.functions:
            piece = fn(piece)
        return piece

    @cached_property
    def schema(self) -> pa.Schema:
        return next(self.pieces()).schema

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(name for name in self.schema.names if name != RECORD_ID)

    @cached_property
    def n_records(self) -> int:
        if not self.functions:
            return self.stored.n_records
        return sum(len(piece) for piece in self.pieces([RECORD_ID]))

    @cached_property
    def keeps_order(self) -> bool:
        """Whether the ids are still the stored ones. A function of records keeps either all ids or none."""
        for piece in self.stored.pieces():
            result: Any = self._apply_functions(piece)[RECORD_ID]
            if len(result):
                return bool(np.isin(result.to_numpy(), piece[RECORD_ID].to_numpy()).all())
        return True
