"""File formats, by extension."""

from __future__ import annotations

import errno
import os
from importlib.util import find_spec
from pathlib import Path
from typing import Literal

from shoal.errors import SourceError
from shoal.sources.origin import Format

FORMATS: dict[str, Format] = {
    ".csv": "csv",
    ".tsv": "csv",
    ".txt": "csv",
    ".dat": "csv",
    ".parquet": "parquet",
    ".pq": "parquet",
    ".arrow": "arrow",
    ".ipc": "arrow",
    ".feather": "feather",
    ".sav": "spss",
    ".zsav": "spss",
    ".por": "spss",
    ".dta": "stata",
    ".sas7bdat": "sas",
    ".xpt": "sas",
    ".xlsx": "xlsx",
}
NEEDED: dict[Format, tuple[str, ...]] = {
    "spss": ("pyreadstat", "pandas"),
    "stata": ("pyreadstat", "pandas"),
    "xlsx": ("openpyxl",),
}
"""Packages that a writer needs, beyond those that are always installed."""
STAT_WRITTEN = (".sav", ".zsav", ".dta")
Codec = Literal["gzip", "bz2", "zstd", "xz"]
COMPRESSED: dict[str, Codec] = {".gz": "gzip", ".bz2": "bz2", ".zst": "zstd", ".xz": "xz"}


def format_of(path: Path) -> Format:
    suffix = path.suffix.lower()
    if suffix in COMPRESSED:
        suffix = path.with_suffix("").suffix.lower() or ".csv"
        if FORMATS.get(suffix) != "csv":
            raise SourceError.unknown_format(path, FORMATS)
    if suffix not in FORMATS:
        raise SourceError.unknown_format(path, FORMATS)
    return FORMATS[suffix]


def compression_of(path: Path) -> Codec | None:
    return COMPRESSED.get(path.suffix.lower())


def check_writable(path: Path) -> None:
    """Raises for a name that no writer supports, or a writer that is not installed, before any work is done."""
    format_ = format_of(path)
    if format_ in ("spss", "stata", "sas") and path.suffix.lower() not in STAT_WRITTEN:
        raise SourceError.cannot_write(path, STAT_WRITTEN)
    for package in NEEDED.get(format_, ()):
        if find_spec(package) is None:
            raise SourceError.needs_extra(path, package)


def check_no_loop(path: Path) -> None:
    """Raises for a symbolic link that leads back to itself."""
    try:
        path.stat()
    except OSError as error:
        if error.errno == errno.ELOOP:
            raise SourceError.loop(path) from None


def check_readable(path: Path) -> None:
    """Raises for a file that cannot be opened, before a reader raises an error of its own."""
    check_no_loop(path)
    if path.is_dir():
        raise SourceError.is_folder(path)
    if not path.exists():
        raise SourceError.not_found(path)
    if not path.is_file():
        raise SourceError.nothing_to_open(path)
    if not os.access(path, os.R_OK):
        raise SourceError.no_permission(path)
    if path.stat().st_size == 0:
        raise SourceError.empty(path)
