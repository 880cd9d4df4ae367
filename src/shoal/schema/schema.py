"""The columns of a table together: every one has exactly one role."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from shoal.errors import PolicyError
from shoal.schema.column import Column, Role


@dataclass(frozen=True)
class Schema:
    columns: tuple[Column, ...]

    def __init__(self, columns: Iterable[Column]) -> None:
        object.__setattr__(self, "columns", tuple(columns))
        seen: dict[str, Column] = {}
        for column in self.columns:
            if column.name in seen:
                raise PolicyError.two_roles(column.name, seen[column.name].role, column.role)
            seen[column.name] = column

    def __getitem__(self, name: str) -> Column:
        for column in self.columns:
            if column.name == name:
                return column
        raise PolicyError.unknown_column("the schema", name, self.names)

    def __contains__(self, name: object) -> bool:
        return name in self.names

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(column.name for column in self.columns)

    def with_role(self, role: Role) -> tuple[Column, ...]:
        return tuple(column for column in self.columns if column.role == role)

    @property
    def quasi_identifiers(self) -> tuple[str, ...]:
        return tuple(column.name for column in self.with_role("quasi_identifier"))

    @property
    def sensitive(self) -> tuple[str, ...]:
        return tuple(column.name for column in self.with_role("sensitive"))

    def check_names(self, table_names: Sequence[str]) -> None:
        """Schema and table name the same columns: nothing is released that nobody gave a role."""
        for name in self.names:
            if name not in table_names:
                raise PolicyError.unknown_column(f"columns.{name}", name, table_names)
        unlisted = [name for name in table_names if name not in self.names]
        if unlisted:
            raise PolicyError.unlisted_columns(unlisted)
