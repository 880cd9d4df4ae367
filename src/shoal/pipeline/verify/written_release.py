"""The tables of a written release, read again for verification; the same for all representations."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Generic

import pyarrow as pa

from shoal.engines.memory import MemoryEngine, MemoryFrame
from shoal.engines.protocol import Engine, F
from shoal.errors import PolicyError
from shoal.gate.anatomy import COUNT, GROUP
from shoal.policy import Policy, ReleasePlan
from shoal.schema import Schema
from shoal.sources import CellKind, ReadOptions


def release_read_options(policy: Policy) -> ReadOptions:
    """Read options of a written release: UTF-8, a header, one sheet, one marker of missing values, CSV quotes, the
    format of its extension; cells are compared with all of their blanks, and no number has marks of thousands."""
    options = policy.source
    changes = {
        "format": None,
        "encoding": None,
        "header": True,
        "names": None,
        "sheet": None,
        "missing": ("",) if "" in options.missing else options.missing[:1],
        "quote": options.quote or '"',
        "decimal": options.decimal_mark if options.thousands else options.decimal,
        "thousands": None,
        "trim": False,
        "apostrophes": policy.output.spreadsheet_safe,
    }
    return options.model_copy(update=changes)


@dataclass(frozen=True)
class WrittenRelease(Generic[F]):
    """The table of records and, for an anatomy, the sensitive table."""

    engine: Engine[F]
    records: F
    second: MemoryFrame | None = None

    @classmethod
    def read(
        cls, source: Any, options: ReadOptions, plan: ReleasePlan, engine: Engine[F], sensitive: Any = None
    ) -> WrittenRelease[F]:
        """Reads the columns that define classes, and recoded ones, as text, and sensitive columns of requirements by
        their kind."""
        by_kind = {name: plan.columns[name].cells for name in plan.sensitive_in_requirements}
        recoded: dict[str, CellKind] = dict.fromkeys(plan.recoded, "text")
        if not plan.representation.separates_sensitive:
            known: dict[str, CellKind] = {
                end: "text"
                for name, column in plan.columns.items()
                if column.role == "quasi_identifier"
                for end in (name, *column.ends)
            }
            return cls(engine, engine.read(source, options, columns=None, kinds=recoded | known | by_kind))
        if sensitive is None:
            raise PolicyError.no_second_table()
        records = engine.read(source, options, columns=None, kinds={**recoded, GROUP: "text"})
        kinds: dict[str, CellKind] = {
            name: column.cells for name, column in plan.columns.items() if column.is_separated
        }
        kinds |= {GROUP: "text", COUNT: "numeric"}
        return cls(engine, records, MemoryEngine().read(sensitive, options, columns=None, kinds=kinds))

    @property
    def sensitive(self) -> pa.Table:
        """The sensitive table of an anatomy."""
        assert self.second is not None, "an anatomy has one"
        return self.second.table.select(list(self.second.names))

    def __contains__(self, name: object) -> bool:
        return name in self.records.names or (self.second is not None and name in self.second.names)

    @property
    def dropped(self) -> tuple[str, ...]:
        """Contents of the files other than columns."""
        return (*self.records.origin.dropped, *(self.second.origin.dropped if self.second else ()))

    def can_be_counted(self, schema: Schema, plan: ReleasePlan) -> bool:
        """Whether all columns needed for classes and requirements exist."""
        if self.second is None:
            return {*schema.quasi_identifiers, *plan.sensitive_in_requirements} <= set(self.records.names)
        return GROUP in self.records.names and {GROUP, COUNT, *schema.sensitive} <= set(self.second.names)

    def value_counts(self, name: str) -> pa.Table:
        """One row per value of a column; last the number of rows of its table with this value."""
        if self.second is None or name in self.records.names:
            return self.engine.group_counts(self.records, [name])
        return MemoryEngine().group_counts(self.second, [name])

    def values(self, name: str) -> pa.ChunkedArray[Any]:
        """The different values of a column."""
        return self.value_counts(name).column(0)

    @property
    def members(self) -> pa.Table:
        """The groups of an anatomy; last the number of records of each."""
        return self.engine.group_counts(self.records, [GROUP])
