"""The schema of a table: all of its columns, each with exactly one role."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from shoal.errors import PolicyError
from shoal.schema.column import Column, Role
from shoal.schema.grid import Grid


@dataclass(frozen=True)
class Schema:
    columns: tuple[Column, ...]
    _by_name: dict[str, Column] = field(init=False, repr=False, compare=False)

    def __init__(self, columns: Iterable[Column]) -> None:
        object.__setattr__(self, "columns", tuple(columns))
        seen: dict[str, Column] = {}
        for column in self.columns:
            if column.name in seen:
                raise PolicyError.two_roles(column.name, seen[column.name].role, column.role)
            seen[column.name] = column
        object.__setattr__(self, "_by_name", seen)

    def __getitem__(self, name: str) -> Column:
        if name not in self._by_name:
            raise PolicyError.unknown_column("the schema", name, self.names)
        return self._by_name[name]

    def __contains__(self, name: object) -> bool:
        return name in self._by_name

    @cached_property
    def names(self) -> tuple[str, ...]:
        return tuple(self._by_name)

    def with_role(self, role: Role) -> tuple[Column, ...]:
        return tuple(column for column in self.columns if column.role == role)

    @cached_property
    def quasi_identifiers(self) -> tuple[str, ...]:
        return tuple(column.name for column in self.with_role("quasi_identifier"))

    @cached_property
    def sensitive(self) -> tuple[str, ...]:
        return tuple(column.name for column in self.with_role("sensitive"))

    @cached_property
    def unit(self) -> Column | None:
        """The column that assigns records to units (households), which requirements count; None: each record is one."""
        return next(iter((*self.with_role("household"), *self.with_role("unit"))), None)

    @property
    def units_are_persons(self) -> bool:
        """Whether all records of a unit are of one person, patient or firm: not so in a household."""
        return self.unit is not None and self.unit.role == "unit"

    @property
    def grids(self) -> dict[str, Grid]:
        """The grids of the columns that have one, by name."""
        return {column.name: column.grid for column in self.columns if column.grid is not None}

    def check_names(self, table_names: Sequence[str]) -> None:
        """Raises PolicyError unless schema and table have the same columns: no column is released without a role."""
        there, ours = set(table_names), set(self.names)
        if not self.is_schema_of(table_names):
            raise PolicyError.other_columns(self.names, table_names)
        for name in self.names:
            if name not in there:
                raise PolicyError.unknown_column(f"columns.{name}", name, table_names)
        unlisted = [name for name in table_names if name not in ours]
        if unlisted:
            raise PolicyError.unlisted_columns(unlisted)

    def is_schema_of(self, table_names: Iterable[str]) -> bool:
        """Whether at least half of the columns are among ``table_names``; if not, these may be cells of a record."""
        return 2 * len(set(self.names) & set(table_names)) >= len(self.names)
