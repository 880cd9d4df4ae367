"""Carriers: who holds lots of records and applies functions to them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Protocol, TypeVar

import pyarrow as pa

from shoal.kernels import Labels

LotFunction = Callable[[Iterator[pa.Table]], Iterator[pa.Table]]  # of all lots of one task
PartFunction = Callable[[pa.Table], Labels]  # (n_records,) the part of each record

R = TypeVar("R")


class Opener(Protocol):
    """The records of one task, read where it runs."""

    @property
    def n_records(self) -> int | None: ...  # None: not known

    def only(self, names: Sequence[str]) -> Opener: ...  # these columns

    def __call__(self) -> Iterator[pa.Table]: ...


class Lots(Protocol):
    """Lots in tasks, in their order; opaque to all other code."""

    @property
    def n_tasks(self) -> int: ...

    @property
    def n_records(self) -> int | None: ...  # None: not known without reading them


L = TypeVar("L", bound=Lots)


class LotCarrier(Protocol[L]):
    """All functions are pickled and run where the lots are."""

    name: str

    def close(self) -> None:
        """Forgets what it stored, and stops workers of its own."""
        ...

    def opened(self, openers: Sequence[Opener]) -> L:
        """One task for each opener; nothing is read yet."""
        ...

    def only(self, lots: L, names: Sequence[str]) -> L:
        """The same records with these columns; others are not read where no function needs them."""
        ...

    def mapped(self, lots: L, fn: LotFunction) -> L:
        """``fn`` applied to the lots of every task, whenever they are read."""
        ...

    def to_parts(self, lots: L, part_of: PartFunction, n_parts: int) -> L:
        """The same records in ``n_parts`` tasks, each with all records of its part."""
        ...

    def kept(self, lots: L) -> L:
        """The same lots after all functions, stored so that they are not applied again."""
        ...

    def results(self, lots: L, of: Callable[[Iterator[pa.Table]], R]) -> Iterator[R]:
        """A small result of every task, in the order of the tasks."""
        ...

    def tables(self, lots: L) -> Iterator[pa.Table]:
        """All lots, in the order of the tasks, one after the other."""
        ...

    def first(self, lots: L) -> pa.Table:
        """The first lot, for its types."""
        ...
