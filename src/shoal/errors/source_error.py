"""Errors in reading files and dataframes and in writing releases."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Self

from shoal.errors.base import ShoalError, listed, nearest
from shoal.errors.engine_error import IN_PIECES
from shoal.errors.names import hint


class SourceError(ShoalError):
    """A file or dataframe cannot be read, or a release cannot be written."""

    @classmethod
    def same_target(cls) -> Self:
        return cls("release, manifest, report and mapping must be different files.")

    @classmethod
    def link_loop(cls, path: Path) -> Self:
        return cls(f"{path} is a link that leads back to itself. Name the file itself, or mend the link.")

    @classmethod
    def another_run(cls, path: Path) -> Self:
        return cls(
            f"{path}: another run is writing this file right now. Nothing was written; wait for it, or choose "
            "another name."
        )

    @classmethod
    def file_too_large(cls, path: Path) -> Self:
        return cls(
            f"{path}: the file would be larger than this disk or your account allows. Nothing was written; choose "
            "another folder."
        )

    @classmethod
    def folder_not_empty(cls, folder: Path) -> Self:
        return cls(f"{folder} holds files that are not of a demo. Choose another folder with --folder.")

    @classmethod
    def no_demo_folder(cls, folder: Path, why: str | None) -> Self:
        return cls(f"{folder}: this folder cannot be made or written to ({why}). Choose another with --folder.")

    @classmethod
    def not_found(cls, path: Path) -> Self:
        return cls(f"{path}: there is no such file. Check the path; it is taken from the current folder.")

    @classmethod
    def is_folder(cls, path: Path) -> Self:
        return cls(f"{path} is a folder. Name a file in it.")

    @classmethod
    def not_regular_file(cls, path: Path) -> Self:
        return cls(f"{path} is no plain file. Choose another name.")

    @classmethod
    def special_file(cls, path: Path) -> Self:
        return cls(
            f"{path} is no plain file but a pipe, a device or a socket. Copy what comes from it to a file first."
        )

    @classmethod
    def no_permission(cls, path: Path) -> Self:
        return cls(f"{path}: you may not read this file. Ask its owner, or change its permissions.")

    @classmethod
    def unknown_format(cls, path: Path, known: Iterable[str]) -> Self:
        return cls(
            f"{path}: '{path.suffix}' names no format that Shoal knows. Known: {listed(known, most=30)}; "
            "CSV also with .gz, .bz2, .zst or .xz after it."
        )

    @classmethod
    def unknown_object(cls, source: object) -> Self:
        return cls(
            f"{type(source).__module__}.{type(source).__qualname__} is no table. Give a path, a dataframe "
            "(pandas, polars, Arrow, DuckDB or any other with the Arrow interface), or a dict of columns."
        )

    @classmethod
    def empty(cls, path: Path) -> Self:
        return cls(f"{path} is empty. There is nothing to read.")

    @classmethod
    def no_records(cls, path: Path) -> Self:
        return cls(f"{path} holds names of columns but no records. There is nothing to protect.")

    @classmethod
    def damaged(cls, path: Path) -> Self:
        return cls(
            f"{path}: this is no valid {path.suffix} file, or only a part of one. Was the copy or download complete?"
        )

    @classmethod
    def no_memory(cls, where: object) -> Self:
        return cls(
            f"{where}: there is too little memory to read it. Nothing was released. Free some memory, or raise the "
            f"limit that is set on it (ulimit -v). {IN_PIECES}"
        )

    @classmethod
    def old_workbook(cls, path: Path) -> Self:
        return cls(
            f"{path}: this workbook is encrypted, or an old .xls with another name. Save it as .xlsx, not encrypted."
        )

    @classmethod
    def not_text(cls, path: Path) -> Self:
        return cls(
            f"{path} is not text: it holds NUL or other control characters. If it is of another format, "
            "give it that extension; if it is text of another encoding, declare it: encoding = 'utf-16'."
        )

    @classmethod
    def not_decodable(cls, path: Path, encoding: str) -> Self:
        return cls(
            f"{path}: some bytes are not valid {encoding}. Declare the encoding it was written in, "
            "for example encoding = 'cp1252' or 'latin-1'."
        )

    @classmethod
    def wrong_delimiter(cls, path: Path, declared: str, other: str, n_columns: int) -> Self:
        return cls(
            f"{path}: with delimiter {declared!r} the file is one single column; with {other!r} it has "
            f"{n_columns}. Declare delimiter = {other!r}, or leave it out."
        )

    @classmethod
    def irregular_lines(cls, path: Path, n_columns: int, lines: list[int], sizes: list[int], n_odd: int) -> Self:
        shown = ", ".join(f"line {line} has {size}" for line, size in zip(lines, sizes, strict=True))
        more = f" and {n_odd - len(lines)} more lines are wrong" if n_odd > len(lines) else ""
        return cls(
            f"{path}: every line should have {n_columns} cells, as the first has, but {shown}{more}. "
            "Is a cell that holds a delimiter not quoted, or the delimiter not the declared one?"
        )

    @classmethod
    def unclosed_quote(cls, path: Path, line: int) -> Self:
        return cls(
            f"{path}: a quote that opens in the record at line {line} never closes. Close it, or "
            "declare quote = '' if quotes in this file are plain characters."
        )

    @classmethod
    def repeated_columns(cls, where: object, places: Sequence[int]) -> Self:
        """Columns are given by position: their names would be cells if the first line is a record."""
        return cls(
            f"{where}: several columns have the same name: columns {listed(places)}. Rename all but one; "
            "if the first line is a record, declare header = false under [source]."
        )

    @classmethod
    def invalid_names(cls, where: object, places: Sequence[int]) -> Self:
        return cls(f"{where}: the names of columns {listed(places)} are not valid Unicode. Rename them.")

    @classmethod
    def not_unicode(cls, where: object, column: str) -> Self:
        return cls(
            f"{where}, column '{column}': some of its texts are not valid Unicode (they hold halves of characters, or "
            "bytes of another encoding). Read the original with its right encoding, or remove them."
        )

    @classmethod
    def unknown_zone(cls, where: object, column: str, zone: str) -> Self:
        return cls(
            f"{where}, column '{column}': its time zone '{zone}' is not known here. Convert it to UTC, or install "
            "tzdata."
        )

    @classmethod
    def invalid_days(cls, where: object, column: str) -> Self:
        return cls(
            f"{where}, column '{column}': some of its dates are no whole days, or too far away for any calendar. "
            "Are they codes for 'not known'? Make them missing, or convert the column to timestamps."
        )

    @classmethod
    def not_a_column(cls, where: object, column: str) -> Self:
        return cls(f"{where}, column '{column}': this is no column. Give a list or an array with a value per record.")

    @classmethod
    def wrong_option(cls, option: str, reason: str) -> Self:
        return cls(f"{option}: {reason}.")

    @classmethod
    def unknown_columns(cls, where: object, names: Sequence[str], there: Sequence[str]) -> Self:
        also = f" Nor: {listed(names[1:])}." if names[1:] else ""
        return cls(f"{where}: there is no column '{names[0]}'.{also}{hint(names[0], there)}")

    @classmethod
    def not_in_first_line(cls, where: object, names: Sequence[str], n_columns: int) -> Self:
        """The first line of the file is not shown: it may be a record."""
        return cls(
            f"{where}: there is no column {listed(repr(name) for name in names)} among its {n_columns}, if its first "
            "line holds their names; it may be a record, so it is not shown. Write the names above the records."
        )

    @classmethod
    def uncertain_header(cls, where: object, n_columns: int) -> Self:
        return cls(
            f"{where}: whether the first line holds the names of the {n_columns} columns, or is a record, cannot be "
            "told from the cells. Say so: 'shoal init' takes --header or --no-header, a policy header = true or false "
            "under [source]. Parquet and its like need no first line."
        )

    @classmethod
    def unequal_columns(cls, where: object, lengths: Mapping[str, int]) -> Self:
        shown = listed(f"{name} {n}" for name, n in lengths.items())
        return cls(f"{where}: all columns must have the same number of records, got {shown}.")

    @classmethod
    def mixed_column(cls, where: object, column: str) -> Self:
        return cls(
            f"{where}, column '{column}': its values are of several types, or of one that has no Arrow type. "
            "Convert it to numbers, dates or text."
        )

    @classmethod
    def not_of_kind(
        cls, where: object, column: str, kind: str, wanted: str, n: int, place: str, *, at_least: bool = False
    ) -> Self:
        cells = ("at least " if at_least else "") + ("1 cell holds" if n == 1 else f"{n} cells hold")
        written = "say how dates are written in `date_format`, such as '%d.%m.%Y', " if kind == "date" else ""
        return cls(
            f"{where}, column '{column}': declared {kind}, but {cells} no {wanted} ({place}"
            f"{', ...' if n > place.count(',') + 1 else ''}). Under [source], {written}list what means missing "
            "in `missing`; or correct the cells, or declare another kind."
        )

    @classmethod
    def unknown_sheet(cls, path: Path, sheet: str, there: Sequence[str]) -> Self:
        return cls(f"{path}: there is no sheet '{sheet}'.{nearest(sheet, there)} It has: {listed(there)}.")

    @classmethod
    def missing_package(cls, path: Path, package: str) -> Self:
        return cls(f"{path}: {path.suffix} files need {package}. Install it with: pip install 'shoal[stat]'")

    @classmethod
    def cannot_write(cls, path: Path, known: Iterable[str]) -> Self:
        return cls(f"{path}: Shoal reads {path.suffix} but cannot write it. Write {listed(known)} instead.")

    @classmethod
    def cannot_write_column(cls, column: str, format_: str, reason: str) -> Self:
        other = "Arrow" if format_ == "Parquet" else "Parquet"
        return cls(f"column '{column}' cannot be written as {format_}: {reason}. {other} takes any column.")

    @classmethod
    def unsupported_table(cls, path: Path) -> Self:
        return cls(
            f"{path}: a {path.suffix} file cannot hold this table. Names of columns must begin with a letter "
            "and hold no spaces, and have at most 32 characters. Parquet takes any table."
        )

    @classmethod
    def too_many_records_for_sheet(cls, path: Path, n_records: int, most: int) -> Self:
        return cls(f"{path}: a sheet holds {most} records, the table has {n_records}. Write Parquet or CSV.")

    @classmethod
    def no_folder(cls, path: Path) -> Self:
        return cls(f"{path}: there is no folder {path.parent}. Make it first.")

    @classmethod
    def folder_not_writable(cls, path: Path) -> Self:
        return cls(f"{path}: you may not write to the folder {path.parent}. Choose another.")

    @classmethod
    def already_exists(cls, path: Path) -> Self:
        return cls(f"{path} is already there. Choose another name, or replace it with --force (in Python force=True).")

    @classmethod
    def would_replace_input(cls, path: Path) -> Self:
        return cls(f"{path} is the input. A release never replaces the original: choose another name.")

    @classmethod
    def system_error(cls, error: OSError) -> Self:
        return cls(f"{error.filename or 'a file'}: {error.strerror or type(error).__name__}, says the system.")

    @classmethod
    def closed_stdout(cls) -> Self:
        return cls(
            "standard output is closed: there is no place to say the result. Nothing was done; send it to a file, or "
            "to /dev/null."
        )

    @classmethod
    def output_failed(cls, error: OSError) -> Self:
        return cls(
            f"the result could not be said: {error.strerror or type(error).__name__}, says the system of standard "
            "output. Files are there whole, or not at all."
        )

    @classmethod
    def file_changed(cls, path: Path) -> Self:
        return cls(f"{path} changed while it was being read. Nothing was released; start again when it is at rest.")

    @classmethod
    def not_in_pieces(cls, where: object, why: str, instead: str = "make it a Parquet or CSV file") -> Self:
        return cls(f"{where}: {why}, so it cannot be protected piece by piece. Take engine = 'memory', or {instead}.")

    @classmethod
    def no_temporary_space(cls, folder: Path) -> Self:
        return cls(
            f"{folder}: there is no room for the release, which is written there once more to compare it. Make room, "
            "or name another folder in the variable TMPDIR."
        )

    @classmethod
    def disk_full(cls, path: Path) -> Self:
        return cls(f"{path}: the disk is full. Nothing was written; make room, or choose another folder.")


class ReservedNameError(SourceError):
    """A column has a name that Shoal reserves for helper columns: bad input in an original, a fault in a release."""

    @classmethod
    def of(cls, where: object, names: Sequence[str]) -> Self:
        return cls(f"{where}: Shoal keeps these names of columns for itself: {listed(names)}. Rename them.")
