"""ConversionError: cells that are not of the declared kind. Only within this package; the user gets a SourceError."""

from __future__ import annotations

from shoal.sources.compute import Column, pc


class ConversionError(Exception):
    """Some texts are not numbers, or not dates."""

    def __init__(self, expected: str, misfits: Column) -> None:
        super().__init__(expected)
        self.expected = expected
        self.misfits = misfits  # bool (n_records,), null where the cell is missing

    @property
    def n(self) -> int:
        return int(pc.sum(self.misfits).as_py() or 0)

    def first_records(self, most: int) -> list[int]:
        """The first records concerned, counted from 0."""
        found: list[int] = pc.indices_nonzero(pc.fill_null(self.misfits, False)).slice(0, most).to_pylist()
        return found
