"""The two tables of an anatomy: records with the number of their group, and the sensitive values of every group.

cells of both tables -> faults of their link; the second table with a row for every record
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from shoal.verifier.cells import Cells
from shoal.verifier.counting import Counter
from shoal.verifier.policy import Asked

GROUP, COUNT = "group", "count"


def beside(release: Path) -> Path | None:
    """The second table beside the first."""
    suffixes = "".join(release.suffixes)
    found = release.with_name(f"{release.name.removesuffix(suffixes)}.sensitive{suffixes}")
    return found if found.exists() else None


def link_faults(first: Counter, second: Counter, asked: Asked) -> Iterator[str]:
    """Every group is in both tables with as many records, and every combination of values is counted once."""
    group, of_values = first.cells.at(GROUP), second.cells.at(GROUP)
    count = second.cells.at(COUNT)
    [(n_odd,)] = second.rows(
        f"SELECT count(*) FROM {second.cells.table} WHERE {of_values} IS NULL "
        f"OR coalesce(TRY_CAST({count} AS DOUBLE), 0) < 1 OR CAST({count} AS DOUBLE) <> floor(CAST({count} AS DOUBLE))"
    )
    [(n_nameless,)] = first.rows(f"SELECT count(*) FROM {first.cells.table} WHERE {group} IS NULL")
    if n_odd or n_nameless:
        yield f"{n_odd + n_nameless} rows have no group, or no count above 0"
        return
    [(n_other,)] = first.rows(
        f"SELECT count(*) FROM (SELECT {group} AS g, count(*) AS n FROM {first.cells.table} GROUP BY g) a FULL JOIN "
        f"(SELECT {of_values} AS g, sum(CAST({count} AS DOUBLE)) AS n FROM {second.cells.table} GROUP BY g) b "
        "USING (g) WHERE a.n IS DISTINCT FROM b.n"
    )
    if n_other:
        yield f"{n_other} groups are in one of the two tables alone, or have another number of records there"
    values = ", ".join(second.cells.at(name) for name in (GROUP, *asked.sensitive))
    [(n_twice,)] = second.rows(
        f"SELECT count(*) FROM (SELECT {values} FROM {second.cells.table} GROUP BY {values} HAVING count(*) > 1)"
    )
    if n_twice:
        yield f"{n_twice} rows of the second table repeat another row"
    within = [first.cells.at(name) for name in asked.within if name in first.cells]
    if within:
        [(n_split,)] = first.rows(
            f"SELECT count(*) FROM (SELECT {group} FROM (SELECT DISTINCT {group}, {', '.join(within)} FROM "
            f"{first.cells.table}) GROUP BY {group} HAVING count(*) > 1)"
        )
        if n_split:
            yield f"{n_split} groups have records of several strata"


def expanded(second: Counter) -> Counter:
    """The second table with a row for every record that it counts."""
    table, count = second.cells.table, second.cells.at(COUNT)
    second.make(
        "expanded",
        f"SELECT row_number() OVER () - 1 AS r, * EXCLUDE (r, one) FROM "
        f"(SELECT *, unnest(range(CAST(CAST({count} AS DOUBLE) AS BIGINT))) AS one FROM {table})",
    )
    [(n,)] = second.rows("SELECT count(*) FROM expanded")
    return replace(second, cells=Cells("expanded", second.cells.names, n, second.cells.reader))
