"""SPSS, Stata and SAS files, by pyreadstat: values and the labels that explain them.

SPSS and SAS store reals only: a column whose values are all whole is read as int64, as from a CSV. An empty text is
missing in all three. Values that the file declares as user-missing (single values and ranges of SPSS, .a to .z of
Stata, .A to .Z of SAS) are read as missing, and a note counts them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

import pyarrow as pa

from shoal.errors import SourceError, listed, visible
from shoal.sources.columns import select_columns
from shoal.sources.compute import pc
from shoal.sources.formats import extension_of, format_of
from shoal.sources.normalize_arrow import normalize_arrow
from shoal.sources.options import ReadOptions
from shoal.sources.origin import Labels, LoadedTable, Origin
from shoal.sources.padding import trim_cells
from shoal.sources.text_numbers import EXACT
from shoal.sources.to_arrow import to_array

READERS = {
    ".sav": "read_sav",
    ".zsav": "read_sav",
    ".por": "read_por",
    ".dta": "read_dta",
    ".sas7bdat": "read_sas7bdat",
    ".xpt": "read_xport",
}
WITH_USER_MISSING = ("read_sav", "read_dta", "read_sas7bdat")  # readers of files that declare user-missing values
NOT_WRITTEN = "Unable to write data"  # the library's message for a full disk
# Formats of SPSS and of Stata: of numbers, of days, of times.
NUMBER_FORMAT = re.compile(r"(F|COMMA|DOT|N|E|PCT)[0-9]+([.][0-9]+)?|%-?0?[0-9]+([.,][0-9]+)?[gfe]c?")
DAY_FORMAT = re.compile(r"[EASJ]?DATE[0-9]+|%td")
TIME_FORMAT = re.compile(r"(DATETIME|YMDHMS)[0-9]+([.][0-9]+)?|%tc")
NO_TIME = b"01 Jan 70" + b"00:00:00"


def read(path: Path, options: ReadOptions, columns: Iterable[str] | None) -> LoadedTable:
    reader = getattr(_pyreadstat(path), READERS[extension_of(path, options.format)])
    _, metadata = _parse(path, reader, metadataonly=True, encoding=options.encoding)
    names = select_columns(path, metadata.column_names, columns)
    values, metadata, n_user_missing = _values(path, reader, names, options.encoding)
    if not values.keys() >= set(names):  # a damaged file, with two different lists of columns
        raise SourceError.damaged(path)
    table = pa.table({name: _column(path, name, values[name], options) for name in names})
    notes = _notes_on_user_missing(n_user_missing)
    return LoadedTable(
        normalize_arrow(path, table),
        Origin(format_of(path, options.format).name, path, options, notes, labels=_labels(metadata)),
    )


def _values(
    path: Path, reader: Callable[..., Any], names: list[str], encoding: str | None
) -> tuple[dict[str, list[Any]], Any, dict[str, int]]:
    """The cells of these columns, what the file states about them, and how many cells of each are user-missing.

    Columns that declare user-missing values are read twice: with these values, and with missing cells instead.
    """
    arguments: dict[str, object] = {"output_format": "dict", "encoding": encoding}
    if reader.__name__ not in WITH_USER_MISSING:
        return *_parse(path, reader, usecols=names, **arguments), {}
    values, metadata = _parse(path, reader, usecols=names, user_missing=True, **arguments)
    declaring = [name for name in names if name in {**metadata.missing_ranges, **metadata.missing_user_values}]
    if not declaring:
        return values, metadata, {}
    known, _ = _parse(path, reader, usecols=declaring, **arguments)
    n_user_missing = {name: known[name].count(None) - values[name].count(None) for name in declaring}
    return values | known, metadata, n_user_missing


def _notes_on_user_missing(n_cells: Mapping[str, int]) -> tuple[str, ...]:
    """How many cells of which columns the file declares as missing."""
    found = [f"{visible(name)} ({n})" for name, n in n_cells.items() if n]
    return (f"cells that the file declares as user-missing are read as missing: {listed(found)}",) if found else ()


def _pyreadstat(path: Path) -> Any:
    try:
        import pyreadstat
    except ImportError:
        raise SourceError.missing_package(path, "pyreadstat") from None
    return pyreadstat


def _parse(path: Path, reader: Callable[..., Any], **arguments: object) -> Any:
    try:
        return reader(str(path), **arguments)
    except MemoryError:
        raise
    except Exception:  # the library's errors have no common class that is public
        raise SourceError.damaged(path) from None


def _column(path: Path, name: str, values: list[Any], options: ReadOptions) -> Any:
    array = to_array(path, name, values)
    if pa.types.is_string(array.type):
        array = trim_cells(array) if options.trim else array
        blank = pc.is_in(array, value_set=pa.array(["", *options.missing]))
        return pc.if_else(blank, pa.scalar(None, pa.string()), array)
    if pa.types.is_floating(array.type):
        array = _without_codes(array, options)
        return array.cast(pa.int64()) if _is_whole(array) else array
    return array


def _without_codes(reals: Any, options: ReadOptions) -> Any:
    """The numbers without those that mean "missing"."""
    codes = pa.array(sorted(options.missing_numbers), pa.float64())
    return pc.if_else(pc.is_in(reals, value_set=codes), pa.scalar(None, reals.type), reals) if len(codes) else reals


def _is_whole(reals: Any) -> bool:
    exact = pc.and_(pc.equal(reals, pc.floor(reals)), pc.less_equal(pc.abs(reals), EXACT))
    return reals.null_count < len(reals) and bool(pc.all(exact, min_count=0).as_py())


def _labels(metadata: Any) -> Labels:
    return Labels(
        columns={name: text for name, text in metadata.column_names_to_labels.items() if text},
        values={name: dict(texts) for name, texts in metadata.variable_value_labels.items()},
        formats=dict(metadata.original_variable_types),
        measures={name: arguments for name, arguments in metadata.variable_measure.items() if arguments != "unknown"},
    )


def write(table: pa.Table, path: Path, like: Origin | None) -> None:
    """Writes a sav, zsav or dta file, with the input's labels of columns and of values that occur."""
    suffix = path.suffix.lower()
    library = _pyreadstat(path)
    for name, column in zip(table.column_names, table.columns, strict=True):
        _check_exact(name, column)
    labels = like.labels if like is not None and like.labels is not None else Labels()
    options_of_format: dict[str, object] = {"variable_format": _formats_in_use(labels, table, path, like)}
    if suffix != ".dta":
        options_of_format |= {"compress": suffix == ".zsav", "variable_measure": dict(labels.measures)}
    writer = library.write_dta if suffix == ".dta" else library.write_sav
    try:
        writer(
            table.to_pandas(),
            str(path),
            column_labels={name: labels.columns.get(name) for name in table.column_names},
            variable_value_labels=_labels_in_use(labels, table),
            **options_of_format,
        )
    except OSError:
        raise
    except Exception as error:  # as above
        raise (SourceError.disk_full if str(error) == NOT_WRITTEN else SourceError.unsupported_table)(path) from None
    _clear_time_of_writing(path)


def _check_exact(name: str, column: Any) -> None:
    if pa.types.is_integer(column.type):
        largest = pc.max(pc.abs(pc.cast(column, pa.float64(), safe=False))).as_py()
        if largest is not None and largest > EXACT:
            raise SourceError.cannot_write_column(name, "a file of reals", "it contains integers beyond 2**53")


def _formats_in_use(labels: Labels, table: pa.Table, path: Path, like: Origin | None) -> dict[str, str]:
    """Formats of the input, such as F8.2 or %td, for columns that still hold numbers, dates or times as it did."""
    if like is None or like.format != format_of(path).name:
        return {}
    return {
        field.name: labels.formats[field.name]
        for field in table.schema
        if field.name in labels.formats and _has_format(field.type, labels.formats[field.name])
    }


def _has_format(kind: pa.DataType, text: str) -> bool:
    if pa.types.is_integer(kind) or pa.types.is_floating(kind):
        return bool(NUMBER_FORMAT.fullmatch(text))
    return bool((DAY_FORMAT if pa.types.is_date(kind) else TIME_FORMAT).fullmatch(text))


def _labels_in_use(labels: Labels, table: pa.Table) -> dict[str, dict[object, str]]:
    """Labels of values that a record has: others would reveal values of records that were dropped."""
    used = {
        name: _labels_of_values(texts, set(pc.unique(table[name]).to_pylist()))
        for name, texts in labels.values.items()
        if name in table.column_names
    }
    return {name: texts for name, texts in used.items() if texts}


def _labels_of_values(texts: Mapping[object, str], present: set[object]) -> dict[object, str]:
    return {value: text for value, text in texts.items() if value in present}


def _clear_time_of_writing(path: Path) -> None:
    """Overwrites the time of writing in the header, so that two runs give the same bytes."""
    with path.open("r+b") as file:
        head = file.read(4096)
        if path.suffix.lower() == ".dta":
            mark = head.index(b"<timestamp>") + len(b"<timestamp>") + 1
            file.seek(mark)
            file.write(b"01 Jan 1970 00:00")
        else:
            file.seek(92)  # creation date and time of the sav header
            file.write(NO_TIME)
