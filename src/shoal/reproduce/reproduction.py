"""A published table and its reproduction, cell by cell."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from shoal.sources import whole_file

if TYPE_CHECKING:
    import altair as alt


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

    ``extra`` holds further data and charts: file name -> text. ``appendix`` is Markdown printed after the rows.
    """

    name: str
    title: str
    note: str
    rows: tuple[Row, ...]
    extra: Mapping[str, str] = field(default_factory=dict)
    appendix: str = ""

    @property
    def n_held(self) -> int:
        return sum(row.holds for row in self.rows)

    def to_markdown(self) -> str:
        head = "| table | row | column | paper | ours | ratio | holds |\n|---|---|---|---:|---:|---:|---|\n"
        body = "".join(
            f"| {r.table} | {r.row} | {r.column} | {r.paper:g} | {r.ours:.6g} | {r.ratio:.4f} | "
            f"{'yes' if r.holds else 'NO'} |\n"
            for r in self.rows
        )
        appendix = f"\n{self.appendix}" if self.appendix else ""
        return f"# {self.title}\n\n{self.note}\n\n{head}{body}\n{self.n_held} of {len(self.rows)} hold.\n{appendix}"


def write(reproduction: Reproduction, output: Path) -> Path:
    """Writes Markdown, JSON and charts to the folder ``output``/name and returns it."""
    folder = output / reproduction.name
    folder.mkdir(parents=True, exist_ok=True)
    rows = json.dumps([asdict(row) for row in reproduction.rows], indent=2)
    texts = {"table.md": reproduction.to_markdown(), "table.json": rows, "chart.svg": comparison_svg(reproduction)}
    for name, text in {**texts, **reproduction.extra}.items():
        with whole_file(folder / name, force=True) as draft:
            draft.write_text(text, encoding="utf-8")
    return folder


def comparison_svg(reproduction: Reproduction) -> str:
    """Published and reproduced numbers, one point per number, one panel per table."""
    import altair as alt
    import vl_convert

    tables = dict.fromkeys(row.table for row in reproduction.rows)
    panels = [_panel(table, [row for row in reproduction.rows if row.table == table]) for table in tables]
    chart = alt.vconcat(*panels, title=f"{reproduction.title}: paper (ring) and ours (dot)")
    svg: str = vl_convert.vegalite_to_svg(chart.to_json())
    return svg


def _panel(table: str, rows: list[Row]) -> alt.LayerChart:
    import altair as alt

    values = [{"at": at, "name": f"{r.row} {r.column}", "paper": r.paper, "ours": r.ours} for at, r in enumerate(rows)]
    named = alt.Y("name:N", sort=alt.EncodingSortField("at"), title=None, axis=alt.Axis(labelLimit=0))
    base = alt.Chart(alt.InlineData(values=values))
    rings = base.mark_point(size=110, color="#888").encode(x=alt.X("paper:Q", title=table), y=named)
    dots = base.mark_point(size=30, filled=True, color="#0b6e99").encode(x="ours:Q", y=named)
    panel: alt.LayerChart = (rings + dots).properties(width=420)
    return panel
