"""A cut tree as a SQL expression in the DuckDB dialect: nested CASE expressions.

Every WHEN states its condition and there is no ELSE: a value that the tree does not cover gets NULL.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from shoal.plan.domain import CategoricalDomain, CodeRanges, Domain, NumericDomain
from shoal.schema.time_unit import days_to_microseconds

if TYPE_CHECKING:
    from shoal.plan.cut_tree import CutTree


def tree_to_sql(tree: CutTree) -> str:
    found: dict[int, str] = {int(node): str(block) for block, node in enumerate(tree.blocks)}
    cases: dict[int, list[str]] = {}
    for node in range(tree.n_nodes - 1, -1, -1):  # children before their parents
        if node in cases:
            found[node] = f"CASE {' '.join(reversed(cases.pop(node)))} END"
        if node:
            column = int(tree.cut_on[node])
            wanted = _condition(tree.domains[column], tree.parts[column][int(tree.part_of[node])])
            cases.setdefault(int(tree.parents[node]), []).append(f"WHEN {wanted} THEN {found.pop(node)}")
    return found[0]


def _condition(domain: Domain, part: CodeRanges) -> str:
    name = '"' + domain.name.replace('"', '""') + '"'
    if part.ranges == ((domain.n_values, domain.n_codes),):
        return f"{name} IS NULL"
    if part.ranges == ((0, domain.n_codes),):
        return "TRUE" if domain.has_missing else f"{name} IS NOT NULL"
    if isinstance(domain, NumericDomain):
        return _between(name, domain, *part.ranges[0])
    assert isinstance(domain, CategoricalDomain)
    values = [value for start, stop in part.ranges for value in domain.values[start:stop]]
    return f"CAST({name} AS VARCHAR) IN ({', '.join(_spellings(value) for value in values)})"


def _between(name: str, domain: NumericDomain, start: int, stop: int) -> str:
    above = [f"{name} >= {_literal(domain, domain.cuts[start - 1])}"] if start else []
    below = [f"{name} < {_literal(domain, domain.cuts[stop - 1])}"] if stop < domain.n_values else []
    return " AND ".join(above + below) or f"{name} IS NOT NULL"


def _literal(domain: NumericDomain, cut: float) -> str:
    if not domain.is_date:
        return f"CAST('{cut!r}' AS DOUBLE)"
    moment = datetime(1970, 1, 1) + timedelta(microseconds=days_to_microseconds(cut))
    return f"TIMESTAMP '{moment}'"


def _spellings(value: str) -> str:
    """SQL literals of a value; for booleans also in lower case, as SQL writes them."""
    texts = (value, value.lower()) if value in ("True", "False") else (value,)
    return ", ".join("'" + text.replace("'", "''") + "'" for text in texts)
