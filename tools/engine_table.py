"""Writes the table of docs/engines.md: which engine is tested for what, from the contract tests.

A test with the fixture ``engine`` runs on every engine; one with the parameter ``large`` on those of large tables; any
other names its engine.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PAGE, CONTRACT = ROOT / "docs" / "engines.md", ROOT / "tests" / "engines" / "test_engines_contract.py"
ENGINES = ("memory", "duckdb", "processes", "spark")
BEGIN, END = "<!-- by tools/engine_table.py -->\n", "<!-- end -->\n"


def table() -> str:
    rows = [f"| {words} | {' | '.join(marks)} |" for words, marks in _rows()]
    head = [f"| tested | {' | '.join(ENGINES)} |", f"|{'---|' * (1 + len(ENGINES))}"]
    return "\n".join([*head, *rows]) + "\n"


def _rows() -> Iterator[tuple[str, list[str]]]:
    for node in ast.parse(CONTRACT.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
            tested = _engines(node)
            yield node.name.removeprefix("test_").replace("_", " "), ["yes" if e in tested else "" for e in ENGINES]


def _engines(node: ast.FunctionDef) -> tuple[str, ...]:
    names = {argument.arg for argument in node.args.args}
    if names & {"engine", "frame"}:
        return ENGINES
    if "large" in names:
        return ENGINES[1:]
    return tuple(name for name in ENGINES if f"'{name}'" in ast.unparse(node))


def page_text() -> str:
    return re.sub(f"{BEGIN}.*{END}", lambda _: BEGIN + table() + END, PAGE.read_text(encoding="utf-8"), flags=re.DOTALL)


if __name__ == "__main__":
    PAGE.write_text(page_text(), encoding="utf-8")
