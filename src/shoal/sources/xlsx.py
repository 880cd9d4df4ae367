"""Excel workbooks, by openpyxl: one sheet, with the column names in its first line.

A column of one type keeps it; one of mixed types is read as text. Text is always written as text, so that a cell that
begins with "=" never becomes a formula.
"""

from __future__ import annotations

import datetime as dt
import io
import re
import zipfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from decimal import Decimal
from itertools import chain
from pathlib import Path
from typing import Any

import pyarrow as pa

from shoal.errors import SourceError
from shoal.sources.columns import select_columns
from shoal.sources.normalize_arrow import normalize_arrow, notes_on_dropped
from shoal.sources.options import ReadOptions
from shoal.sources.origin import Labels, LoadedTable, Origin
from shoal.sources.padding import trim_text
from shoal.sources.sniff import N_RECORDS as N_SNIFFED
from shoal.sources.sniff import given_names, is_certain_header
from shoal.sources.to_arrow import to_array

MOST_RECORDS = 2**20 - 1
MOST_CHARACTERS = 32_767
SINGLE = (
    pa.types.is_string,
    pa.types.is_boolean,
    pa.types.is_integer,
    pa.types.is_floating,
    pa.types.is_decimal,
    pa.types.is_temporal,
)
NUMBERS = (int, float, Decimal, dt.date, dt.time)
GENERAL = "General"
PLAIN_FORMAT = re.compile(r"[0#?.,%ymdhsYMDHS:/; -]+")  # texts in a format would be carried into the release
OLD = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"  # first bytes of an .xls, and of an encrypted .xlsx
LONG_AGO = (1980, 1, 1, 0, 0, 0)  # the earliest time that a zip file can store


def read(path: Path, options: ReadOptions, columns: Iterable[str] | None) -> LoadedTable:
    rows, sheet, other_sheets, formats = _rows(path, options.sheet)
    if not rows:
        raise SourceError.empty_sheet(path, sheet, other_sheets)
    header = options.declared_header is not False
    available = given_names(path, options, len(rows[0])) or [
        _name(cell, i, header, options) for i, cell in enumerate(rows[0], start=1)
    ]
    records = rows[1:] if header else rows
    names = select_columns(path, available, columns)
    positions = {name: i for i, name in enumerate(available)}
    table = pa.table({name: _column(path, name, [row[positions[name]] for row in records], options) for name in names})
    final_options = options.model_copy(update={"sheet": sheet, "header": header})
    dropped = tuple(f"sheet '{other}'" for other in other_sheets)
    in_doubt = options.declared_header is None and not _is_certain_header(rows)
    origin = Origin(
        "xlsx",
        path,
        final_options,
        notes_on_dropped(dropped),
        dropped,
        names_in_doubt=in_doubt,
        other_sheets=tuple(other_sheets),
        labels=Labels(formats={name: formats[positions[name]] for name in names if positions[name] in formats}),
    )
    return LoadedTable(normalize_arrow(path, table), origin)


def _is_certain_header(rows: Sequence[Sequence[Any]]) -> bool:
    """Whether the first line can only be names, as in a CSV of the same cells."""
    first, *rest = ([_cell_text(cell) for cell in row] for row in rows[: N_SNIFFED + 1])
    return is_certain_header(first, rest)


def _cell_text(cell: object) -> str:
    return "" if cell is None else str(cell)


def _openpyxl(path: Path) -> Any:
    try:
        import openpyxl  # type: ignore[import-untyped]
    except ImportError:
        raise SourceError.missing_package(path, "openpyxl") from None
    return openpyxl


def _rows(path: Path, sheet: str | None) -> tuple[list[tuple[Any, ...]], str, list[str], dict[int, str]]:
    """The lines that are not empty, all of one length, the name of the sheet, those of the others, and the formats of
    numbers and dates by the position of their column."""
    library = _openpyxl(path)
    with _plain_errors(path):
        book = library.load_workbook(path, read_only=True, data_only=True)
    try:
        sheets = [page.title for page in book.worksheets]  # chart sheets have no cells
        if not sheets:
            raise SourceError.empty(path)
        name = sheet or sheets[0]
        other_sheets = [other for other in book.sheetnames if other != name]
        if name not in sheets:
            raise SourceError.unknown_sheet(path, name, sheets)
        with _plain_errors(path):
            page = book[name]
            page.reset_dimensions()  # some programs write wrong ones
            rows = [row for row in page.iter_rows(values_only=True) if any(cell is not None for cell in row)]
            formats = _formats(page)
    finally:
        book.close()
    width = max((len(row) for row in rows), default=0)
    return [row + (None,) * (width - len(row)) for row in rows], name, other_sheets, formats


def _formats(page: Any) -> dict[int, str]:
    """The format of the first number or date of each column, if it contains no text of its own."""
    found: dict[int, str] = {}
    for row in page.iter_rows(max_row=N_SNIFFED):
        for at, cell in enumerate(row):
            if (
                cell.value is not None
                and not isinstance(cell.value, str)
                and PLAIN_FORMAT.fullmatch(cell.number_format)
            ):
                found.setdefault(at, cell.number_format)
    return found


@contextmanager
def _plain_errors(path: Path) -> Iterator[None]:
    """Replaces the errors of openpyxl for a damaged file, which have no common class and may show a cell."""
    try:
        yield
    except MemoryError:
        raise
    except Exception:
        raise _damage_error(path) from None


def _damage_error(path: Path) -> SourceError:
    with path.open("rb") as file:
        is_old = file.read(len(OLD)) == OLD
    return SourceError.old_workbook(path) if is_old else SourceError.damaged(path)


def _name(cell: object, position: int, header: bool, options: ReadOptions) -> str:
    name = str(cell) if header and cell is not None else ""
    return (trim_text(name) if options.trim else name) or f"column_{position}"


def _column(path: Path, name: str, cells: Sequence[Any], options: ReadOptions) -> Any:
    trimmed: Sequence[Any] = (
        [trim_text(cell) if isinstance(cell, str) else cell for cell in cells] if options.trim else cells
    )
    values = [None if _is_missing(cell, options) else cell for cell in trimmed]
    types = {type(cell) for cell in values if cell is not None}
    if types == {dt.datetime} and not any(cell and cell.time() != dt.time() for cell in values):
        return pa.array([cell and cell.date() for cell in values])
    if len(types) <= 1 or types == {int, float}:
        return to_array(path, name, values)
    return pa.array([None if cell is None else str(cell) for cell in values], pa.string())


def _is_missing(cell: object, options: ReadOptions) -> bool:
    if isinstance(cell, str):
        return cell in options.missing
    return isinstance(cell, int | float) and not isinstance(cell, bool) and cell in options.missing_numbers


def write(table: pa.Table, path: Path, like: Origin | None) -> None:
    library = _openpyxl(path)
    if table.num_rows > MOST_RECORDS:
        raise SourceError.too_many_records_for_sheet(path, table.num_rows, MOST_RECORDS)
    book = library.Workbook(write_only=True)
    is_like_workbook = like is not None and like.format == "xlsx"
    page = book.create_sheet((like.options.sheet if like and is_like_workbook else None) or "Sheet1")
    formats = like.labels.formats if like and like.labels and is_like_workbook else {}
    columns = [
        _formatted(page, _cells(page, name, column), formats.get(name, GENERAL))
        for name, column in zip(table.column_names, table.columns, strict=True)
    ]
    heading = [_text(page, name, name) for name in table.column_names]
    buffer = io.BytesIO()
    with _plain_errors_of_lxml(path):
        for record in chain([heading], zip(*columns, strict=True)):
            page.append(record)
        book.save(buffer)
    _write_without_time(buffer, path)


@contextmanager
def _plain_errors_of_lxml(path: Path) -> Iterator[None]:
    """openpyxl writes a sheet to a temporary file first, by lxml where that is installed, whose error for a file that
    cannot grow is none of the system's."""
    try:
        yield
    except Exception as error:
        if type(error).__name__ != "SerialisationError":
            raise
        raise SourceError.no_room_for_workbook(path) from None


def _cells(page: Any, name: str, column: Any) -> list[Any]:
    _check_single(name, column.type)
    if pa.types.is_timestamp(column.type) and column.type.tz is not None:
        column = column.cast(pa.string())  # Excel has no time zones
    try:
        values = column.to_pylist()
    except OverflowError:
        raise SourceError.cannot_write_column(
            name, "xlsx", "it contains dates outside the range of the calendar"
        ) from None
    return [_text(page, name, value) if isinstance(value, str) else value for value in values]


def _formatted(page: Any, cells: list[Any], number_format: str) -> list[Any]:
    """Numbers, dates and times in this format; texts have none."""
    from openpyxl.cell import WriteOnlyCell  # type: ignore[import-untyped]

    def formatted(value: Any) -> Any:
        if isinstance(value, bool) or not isinstance(value, NUMBERS):
            return value
        cell = WriteOnlyCell(page, value)
        cell.number_format = number_format
        return cell

    return cells if number_format == GENERAL else [formatted(value) for value in cells]


def _check_single(name: str, kind: Any) -> None:
    """Raises for types that openpyxl cannot write, since its own error shows the cell."""
    plain = kind.value_type if pa.types.is_dictionary(kind) else kind
    if not any(is_type(plain) for is_type in SINGLE) or pa.types.is_interval(plain):
        raise SourceError.cannot_write_column(name, "xlsx", f"a cell cannot store {kind}")


def _text(page: Any, name: str, text: str) -> Any:
    from openpyxl.cell import WriteOnlyCell
    from openpyxl.utils.exceptions import IllegalCharacterError  # type: ignore[import-untyped]

    if len(text) > MOST_CHARACTERS:
        raise SourceError.cannot_write_column(name, "xlsx", f"a cell can hold at most {MOST_CHARACTERS} characters")
    try:
        cell = WriteOnlyCell(page, text)
    except IllegalCharacterError:
        raise SourceError.cannot_write_column(name, "xlsx", "it contains control characters") from None
    cell.data_type = "s"
    return cell


def _write_without_time(buffer: io.BytesIO, path: Path) -> None:
    """Writes the workbook without the time of writing, so that two runs give the same bytes."""
    with zipfile.ZipFile(buffer) as book, zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as out:
        for name in book.namelist():
            content = book.read(name)
            if name == "docProps/core.xml":
                content = re.sub(rb"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", b"1980-01-01T00:00:00Z", content)
            entry = zipfile.ZipInfo(name, LONG_AGO)
            out.writestr(entry, content, zipfile.ZIP_DEFLATED)
