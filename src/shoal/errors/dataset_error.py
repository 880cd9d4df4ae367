"""Errors of reference datasets and generators of data."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Self

from shoal.errors.base import ShoalError, listed

AGAIN = "Copy the published file again."


class DatasetError(ShoalError):
    """A reference dataset is missing or differs from the published one, or a generator got an invalid argument."""

    @classmethod
    def missing(cls, file: str, named: Path | None, cache: Path, origin: str) -> Self:
        given = f"the folder of SHOAL_DATA ({named})" if named else "the folder of SHOAL_DATA (not set)"
        return cls(
            f"{file}: not found, neither in {given} nor in the cache ({cache}). Shoal never opens a network "
            f"connection: copy the file there yourself, with this name and subfolder. Origin: {origin}"
        )

    @classmethod
    def unreadable(cls, path: Path, n_columns: int, delimiter: str) -> Self:
        return cls(f"{path}: cannot be read as a table of {n_columns} columns separated by '{delimiter}'. {AGAIN}")

    @classmethod
    def no_columns(cls, path: Path, names: Sequence[str]) -> Self:
        return cls(f"{path}: the published columns {listed(names)} are missing. {AGAIN}")

    @classmethod
    def other_records(cls, path: Path, n_records: int, published: int) -> Self:
        return cls(f"{path}: {n_records} records, but the published set has {published}. {AGAIN}")

    @classmethod
    def other_content(cls, path: Path, names: Sequence[str]) -> Self:
        return cls(
            f"{path}: the shape is right, but these columns differ from the published ones: {listed(names)}. "
            f"Copy the published file again, with its records in their original order."
        )

    @classmethod
    def other_taxonomy(cls, path: Path) -> Self:
        return cls(f"{path}: this is not the published hierarchy. {AGAIN}")

    @classmethod
    def bad_argument(cls, name: str, expected: str, got: object) -> Self:
        return cls(f"{name} must be {expected}, got {got!r}.")
