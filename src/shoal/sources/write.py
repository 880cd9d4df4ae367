"""Writing of a table to a file, in the format of its extension."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from shoal.errors import SourceError
from shoal.sources.formats import check_writable, format_of
from shoal.sources.origin import Formulas, Origin

if TYPE_CHECKING:
    import pyarrow as pa

    from shoal.sources.options import ReadOptions


def write_table(table: pa.Table, path: Path | str, like: Origin | None = None) -> Formulas:
    """Writes the table to exactly this path, in the style of the input that it was made from.

    The same table gives the same bytes. A CSV shows an empty text and a missing value alike, and both are read as
    missing; every other value reads back as it was, given its kind. To be used within `whole_file`. Returns, by column,
    how many texts of a CSV a spreadsheet would run as formulas.
    """
    path = Path(path)
    check_writable(path)
    format_ = format_of(path)
    if format_.in_pieces:
        return write_pieces([table], path, like)
    format_.load().write(table, path, like)
    return {}


def write_pieces(pieces: Iterable[pa.Table], path: Path | str, like: Origin | None = None) -> Formulas:
    """The same file from records that come in pieces, for formats that can be written in pieces."""
    path = Path(path)
    format_ = format_of(path)
    if not format_.in_pieces:
        raise SourceError.not_in_pieces(path, "files of this format are written as a whole")
    formulas: Formulas = format_.load().write_pieces(pieces, path, like)
    return formulas


def options_written(path: Path | str, like: Origin | None = None) -> ReadOptions:
    """The options that read back, without sniffing, what `write_table` writes to this path."""
    from shoal.sources.options import SNIFF

    path = Path(path)
    format_ = format_of(path)
    if format_.has_types:
        return SNIFF
    options: ReadOptions = format_.load().options_written(path, like)
    return options


def write_text(path: Path, text: str) -> None:
    """Writes UTF-8. File names need not be Unicode: what is not is escaped in a way that JSON reads back."""
    path.write_text(text, encoding="utf-8", errors="backslashreplace")
