"""Errors in reading files and dataframes and in writing releases."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Self

from shoal.errors.base import ShoalError, install, listed, nearest, plural
from shoal.errors.engine_error import IN_PIECES
from shoal.errors.names import hint


def other_sheets(sheets: Sequence[str]) -> str:
    """How to read another sheet of a workbook; empty where there is none."""
    if not sheets:
        return ""
    return f" The file has other sheets: {listed(sheets)}. Name one with --sheet, or with sheet under [source]."


class SourceError(ShoalError):
    """A file or dataframe cannot be read, or a release cannot be written."""

    @classmethod
    def same_target(cls) -> Self:
        return cls("release, manifest, report and mapping must be different files.")

    @classmethod
    def link_loop(cls, path: Path) -> Self:
        return cls(f"{path} is a symbolic link that points back to itself. Name the file itself, or repair the link.")

    @classmethod
    def another_run(cls, path: Path) -> Self:
        return cls(
            f"{path}: another run is writing this file right now. Nothing was written; wait until it ends, or "
            "choose another name."
        )

    @classmethod
    def file_too_large(cls, path: Path) -> Self:
        return cls(
            f"{path}: the file would be larger than this disk or your account allows. Nothing was written; choose "
            "another folder."
        )

    @classmethod
    def folder_not_empty(cls, folder: Path) -> Self:
        return cls(f"{folder} contains files that do not belong to a demo. Choose another folder with --folder.")

    @classmethod
    def no_demo_folder(cls, folder: Path, why: str | None) -> Self:
        return cls(f"{folder}: this folder cannot be created or written to ({why}). Choose another with --folder.")

    @classmethod
    def not_found(cls, path: Path) -> Self:
        return cls(f"{path}: there is no such file. Check the path, which is relative to the current folder.")

    @classmethod
    def is_folder(cls, path: Path) -> Self:
        return cls(f"{path} is a folder. Name a file in it.")

    @classmethod
    def target_is_folder(cls, path: Path) -> Self:
        return cls(f"{path} is a folder. Name a file in it, or a folder with the extension .parts.")

    @classmethod
    def not_regular_file(cls, path: Path) -> Self:
        return cls(f"{path} is not a regular file. Choose another name.")

    @classmethod
    def special_file(cls, path: Path) -> Self:
        return cls(f"{path} is not a regular file but a pipe, a device or a socket. Copy its content to a file first.")

    @classmethod
    def no_permission(cls, path: Path) -> Self:
        return cls(f"{path}: you do not have permission to read this file. Ask its owner, or change its permissions.")

    @classmethod
    def unknown_format(cls, path: Path, known: Iterable[str]) -> Self:
        return cls(
            f"{path}: '{path.suffix}' is not the extension of a format that Shoal knows. Known extensions: "
            f"{listed(known, most=30)}; a CSV may also be compressed, with .gz, .bz2, .zst or .xz after its extension. "
            "Name the format of an original with --format, for example --format csv, or declare format = 'csv' under "
            "[source] of the policy."
        )

    @classmethod
    def unknown_page(cls, path: Path, known: Sequence[str]) -> Self:
        found = f"'{path.suffix}' is not an extension of such a page" if path.suffix else "it has no extension"
        return cls(f"{path}: {found}. It can be written as {' or '.join(known)}.")

    @classmethod
    def unknown_edition(cls, known: Sequence[str]) -> Self:
        return cls(f"A report has these editions: {', '.join(known)}. Give one of them.")

    @classmethod
    def unknown_object(cls, source: object) -> Self:
        return cls(
            f"{type(source).__module__}.{type(source).__qualname__} is not a table. Pass a path, a dataframe "
            "(pandas, polars, Arrow, DuckDB or any other with the Arrow interface), or a dict of columns."
        )

    @classmethod
    def empty(cls, path: Path) -> Self:
        return cls(f"{path} is empty. There is nothing to read.")

    @classmethod
    def empty_sheet(cls, path: Path, sheet: str, others: Sequence[str]) -> Self:
        return cls(f"{path}: sheet '{sheet}' is empty.{other_sheets(others)}")

    @classmethod
    def no_records(cls, path: Path) -> Self:
        return cls(f"{path} has column names but no records. Give a file with records.")

    @classmethod
    def damaged(cls, path: Path) -> Self:
        return cls(
            f"{path}: this is not a valid {path.suffix} file, or only a part of one. Check that the copy or download "
            "is complete."
        )

    @classmethod
    def no_memory(cls, where: object) -> Self:
        return cls(
            f"{where}: there is too little memory to read it. Nothing was released. Free some memory, or raise "
            f"its limit (ulimit -v). {IN_PIECES}"
        )

    @classmethod
    def old_workbook(cls, path: Path) -> Self:
        return cls(
            f"{path}: this workbook is encrypted, or an old .xls file with another extension. Save it as .xlsx without "
            "encryption."
        )

    @classmethod
    def not_text(cls, path: Path) -> Self:
        return cls(
            f"{path} is not text: it contains NUL or other control characters. If it has another format, give it the "
            "extension of that format; if it is text in another encoding, declare it, for example encoding = 'utf-16'."
        )

    @classmethod
    def not_decodable(cls, path: Path, encoding: str) -> Self:
        return cls(
            f"{path}: some bytes are not valid {encoding}. Declare its encoding, "
            "for example encoding = 'cp1252' or 'latin-1'."
        )

    @classmethod
    def wrong_delimiter(cls, path: Path, declared: str, other: str, n_columns: int) -> Self:
        return cls(
            f"{path}: with delimiter {declared!r} the file has a single column; with {other!r} it has "
            f"{n_columns}. Declare delimiter = {other!r}, or omit the option."
        )

    @classmethod
    def irregular_lines(cls, path: Path, n_columns: int, lines: list[int], sizes: list[int], n_irregular: int) -> Self:
        shown = ", ".join(f"line {line} has {size}" for line, size in zip(lines, sizes, strict=True))
        more = f" and {n_irregular - len(lines)} more lines differ" if n_irregular > len(lines) else ""
        return cls(
            f"{path}: every line should have {n_columns} cells, like the first, but {shown}{more}. "
            "Check that cells that contain a delimiter are quoted, and that the delimiter is the right one."
        )

    @classmethod
    def unclosed_quote(cls, path: Path, line: int) -> Self:
        return cls(
            f"{path}: a quote that is opened in the record at line {line} is never closed. Close it, or "
            "declare quote = '' if quotes are ordinary characters in this file."
        )

    @classmethod
    def repeated_columns(cls, where: object, positions: Sequence[int]) -> Self:
        """Columns are given by position: their names would be cells if the first line is a record."""
        return cls(
            f"{where}: several columns have the same name: columns {listed(positions)}. Rename all but one; "
            "if the first line is a record, declare header = false under [source]."
        )

    @classmethod
    def invalid_names(cls, where: object, positions: Sequence[int]) -> Self:
        return cls(f"{where}: the names of columns {listed(positions)} are not valid Unicode. Rename them.")

    @classmethod
    def not_unicode(cls, where: object, column: str) -> Self:
        return cls(
            f"{where}, column '{column}': some of its texts are not valid Unicode (they contain incomplete characters, "
            "or bytes of another encoding). Read the original in its correct encoding, or remove these texts."
        )

    @classmethod
    def unknown_zone(cls, where: object, column: str, zone: str) -> Self:
        return cls(
            f"{where}, column '{column}': its time zone '{zone}' is unknown on this machine. Convert it to UTC, or "
            "install tzdata."
        )

    @classmethod
    def invalid_days(cls, where: object, column: str) -> Self:
        return cls(
            f"{where}, column '{column}': some of its dates are not whole days, or outside the range of the calendar. "
            "If they are codes for unknown values, set them to missing; otherwise convert the column to timestamps."
        )

    @classmethod
    def not_a_column(cls, where: object, column: str) -> Self:
        return cls(
            f"{where}, column '{column}': this is not a column. Pass a list or an array with one value per record."
        )

    @classmethod
    def wrong_option(cls, option: str, reason: str) -> Self:
        return cls(f"{option}: {reason}.")

    @classmethod
    def unknown_columns(cls, where: object, names: Sequence[str], available: Sequence[str]) -> Self:
        also = f" Also unknown: {listed(names[1:])}." if names[1:] else ""
        return cls(f"{where}: there is no column '{names[0]}'.{also}{hint(names[0], available)}")

    @classmethod
    def not_in_first_line(cls, where: object, names: Sequence[str], n_columns: int) -> Self:
        """The first line of the file is not shown: it may be a record."""
        return cls(
            f"{where}: there is no column {listed(repr(name) for name in names)} among its {n_columns} columns, "
            "if the first line holds their names. That line may be a record, so it is not shown. Write the column "
            "names above the records."
        )

    @classmethod
    def other_number_of_names(cls, where: object, n_names: int, n_columns: int) -> Self:
        return cls(
            f"{where}: {n_names} names are declared for its {n_columns} columns. Name every column, in their order, "
            "under [source]."
        )

    @classmethod
    def uncertain_header(cls, where: object, n_columns: int, sheets: Sequence[str] = ()) -> Self:
        """``sheets``: those of a workbook besides the one that was read."""
        names = plural(n_columns, "the name of its one column", f"the names of the {n_columns} columns")
        return cls(
            f"{where}: the cells do not show whether the first line holds {names} or is a record. Declare it: --header "
            "or --no-header for 'shoal init', header = true or false under [source] of a policy. Formats that store "
            f"column names, such as Parquet, do not need this.{other_sheets(sheets)}"
        )

    @classmethod
    def unequal_columns(cls, where: object, lengths: Mapping[str, int]) -> Self:
        shown = listed(f"{name} {n}" for name, n in lengths.items())
        return cls(f"{where}: all columns must have the same number of records, got {shown}.")

    @classmethod
    def mixed_column(cls, where: object, column: str) -> Self:
        return cls(
            f"{where}, column '{column}': its values have several types, or a type that Arrow does not have. "
            "Convert it to numbers, dates or text."
        )

    @classmethod
    def not_of_kind(
        cls, where: object, column: str, kind: str, expected: str, n: int, place: str, *, at_least: bool = False
    ) -> Self:
        cells = ("at least " if at_least else "") + ("1 cell does" if n == 1 else f"{n} cells do")
        dates = "state the format of dates in `date_format`, for example '%d.%m.%Y', or " if kind == "date" else ""
        return cls(
            f"{where}, column '{column}': declared {kind}, but {cells} not hold {expected} ({place}"
            f"{', ...' if n > place.count(',') + 1 else ''}). Under [source], {dates}list the marks of missing "
            "values in `missing`; otherwise correct the cells, or declare another kind."
        )

    @classmethod
    def unknown_sheet(cls, path: Path, sheet: str, available: Sequence[str]) -> Self:
        return cls(f"{path}: there is no sheet '{sheet}'.{nearest(sheet, available)} It has: {listed(available)}.")

    @classmethod
    def missing_package(cls, path: Path, package: str) -> Self:
        return cls(f"{path}: {path.suffix} files need {package}. {install('stat')}")

    @classmethod
    def cannot_write(cls, path: Path, known: Iterable[str]) -> Self:
        return cls(f"{path}: Shoal reads {path.suffix} but cannot write it. Write {listed(known)} instead.")

    @classmethod
    def cannot_write_column(cls, column: str, format_: str, reason: str) -> Self:
        other = "Arrow" if format_ == "Parquet" else "Parquet"
        return cls(f"column '{column}' cannot be written as {format_}: {reason}. {other} can store any column.")

    @classmethod
    def unsupported_table(cls, path: Path) -> Self:
        return cls(
            f"{path}: a {path.suffix} file cannot store this table. Column names must begin with a letter, contain "
            "no spaces and have at most 32 characters. Parquet can store any table."
        )

    @classmethod
    def too_many_records_for_sheet(cls, path: Path, n_records: int, most: int) -> Self:
        return cls(f"{path}: a sheet can hold {most} records, but the table has {n_records}. Write Parquet or CSV.")

    @classmethod
    def no_folder(cls, path: Path) -> Self:
        return cls(f"{path}: there is no folder {path.parent}. Create it first.")

    @classmethod
    def folder_not_writable(cls, path: Path) -> Self:
        return cls(f"{path}: you do not have permission to write to the folder {path.parent}. Choose another.")

    @classmethod
    def already_exists(cls, path: Path) -> Self:
        return cls(f"{path} already exists. Choose another name, or replace it with --force (in Python force=True).")

    @classmethod
    def would_replace_input(cls, path: Path) -> Self:
        return cls(f"{path} is the input. A release never replaces the original: choose another name.")

    @classmethod
    def system_error(cls, error: OSError) -> Self:
        return cls(f"{error.filename or 'a file'}: {error.strerror or type(error).__name__} (reported by the system).")

    @classmethod
    def closed_stdout(cls) -> Self:
        return cls(
            "standard output is closed, so the result cannot be shown. Nothing was done; redirect it to a file, or to "
            "/dev/null."
        )

    @classmethod
    def output_failed(cls, error: OSError) -> Self:
        return cls(
            f"the result could not be written to standard output: {error.strerror or type(error).__name__} (reported "
            "by the system). Either all files are complete, or none was written."
        )

    @classmethod
    def file_changed(cls, path: Path) -> Self:
        return cls(
            f"{path} changed while it was being read. Nothing was released; start again when no program writes to it."
        )

    @classmethod
    def not_in_pieces(cls, where: object, why: str, instead: str = "convert it to Parquet or CSV") -> Self:
        return cls(f"{where}: {why}, so it cannot be protected piece by piece. Use engine = 'memory', or {instead}.")

    @classmethod
    def no_temporary_space(cls, folder: Path) -> Self:
        return cls(
            f"{folder}: there is not enough space for the release, which is written there a second time for "
            "comparison. Free some space, or name another folder in the variable TMPDIR."
        )

    @classmethod
    def disk_full(cls, path: Path) -> Self:
        return cls(f"{path}: the disk is full. Nothing was written; free some space, or choose another folder.")

    @classmethod
    def no_room_for_workbook(cls, path: Path) -> Self:
        return cls(
            f"{path}: the sheet could not be written to the folder of temporary files, whose disk is full, or it is "
            "larger than this disk or your account allows. Nothing was written; name another folder in the variable "
            "TMPDIR, or write Parquet or CSV."
        )


class ReservedNameError(SourceError):
    """A column has a name that Shoal reserves for helper columns: bad input in an original, a fault in a release."""

    @classmethod
    def of(cls, where: object, names: Sequence[str]) -> Self:
        return cls(f"{where}: Shoal reserves these column names: {listed(names)}. Rename these columns.")
