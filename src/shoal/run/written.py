"""The tables of a release, read again: what every check of the gate looks at, whatever the representation."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Generic

import pyarrow as pa

from shoal.engines.memory import MemoryEngine, MemoryFrame
from shoal.engines.protocol import Engine, F
from shoal.errors import PolicyError
from shoal.policy import ReleasePlan
from shoal.release.anatomy_gate import COUNT, GROUP
from shoal.schema import Schema
from shoal.sources import CellKind, ReadOptions


@dataclass(frozen=True)
class Written(Generic[F]):
    """The table of records and, of an anatomy, the sensitive table."""

    engine: Engine[F]
    records: F
    second: MemoryFrame | None = None

    @classmethod
    def read(
        cls, source: Any, options: ReadOptions, plan: ReleasePlan, engine: Engine[F], sensitive: Any = None
    ) -> Written[F]:
        """Sensitive values that are asked about by their kind, all that classes are told by as text."""
        by_kind = {name: plan.columns[name].cells for name in plan.sensitive_read}
        if not plan.representation.separates_sensitive:
            known: dict[str, CellKind] = {
                end: "text"
                for name, column in plan.columns.items()
                if column.role == "quasi_identifier"
                for end in (name, *column.ends)
            }
            return cls(engine, engine.read(source, options, columns=None, kinds=known | by_kind))
        if sensitive is None:
            raise PolicyError.no_second_table()
        records = engine.read(source, options, columns=None, kinds={GROUP: "text"})
        kinds: dict[str, CellKind] = {
            name: column.cells for name, column in plan.columns.items() if column.is_separated
        }
        kinds |= {GROUP: "text", COUNT: "numeric"}
        return cls(engine, records, MemoryEngine().read(sensitive, options, columns=None, kinds=kinds))

    @property
    def sensitive(self) -> pa.Table:
        """Of an anatomy: its sensitive table."""
        assert self.second is not None, "an anatomy has one"
        return self.second.table.select(list(self.second.names))

    def __contains__(self, name: object) -> bool:
        return name in self.records.names or (self.second is not None and name in self.second.names)

    @property
    def dropped(self) -> tuple[str, ...]:
        """What was found besides the columns."""
        return (*self.records.origin.dropped, *(self.second.origin.dropped if self.second else ()))

    def can_be_counted(self, schema: Schema, plan: ReleasePlan) -> bool:
        """Whether all columns are there that classes and requirements are told by."""
        if self.second is None:
            return {*schema.quasi_identifiers, *plan.sensitive_read} <= set(self.records.names)
        return GROUP in self.records.names and {GROUP, COUNT, *schema.sensitive} <= set(self.second.names)

    def value_counts(self, name: str) -> pa.Table:
        """A row per value of a column, and last in how many rows of its table it stands."""
        if self.second is None or name in self.records.names:
            return self.engine.group_counts(self.records, [name])
        return MemoryEngine().group_counts(self.second, [name])

    def values(self, name: str) -> pa.ChunkedArray[Any]:
        """The different values of a column."""
        return self.value_counts(name).column(0)

    @property
    def members(self) -> pa.Table:
        """Of an anatomy: the groups of its records, and last how many each has."""
        return self.engine.group_counts(self.records, [GROUP])
