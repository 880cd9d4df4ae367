"""Totals over all records: what adds up from pieces of any size, in any order, wherever the records are.

A function from a piece to its part of a total is a frozen value that can be pickled, since it is applied where the
piece is; parts are added by ``+``. The part of a piece without records is the neutral element.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

import pyarrow as pa


class Part(Protocol):
    def __add__(self, other: Any, /) -> Any: ...


P = TypeVar("P", bound=Part)


class Total(Protocol):
    """The total of ``of`` over these columns of all records; the column of their ids may be among them."""

    def __call__(self, columns: Sequence[str], of: Callable[[pa.Table], P], /) -> P: ...


class TotalOfClasses(Protocol):
    """The total of ``of`` over tables with a row per combination of ``columns`` and ``values`` that occurs, and last
    its number of records. All records that are equal on ``columns``, which are a class, are in one table."""

    def __call__(self, columns: Sequence[str], values: Sequence[str], of: Callable[[pa.Table], P], /) -> P: ...


@dataclass(frozen=True)
class ByColumn(Generic[P]):
    """A part of every column."""

    parts: Mapping[str, P]

    def __add__(self, other: ByColumn[P]) -> ByColumn[P]:
        return ByColumn({name: part + other.parts[name] for name, part in self.parts.items()})

    def __getitem__(self, name: str) -> P:
        return self.parts[name]


@dataclass(frozen=True)
class OfColumns(Generic[P]):
    """The parts of several columns in one pass, each by a function of the piece."""

    functions: Mapping[str, Callable[[pa.Table], P]]

    def __call__(self, piece: pa.Table) -> ByColumn[P]:
        return ByColumn({name: of(piece) for name, of in self.functions.items()})


def total_of_table(table: pa.Table) -> Total:
    """Totals over a table in memory."""

    def total(columns: Sequence[str], of: Callable[[pa.Table], P]) -> P:
        return of(table.select(list(columns)))

    return total
