"""Reading of a file of any known format, or of any dataframe, as one Arrow table."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from shoal.errors import SourceError
from shoal.sources.file_state import FileState
from shoal.sources.formats import check_readable, format_of
from shoal.sources.options import SNIFF, ReadOptions
from shoal.sources.origin import LoadedTable

if TYPE_CHECKING:
    from shoal.sources.options import Kinds


def read(
    source: Any,
    options: ReadOptions = SNIFF,
    *,
    columns: Iterable[str] | None = None,
    kinds: Kinds = None,
) -> LoadedTable:
    """Reads a file or a dataframe; only ``columns``, where they are named.

    ``kinds`` states which text columns are numbers or dates: a CSV has no types except those that are declared, and
    everything else in it stays text as written. ``"infer"`` tries numbers, then dates, column by column, and leaves
    codes such as 007 alone; in a source with types it tries dates only. Columns that have a type of their own keep it.
    """
    from shoal.sources.plain_errors import enough_memory

    if isinstance(source, str | os.PathLike):
        with enough_memory(Path(source)):
            return _read_file(Path(source), options, columns, kinds)
    from shoal.sources import frames

    with enough_memory(frames.WHERE):
        return _with_declared_kinds(frames.read(source, columns), frames.WHERE, options, kinds)


def _read_file(path: Path, options: ReadOptions, columns: Iterable[str] | None, kinds: Kinds) -> LoadedTable:
    check_readable(path)
    file_state = FileState.of(path)
    loaded = _read_by_format(path, options, columns, kinds)
    file_state.check(path)
    return LoadedTable(loaded.table, replace(loaded.origin, file_state=file_state))


def _read_by_format(path: Path, options: ReadOptions, columns: Iterable[str] | None, kinds: Kinds) -> LoadedTable:
    format_ = format_of(path, options.format)
    if not format_.has_types:
        untyped: LoadedTable = format_.load().read(path, options, columns, kinds)
        return untyped
    loaded: LoadedTable = format_.load().read(path, options, columns)
    if loaded.table.num_rows == 0:
        raise SourceError.no_records(path)
    return _with_declared_kinds(loaded, path, options, kinds)


def with_other_kinds(loaded: LoadedTable, where: object, options: ReadOptions, kinds: Kinds) -> LoadedTable:
    """The table as if it had been read with these kinds; ``loaded``: read by the same options, without kinds."""
    if loaded.origin.format != "csv":
        return _with_declared_kinds(loaded, where, options, kinds)
    from shoal.sources.kinds import TextConversion, with_kinds

    conversion = TextConversion(where, options, options.missing, options.quote or "")
    return replace(loaded, table=with_kinds(loaded.table, kinds, conversion))


def _with_declared_kinds(loaded: LoadedTable, where: object, options: ReadOptions, kinds: Kinds) -> LoadedTable:
    """Trims text columns and converts them to declared kinds. Where the source has types, only dates are inferred:
    texts that are ISO dates are dates in every source, while texts of digits may be codes."""
    if kinds is None and not options.trim:
        return loaded
    from shoal.sources.kinds import TextConversion, with_inferred_dates, with_kinds

    conversion = TextConversion(where, options)
    if kinds == "infer":
        return LoadedTable(with_inferred_dates(with_kinds(loaded.table, None, conversion), options), loaded.origin)
    return LoadedTable(with_kinds(loaded.table, kinds, conversion), loaded.origin)
