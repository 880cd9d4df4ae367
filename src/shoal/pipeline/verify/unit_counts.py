"""Units in a written release as the gate counts them: given separately, by household numbers, or not known."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Generic

import pyarrow as pa
import pyarrow.compute as pc

from shoal.engines.protocol import NO_RECORD, RECORD_ID, Engine, F
from shoal.errors import TableError
from shoal.gate.composition import Compositions, MemberHashes, Siblings
from shoal.gate.numbered_members import (
    is_number_or_text,
    is_numbering,
    n_numbered,
    n_shown_without_household,
)
from shoal.gate.written_counts import WrittenRows
from shoal.gate.written_units import UnitSpellings, units_of_values
from shoal.kernels import Labels
from shoal.policy import ReleasePlan
from shoal.requirements import Requirement
from shoal.schema import Schema
from shoal.schema.helper_columns import COMPOSITION, OWN_UNIT, UNIT
from shoal.total import P


@dataclass(frozen=True)
class ReleaseUnits(Generic[F]):
    """Counts of a written release. ``unit``: the column whose different values are counted; None: records count."""

    engine: Engine[F]
    frame: F  # with the unit of every record, if units are counted
    unit: str | None
    hidden: str | None  # the column of units, if it is not in the release
    household: str | None  # the column whose numbers link the members of a household

    @classmethod
    def of(
        cls, engine: Engine[F], frame: F, schema: Schema, plan: ReleasePlan, units: Labels | None
    ) -> ReleaseUnits[F]:
        """``units``: (n_records,) given separately from the file."""
        column = schema.unit
        if column is None:
            return cls(engine, frame, None, None, None)
        if units is not None and len(units) != frame.n_records:
            raise TableError.unit_count_differs(frame.n_records, len(units))
        if not (plan.shows_units and column.name in frame.names):
            if units is None:
                return cls(engine, frame, None, column.name, None)
            return cls(engine, engine.map_rows(frame, partial(_with_given_units, units)), column.name, None, None)
        spellings = UnitSpellings.of(column, engine.group_counts(frame, [column.name]).column(0))
        frame = engine.map_rows(frame, spellings.fill) if spellings else frame
        for name in (c.name for c in schema.columns if c.level and c.name in frame.names):
            rows = engine.class_total(frame, [column.name], [name], WrittenRows)
            siblings = Siblings.of(rows.table, name, column.name)
            frame = engine.map_rows(frame, siblings.fill)
        if units is not None:
            add_units = partial(_with_given_units, units)
        else:
            values = engine.group_counts(frame, [column.name]).column(0).drop_null().combine_chunks()
            add_units = partial(_with_shown_units, column.name, values)
        household = column.name if plan.links_households else None
        return cls(engine, engine.map_rows(frame, add_units), column.name, None, household)

    def class_total(self, columns: Sequence[str], values: Sequence[str], of: Callable[[pa.Table], P]) -> P:
        """The total over classes, with the unit and, where members are linked, the composition of the household."""
        if self.unit is None:
            return self.engine.class_total(self.frame, columns, values, of)
        if self.household is None:
            return self.engine.class_total(self.frame, columns, [*values, UNIT], of)
        return self._by_composition(self.frame, self.household, columns, values, of)

    def class_total_of_units(self, columns: Sequence[str], values: Sequence[str], of: Callable[[pa.Table], P]) -> P:
        """The same with the composition of every unit, although the release need not show it: whoever knows all records
        of a unit can compare their classes."""
        return self._by_composition(self.engine.map_rows(self.frame, _add_own_units), OWN_UNIT, columns, values, of)

    def _by_composition(
        self, frame: F, name: str, columns: Sequence[str], values: Sequence[str], of: Callable[[pa.Table], P]
    ) -> P:
        """The total over classes that include the composition of the household or unit in column ``name``."""
        hashes = self.engine.class_total(frame, [name], columns, partial(MemberHashes.of, tuple(columns)))
        compositions = Compositions.of(hashes)
        marked_frame = self.engine.map_rows(frame, partial(_with_composition, compositions, name))
        return self.engine.class_total(marked_frame, [*columns, COMPOSITION], [*values, UNIT], of)

    def shown_numberings(self, names: Sequence[str]) -> Iterator[tuple[str, int]]:
        """Columns that number the members of units, with the number of records that show it without a household."""
        types = self.engine.sample(self.frame, NO_RECORD)
        for name in (name for name in names if self.unit and name in self.frame.names):
            if is_number_or_text(types[name].type) and is_numbering(
                self.engine.class_total(self.frame, [UNIT], [name], n_numbered)
            ):
                yield name, self._n_shown_without_household(name)

    def _n_shown_without_household(self, name: str) -> int:
        """Records that show a value of a column, and not the household."""
        if self.household:
            return self.engine.class_total(self.frame, [self.household], [name], n_shown_without_household)
        nowhere = self.engine.map_rows(self.frame, _without_units)
        return self.engine.class_total(nowhere, [UNIT], [name], n_shown_without_household)

    def value_counts(self, name: str, of: Callable[[pa.Table], P]) -> P:
        """The total over the values of a column, by unit."""
        return self.engine.class_total(self.frame, [name], [UNIT] if self.unit else [], of)

    def n_units(self, name: str) -> pa.Table | None:
        """Values of a column, and the number of different units with each; None if units are not known."""
        return self.value_counts(name, units_of_values).table if self.unit else None

    def provable(self, requirements: Sequence[Requirement]) -> list[Requirement]:
        """The requirements that can be proved. If units are hidden, these are the ones that hold for records whenever
        they hold for units; shares of units cannot be derived from records."""
        return [requirement for requirement in requirements if self.hidden is None or requirement.of_records]

    @property
    def notes(self) -> tuple[str, ...]:
        return (_hidden_units_note(self.hidden),) if self.hidden else ()


def _hidden_units_note(name: str) -> str:
    return (
        f"{name} is not in the release, so its units cannot be counted: sizes of classes and numbers of distinct "
        f"values were proved for records, shares of values were not. The run that produced the release counted units."
    )


def _with_given_units(units: Labels, piece: pa.Table) -> pa.Table:
    numbers = units[piece[RECORD_ID].to_numpy()]
    return piece.append_column(UNIT, pa.array(numbers, pa.int64(), mask=numbers < 0))


def _with_composition(compositions: Compositions, name: str, piece: pa.Table) -> pa.Table:
    return piece.append_column(COMPOSITION, compositions.of_cells(piece[name]))


def _without_units(piece: pa.Table) -> pa.Table:
    return piece.set_column(piece.column_names.index(UNIT), UNIT, pa.nulls(len(piece), pa.int64()))


def _add_own_units(piece: pa.Table) -> pa.Table:
    """A record without a unit gets a number that no unit has."""
    own = pc.subtract(pa.scalar(-1, pa.int64()), piece[RECORD_ID].cast(pa.int64()))
    return piece.append_column(OWN_UNIT, pc.coalesce(piece[UNIT], own))


def _with_shown_units(name: str, values: pa.Array[Any], piece: pa.Table) -> pa.Table:
    numbers: Any = pc.index_in(piece[name], value_set=values)
    return piece.append_column(UNIT, numbers.cast(pa.int64()))
