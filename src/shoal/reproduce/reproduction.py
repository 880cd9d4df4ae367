"""A published table and its reproduction, cell by cell."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path

from shoal.sources import whole_file


@dataclass(frozen=True)
class Row:
    """One published number and its reproduction."""

    table: str
    row: str
    column: str
    paper: float
    ours: float
    ratio: float
    holds: bool

    @classmethod
    def of(cls, table: str, row: str, column: str, paper: float, ours: float, *, holds: bool) -> Row:
        return cls(table, row, column, paper, ours, ours / paper, holds)


@dataclass(frozen=True)
class Reproduction:
    """The reproduction of one paper. ``note`` explains the numbers and when a row holds.

    ``extra`` holds further data and charts: file name -> text.
    """

    name: str
    title: str
    note: str
    rows: tuple[Row, ...]
    extra: Mapping[str, str] = field(default_factory=dict)

    def to_markdown(self) -> str:
        head = "| table | row | column | paper | ours | ratio | holds |\n|---|---|---|---:|---:|---:|---|\n"
        body = "".join(
            f"| {r.table} | {r.row} | {r.column} | {r.paper:g} | {r.ours:.6g} | {r.ratio:.4f} | "
            f"{'yes' if r.holds else 'NO'} |\n"
            for r in self.rows
        )
        n_held = sum(row.holds for row in self.rows)
        return f"# {self.title}\n\n{self.note}\n\n{head}{body}\n{n_held} of {len(self.rows)} hold.\n"


def write(reproduction: Reproduction, output: Path) -> Path:
    """Writes Markdown, JSON and charts to the folder ``output``/name and returns it."""
    from shoal.reproduce.chart import comparison_svg

    folder = output / reproduction.name
    folder.mkdir(parents=True, exist_ok=True)
    rows = json.dumps([asdict(row) for row in reproduction.rows], indent=2)
    texts = {"table.md": reproduction.to_markdown(), "table.json": rows, "chart.svg": comparison_svg(reproduction)}
    for name, text in {**texts, **reproduction.extra}.items():
        with whole_file(folder / name, force=True) as draft:
            draft.write_text(text, encoding="utf-8")
    return folder
