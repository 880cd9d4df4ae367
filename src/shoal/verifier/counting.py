"""Counting: classes of the released records, by SQL that anybody can read.

the table of cells -> a table of members: k (class), u (unit), s (value of one column), one row for every record

Records are in one class if their quasi-identifiers, and the columns of ``within``, are written alike; a missing cell is
like a missing cell alone. Where a release shows units, units are counted: a record without one is a unit of its own.
Whoever knows all members of a household knows which classes they are in, so a class is divided by households whose
members are in the same classes.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import duckdb

from shoal.verifier.cells import Cells
from shoal.verifier.policy import Asked
from shoal.verifier.readings import Reading, plain, reader


@dataclass(frozen=True)
class Counter:
    """The records of the release in the database."""

    at: duckdb.DuckDBPyConnection
    cells: Cells
    counts_units: bool  # a table ``units`` (r, u) says whose each record is
    queries: list[str]  # all that were run, for whoever wants to repeat them

    def run(self, query: str) -> None:
        self.queries.append(query)
        self.at.execute(query)

    def make(self, table: str, query: str) -> None:
        self.run(f"CREATE OR REPLACE TEMP TABLE {table} AS {query}")

    def rows(self, query: str) -> list[tuple[Any, ...]]:
        self.queries.append(query)
        return [tuple(row) for row in self.at.execute(query).fetchall()]

    @property
    def size(self) -> str:
        """What is counted of some members."""
        return "count(DISTINCT u)" if self.counts_units else "count(*)"

    def texts(self, name: str) -> list[str]:
        """The different texts of a column."""
        cell = self.cells.at(name)
        found = self.rows(f"SELECT DISTINCT {cell} FROM {self.cells.table} WHERE {cell} IS NOT NULL")
        return [str(text) for (text,) in found]

    @contextmanager
    def mapped(self, numbers: Sequence[tuple[str, object]], kind: str) -> Iterator[str]:
        """A table of texts and what each stands for."""
        self.at.execute(f"CREATE OR REPLACE TEMP TABLE mapped (t VARCHAR, x {kind})")
        for start in range(0, len(numbers), 50_000):
            some = numbers[start : start + 50_000]
            texts, values = [text for text, _ in some], [value for _, value in some]
            self.at.execute(f"INSERT INTO mapped SELECT unnest(?::VARCHAR[]), unnest(?::{kind}[])", [texts, values])
        yield "mapped"
        self.at.execute("DROP TABLE mapped")

    def make_classes(self, names: Sequence[str], *, by_household: bool) -> None:
        """The table ``members`` (r, k, u): the class of every record on these columns."""
        table, cells = self.cells.table, [self.cells.at(name) for name in names]
        listed = ", ".join(cells)
        same = " AND ".join(f"t.{cell} IS NOT DISTINCT FROM c.{cell}" for cell in cells)
        whose = "u.u" if self.counts_units else "t.r"
        units = "JOIN units u ON u.r = t.r" if self.counts_units else ""
        self.make("classes", f"SELECT {listed}, row_number() OVER () AS k FROM {table} GROUP BY {listed}")
        self.make("members", f"SELECT t.r, c.k, {whose} AS u FROM {table} t JOIN classes c ON {same} {units}")
        if by_household:
            self.make("households", "SELECT u, list_sort(list(k)) AS members FROM members WHERE u >= 0 GROUP BY u")
            self.make(
                "members",
                "SELECT r, dense_rank() OVER (ORDER BY k, h.members) AS k, m.u "
                "FROM members m LEFT JOIN households h ON h.u = m.u",
            )

    def make_values(self, name: str, reading: Reading) -> None:
        """The table ``valued`` (k, u, s): the members with the values of a column; s is NULL where it is not known."""
        cell = self.cells.at(name)
        with self.mapped(list(reading.number.items()), "BIGINT") as mapped:
            self.make(
                "valued",
                f"SELECT m.k, m.u, v.x AS s FROM members m "
                f"JOIN {self.cells.table} t ON t.r = m.r LEFT JOIN {mapped} v ON v.t = t.{cell}",
            )

    def make_amounts(self, name: str, amounts: Sequence[tuple[str, object]]) -> None:
        """The table ``valued`` (k, u, x): the members with the numbers of a column."""
        cell = self.cells.at(name)
        with self.mapped(amounts, "DOUBLE") as mapped:
            self.make(
                "valued",
                f"SELECT m.k, m.u, v.x FROM members m "
                f"JOIN {self.cells.table} t ON t.r = m.r LEFT JOIN {mapped} v ON v.t = t.{cell}",
            )

    def make_units(self, name: str, asked: Asked) -> None:
        """The table ``units`` (r, u): numbers of units from 0 on, by how they read; -1 - r for a record without one."""
        cell, column = self.cells.at(name), asked.columns[name]
        unknown = {plain(word) for word in asked.missing}
        read = reader(column, asked.date_format)
        first: dict[Hashable, int] = {}
        numbers: list[tuple[str, object]] = []
        for text in sorted(self.texts(name)):
            unit = text if column.as_written and not column.is_number else read(text)
            numbers.append((text, None if plain(text) in unknown else first.setdefault(unit, len(first))))
        with self.mapped(numbers, "BIGINT") as mapped:
            self.make(
                "units",
                f"SELECT t.r, coalesce(v.x, -1 - t.r) AS u FROM {self.cells.table} t "
                f"LEFT JOIN {mapped} v ON v.t = t.{cell}",
            )

    def fill_shared(self, name: str) -> None:
        """What one member of a household shows, the others show, too."""
        table, cell = self.cells.table, self.cells.at(name)
        self.run(
            f"UPDATE {table} SET {cell} = shown.x FROM units m, (SELECT u, min({cell}) AS x FROM {table} t "
            f"JOIN units USING (r) WHERE u >= 0 AND {cell} IS NOT NULL GROUP BY u) shown "
            f"WHERE {table}.r = m.r AND m.u = shown.u AND {table}.{cell} IS NULL"
        )

    def wildcard_sizes(self, names: Sequence[str]) -> list[tuple[Any, ...]]:
        """(size, records) of every class where a missing cell may be any value: records that match it."""
        table, cells = self.cells.table, [self.cells.at(name) for name in names]
        pattern = " || ".join(f"CASE WHEN {cell} IS NULL THEN '0' ELSE '1' END" for cell in cells)
        listed = ", ".join(cells)
        self.make(
            "classes",
            f"SELECT {listed}, row_number() OVER () AS k, {pattern} AS p, count(*) AS n FROM {table} GROUP BY {listed}",
        )
        patterns = [str(p) for (p,) in self.rows("SELECT DISTINCT p FROM classes ORDER BY p")]
        parts = []
        for here in patterns:
            for there in patterns:
                both = [cell for cell, a, b in zip(cells, here, there, strict=True) if a == b == "1"]
                shared = ", ".join(both)
                known = f"(SELECT {shared}{',' if both else ''} sum(n) AS n FROM classes WHERE p = '{there}' "
                known += f"GROUP BY {shared})" if both else ")"
                on = " AND ".join(f"a.{cell} = b.{cell}" for cell in both) or "true"
                parts.append(f"SELECT a.k, b.n FROM classes a JOIN {known} b ON {on} WHERE a.p = '{here}'")
        matching = " UNION ALL ".join(parts)
        return (
            self.rows(
                "SELECT size, sum(n), count(*) FROM (SELECT c.k, c.n, sum(m.n) AS size FROM classes c "
                f"JOIN ({matching}) m "
                "ON m.k = c.k GROUP BY c.k, c.n) GROUP BY size"
            )
            if patterns
            else []
        )
