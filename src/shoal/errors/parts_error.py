"""Errors in folders of Parquet files that are read or written as one table."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Self

from shoal.errors.base import listed, plural
from shoal.errors.source_error import SourceError


class PartsError(SourceError):
    """A folder, or the files of a pattern, cannot be read or written as one table."""

    @classmethod
    def no_parts(cls, path: Path) -> Self:
        return cls(f"{path} is a folder without Parquet files. Name a file, or a folder of .parquet files.")

    @classmethod
    def no_match(cls, path: Path) -> Self:
        return cls(f"{path}: no Parquet file has a name of this pattern. Check the pattern and its folder.")

    @classmethod
    def not_parquet(cls, path: Path, names: Sequence[str]) -> Self:
        n = len(names)
        return cls(
            f"{path}: {n:,} {plural(n, 'file is', 'files are')} not .parquet: {listed(names)}. A folder that is read "
            "as one table holds Parquet files only. Move the others, or choose files by a pattern such as "
            "'folder/*.parquet'."
        )

    @classmethod
    def nested(cls, path: Path, names: Sequence[str]) -> Self:
        return cls(
            f"{path}: there are folders among its files: {listed(names)}. Folders within folders are not read, nor are "
            "tables of Delta or Iceberg. Put all Parquet files of the table into one folder."
        )

    @classmethod
    def other_format(cls, path: Path, declared: str) -> Self:
        return cls(
            f"{path}: several files are read as one table if they are Parquet, and format = '{declared}' is declared. "
            "Name a single file, or convert them to Parquet."
        )

    @classmethod
    def other_columns(cls, part: Path, first: Path, missing: Sequence[str], further: Sequence[str]) -> Self:
        lacks = f" It has no column {listed(repr(name) for name in missing)}." if missing else ""
        more = f" It has a further column {listed(repr(name) for name in further)}." if further else ""
        return cls(
            f"{part} has other columns than {first.name}, the first file of this table.{lacks}{more} Give all files "
            "the same columns, or name those that belong together by a pattern."
        )

    @classmethod
    def too_many(cls, most: int) -> Self:
        return cls(f"A release in a folder has at most {most:,} parts. Write one Parquet file instead.")

    @classmethod
    def target_is_file(cls, path: Path) -> Self:
        return cls(f"{path} is not a folder, and .parts is the extension of a folder. Choose another name.")

    @classmethod
    def foreign_files(cls, path: Path, names: Sequence[str]) -> Self:
        return cls(
            f"{path} holds more than the parts of a release: {listed(names)}. Replacing the folder would remove that. "
            "Move it, or choose another name."
        )

    @classmethod
    def within_release(cls, path: Path) -> Self:
        return cls(f"{path} would be in the folder of the release, which holds its parts only. Choose another folder.")

    @classmethod
    def within_input(cls, path: Path, source: Path) -> Self:
        return cls(f"{path} would become a part of the input {source}. Choose a name in another folder.")
