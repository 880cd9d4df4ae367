"""The table of file formats. Everything that depends on the format of a file looks it up here, by extension."""

from __future__ import annotations

import errno
import os
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Literal

from shoal.errors import PartsError, SourceError
from shoal.sources.options import FormatName
from shoal.sources.table_parts import EXTENSION, PARQUET, has_parts, parts_of


@dataclass(frozen=True)
class FileFormat:
    """One file format. Its modules are imported when a file of this format is read or written, not before.

    ``module`` defines ``read(path, options, columns)`` and ``write(table, path, like)``. If the format is read and
    written in pieces, it defines ``open_pieces(path, options, columns, kinds, sizes)`` and
    ``write_pieces(pieces, path, like)`` instead of ``write``. If the file states no types, ``read`` also takes the
    declared kinds, and ``options_written(path, like)`` returns the options that read a written file.

    ``carriers_module`` defines ``carriers(path)``, and shares no code with the writer.
    """

    name: FormatName
    """The name in `Origin` and in manifests."""
    extensions: tuple[str, ...]
    module: str
    """Dotted name of the module that reads and writes the format."""
    carriers_module: str
    """Dotted name of the module that finds what a file holds besides its cells."""
    read_only: tuple[str, ...] = ()
    """Extensions that can be read but not written."""
    packages: tuple[str, ...] = ()
    """Packages that a writer needs, besides those that are always installed."""
    in_pieces: bool = False
    """Whether files of this format are read and written in pieces, so that they may be larger than memory."""
    has_types: bool = True
    """Whether the file states the types of its columns."""
    compressible: bool = False
    """Whether an extension of `COMPRESSED` may follow its own."""

    @property
    def written(self) -> tuple[str, ...]:
        """Extensions that can be written."""
        return tuple(extension for extension in self.extensions if extension not in self.read_only)

    def load(self) -> Any:
        """The module that reads and writes the format."""
        return import_module(self.module)


FORMATS = (
    FileFormat(
        "csv",
        (".csv", ".tsv", ".txt", ".dat", ".data"),
        "shoal.sources.csv",
        "shoal.sources.carriers.compression_carriers",
        in_pieces=True,
        has_types=False,
        compressible=True,
    ),
    FileFormat(
        "parquet",
        (*PARQUET, EXTENSION),
        "shoal.sources.parquet",
        "shoal.sources.carriers.parquet_carriers",
        in_pieces=True,
    ),
    FileFormat("arrow", (".arrow", ".ipc"), "shoal.sources.arrow", "shoal.sources.carriers.arrow_carriers"),
    FileFormat("feather", (".feather",), "shoal.sources.arrow", "shoal.sources.carriers.arrow_carriers"),
    FileFormat(
        "spss",
        (".sav", ".zsav", ".por"),
        "shoal.sources.stat",
        "shoal.sources.carriers.label_carriers",
        read_only=(".por",),
        packages=("pyreadstat", "pandas"),
    ),
    FileFormat(
        "stata",
        (".dta",),
        "shoal.sources.stat",
        "shoal.sources.carriers.label_carriers",
        packages=("pyreadstat", "pandas"),
    ),
    FileFormat(
        "sas",
        (".sas7bdat", ".xpt"),
        "shoal.sources.stat",
        "shoal.sources.carriers.label_carriers",
        read_only=(".sas7bdat", ".xpt"),
    ),
    FileFormat(
        "xlsx",
        (".xlsx",),
        "shoal.sources.xlsx",
        "shoal.sources.carriers.workbook_carriers",
        packages=("openpyxl",),
    ),
)
BY_NAME: dict[FormatName, FileFormat] = {format_.name: format_ for format_ in FORMATS}
BY_EXTENSION = {extension: format_ for format_ in FORMATS for extension in format_.extensions}
Codec = Literal["gzip", "bz2", "zstd", "xz"]
COMPRESSED: dict[str, Codec] = {".gz": "gzip", ".bz2": "bz2", ".zst": "zstd", ".xz": "xz"}


def format_of(path: Path, declared: FormatName | None = None) -> FileFormat:
    """The declared format, else that of the extension; a compressed file without a second extension is a CSV. Several
    files are Parquet."""
    if has_parts(path):
        if declared not in (None, "parquet"):
            raise PartsError.other_format(path, declared)
        return BY_NAME["parquet"]
    if declared is not None:
        return BY_NAME[declared]
    extension = path.suffix.lower()
    is_compressed = extension in COMPRESSED
    if is_compressed:
        extension = path.with_suffix("").suffix.lower() or ".csv"
    found = BY_EXTENSION.get(extension)
    if found is None or (is_compressed and not found.compressible):
        raise SourceError.unknown_format(path, BY_EXTENSION)
    return found


def extension_of(path: Path, declared: FormatName | None) -> str:
    """The extension, or the first one of the declared format where the file has one of another format."""
    extension = path.suffix.lower()
    known = format_of(path, declared).extensions
    return extension if extension in known else known[0]


def compression_of(path: Path) -> Codec | None:
    return COMPRESSED.get(path.suffix.lower())


def check_writable(path: Path) -> None:
    """Raises for a name that no writer supports, or a writer that is not installed, before any work is done."""
    format_ = format_of(path)
    if path.suffix.lower() in format_.read_only:
        similar = [other for other in FORMATS if other.module == format_.module]
        raise SourceError.cannot_write(path, [extension for other in similar for extension in other.written])
    for package in format_.packages:
        if find_spec(package) is None:
            raise SourceError.missing_package(path, package)


def check_no_loop(path: Path) -> None:
    """Raises for a symbolic link that leads back to itself."""
    try:
        path.stat()
    except OSError as error:
        if error.errno == errno.ELOOP:
            raise SourceError.link_loop(path) from None


def check_readable(path: Path) -> None:
    """Raises for a file, or one of the parts of a folder, that cannot be opened, before a reader raises an error of its
    own."""
    check_no_loop(path)
    for part in parts_of(path):
        check_readable_file(part)


def check_readable_file(path: Path) -> None:
    """The same for a single file."""
    check_no_loop(path)
    if path.is_dir():
        raise SourceError.is_folder(path)
    if not path.exists():
        raise SourceError.not_found(path)
    if not path.is_file():
        raise SourceError.special_file(path)
    if not os.access(path, os.R_OK):
        raise SourceError.no_permission(path)
    if path.stat().st_size == 0:
        raise SourceError.empty(path)
