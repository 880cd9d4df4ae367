"""Persons of a population in the classes of a written release: how many each class may hold, counted from its cells.

a table of the population, classes as they are written -> (n_classes,) persons

A class holds a person if each of its cells holds the value of the person: an interval, span, node or set that contains
it, or an equal value; ``*`` holds every value, and a missing cell those whose value is missing. The cells are read by
the gate's own reader. Classes are counted column by column: all those with the same cell together, and of the
population only the persons that the cells before have left.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from shoal.gate.extent_reader import MICROSECONDS_OF_A_DAY, interval_within, read_extents
from shoal.gate.written_counts import WrittenCounts
from shoal.kernels import Labels, Vector
from shoal.schema import Column
from shoal.schema.extent import AnyExtent, Extent, Interval, Span, TaxonomyNode, Values

NOBODY: Labels = np.zeros(0, dtype=np.int64)


@dataclass(frozen=True, eq=False)
class PersonValues:
    """One quasi-identifier of the population. ``column``: with the order and taxonomy of its values; ``as_extents``:
    whether it is released as extents, or as it is."""

    column: Column
    as_extents: bool
    codes: Labels  # (n_combinations,) number of the value, -1 where missing
    texts: Sequence[str]  # (n_values,)
    numbers: Vector | None  # (n_values,) ascending, dates in days; None: the values are no numbers
    labeled: Mapping[str, Labels]  # a value, or a node of the taxonomy -> the numbers of its values

    @classmethod
    def of(cls, column: Column, counts: WrittenCounts, *, as_extents: bool) -> Self:
        codes, values = counts.codes(column.name)
        numbers = _numbers(values) if column.kind in ("numeric", "date") else None
        if numbers is not None:
            order = np.argsort(numbers)
            codes = np.append(np.argsort(order), -1)[codes]
            numbers, values = numbers[order], values.take(order)
        texts = [str(value) for value in values.to_pylist()]
        path_of = {path[0]: path for path in column.taxonomy.paths} if column.taxonomy else {}
        labeled: dict[str, list[int]] = {}
        for code, text in enumerate(texts):
            for label in dict.fromkeys(path_of.get(text, (text,))):
                labeled.setdefault(label, []).append(code)
        return cls(column, as_extents, codes, texts, numbers, {label: np.array(at) for label, at in labeled.items()})

    def held_by(self, texts: pa.Array[Any]) -> list[Labels | None]:
        """For every written text, and last for a missing cell, the numbers of the values that it holds; None: any."""
        extents = read_extents(texts, self.column).extents
        return [*map(self._held, texts.to_pylist(), extents), np.array([-1])]

    def _held(self, text: str | None, extent: Extent | None) -> Labels | None:
        match extent:
            case _ if not self.as_extents and self.numbers is None:
                return self.labeled.get(str(text), NOBODY)
            case AnyExtent():
                return None
            case _ if self.column.in_grammar and self.column.kind == "ordinal":
                return np.array(
                    [at for at, part in enumerate(self.texts) if interval_within(part, str(text))], dtype=np.int64
                )
            case TaxonomyNode(label):
                return self.labeled.get(label, NOBODY)
            case Interval(low, high, closed) if self.numbers is not None:
                first = 0 if low is None else np.searchsorted(self.numbers, low)
                last = len(self.numbers) if high is None else np.searchsorted(self.numbers, high, _side(closed))
                return np.arange(first, last)
            case Span(values) | Values(values):
                return np.concatenate([NOBODY, *(self.labeled.get(value, NOBODY) for value in values)])
            case _:
                return NOBODY


def _side(closed: bool) -> Any:
    return "right" if closed else "left"


def _numbers(values: pa.Array[Any]) -> Vector:
    """(n_values,) numbers; dates and times in days since 1970."""
    if not (pa.types.is_date(values.type) or pa.types.is_timestamp(values.type)):
        reals: Any = values.cast(pa.float64(), safe=False)
        numbers: Vector = reals.to_numpy(zero_copy_only=False)
        return numbers
    zone = values.type.tz if pa.types.is_timestamp(values.type) else None
    micro: Any = values.cast(pa.timestamp("us", tz=zone), safe=False).cast(pa.int64())
    days: Vector = micro.to_numpy(zero_copy_only=False) / MICROSECONDS_OF_A_DAY
    return days


@dataclass(frozen=True, eq=False)
class Population:
    values: Mapping[str, PersonValues]  # by quasi-identifier
    n: Labels  # (n_combinations,) persons

    @classmethod
    def of(cls, counts: pa.Table, columns: Mapping[str, Column], extents: Collection[str]) -> Self:
        """``counts``: a row per combination; the last column holds its number of persons. ``extents``: the columns that
        are released as such."""
        read = WrittenCounts.of(counts)
        values = {name: PersonValues.of(column, read, as_extents=name in extents) for name, column in columns.items()}
        return cls(values, read.n)

    def in_classes(self, written: WrittenCounts, labels: Labels, columns: Sequence[str]) -> Vector:
        """(n_classes,) persons that each class may hold. ``labels``: the class of every row of ``written``."""
        first = np.unique(labels, return_index=True)[1]
        cells = [_Cells.of(self.values[name], written, name, first) for name in columns if name in self.values]
        cells.sort(key=lambda each: each.n_distinct)
        found, everybody = np.zeros(first.size), np.arange(self.n.size)
        waiting = [(0, everybody, np.arange(first.size))]
        while waiting:
            depth, persons, classes = waiting.pop()
            if depth == len(cells):
                found[classes] = self.n[persons].sum()
                continue
            own = cells[depth].of_class[classes]
            order = np.argsort(own, kind="stable")
            for some in np.split(classes[order], np.flatnonzero(np.diff(own[order])) + 1):
                inside = persons[cells[depth].hold(int(cells[depth].of_class[some[0]]), persons)]
                if inside.size:
                    waiting.append((depth + 1, inside, some))
        return found


@dataclass(frozen=True, eq=False)
class _Cells:
    """The cells of one column."""

    of_class: Labels  # (n_classes,) number of the written text; -1 where missing
    hold: Callable[[int, Labels], NDArray[np.bool_]]  # which of some combinations of the population a cell holds

    @classmethod
    def of(cls, values: PersonValues, written: WrittenCounts, name: str, first: Labels) -> Self:
        codes, texts = written.codes(name)
        held = values.held_by(texts.cast(pa.string()))

        def hold(cell: int, persons: Labels) -> NDArray[np.bool_]:
            some = held[cell]
            return np.ones(persons.size, dtype=bool) if some is None else np.isin(values.codes[persons], some)

        return cls(codes[first], hold)

    @property
    def n_distinct(self) -> int:
        return int(np.unique(self.of_class).size)
