"""Errors of reference datasets and generators of data."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Self

from shoal.errors.base import ShoalError, listed


class DatasetError(ShoalError):
    """A reference dataset is missing or differs from the published one, or a generator got an invalid argument."""

    @classmethod
    def missing(cls, file: str, named: Path | None, cache: Path, origin: str) -> Self:
        given = f"the folder of SHOAL_DATA ({named})" if named else "the folder of SHOAL_DATA (not set)"
        return cls(
            f"{file}: not found in {given} nor in the cache ({cache}). Shoal never opens a network "
            f"connection, so bring it there yourself, under this very name and subfolder. Origin: {origin}"
        )

    @classmethod
    def unreadable(cls, path: Path, n_columns: int, delimiter: str) -> Self:
        return cls(
            f"{path}: cannot be read as a table of {n_columns} columns separated by '{delimiter}'. "
            f"Bring the published file again."
        )

    @classmethod
    def no_columns(cls, path: Path, names: Sequence[str]) -> Self:
        return cls(f"{path}: the published columns {listed(names)} are not there. Bring the published file again.")

    @classmethod
    def other_records(cls, path: Path, n_records: int, published: int) -> Self:
        return cls(f"{path}: {n_records} records, the published set has {published}. Bring the published file again.")

    @classmethod
    def other_content(cls, path: Path, names: Sequence[str]) -> Self:
        return cls(
            f"{path}: the shape is right, but these columns differ from the published ones: {listed(names)}. "
            f"Bring the published file again, with its records in their order."
        )

    @classmethod
    def other_taxonomy(cls, path: Path) -> Self:
        return cls(f"{path}: not the published hierarchy. Bring the published file again.")

    @classmethod
    def bad_argument(cls, name: str, wanted: str, got: object) -> Self:
        return cls(f"{name} must be {wanted}, got {got!r}.")
