"""Chart of published and reproduced numbers, one point per number, one panel per table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from shoal.reproduce.reproduction import Reproduction, Row

if TYPE_CHECKING:
    import altair as alt


def comparison_svg(reproduction: Reproduction) -> str:
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
    named = alt.Y("name:N", sort=alt.EncodingSortField("at"), title=None)
    base = alt.Chart(alt.InlineData(values=values))
    rings = base.mark_point(size=110, color="#888").encode(x=alt.X("paper:Q", title=table), y=named)
    dots = base.mark_point(size=30, filled=True, color="#0b6e99").encode(x="ours:Q", y=named)
    panel: alt.LayerChart = (rings + dots).properties(width=420)
    return panel
