"""Paper against ours, one point per printed number."""

from __future__ import annotations

from shoal.reproduce.reproduction import Reproduction


def comparison_svg(reproduction: Reproduction) -> str:
    import altair as alt
    import vl_convert

    values = [
        {"at": at, "name": f"{r.row} {r.column}", "paper": r.paper, "ours": r.ours}
        for at, r in enumerate(reproduction.rows)
    ]
    named = alt.Y("name:N", sort=alt.EncodingSortField("at"), title=None)
    measured = alt.X("paper:Q", title=reproduction.rows[0].table)
    base = alt.Chart(alt.InlineData(values=values), title=f"{reproduction.title}: paper (ring) and ours (dot)")
    rings = base.mark_point(size=110, color="#888").encode(x=measured, y=named)
    dots = base.mark_point(size=30, filled=True, color="#0b6e99").encode(x="ours:Q", y=named)
    svg: str = vl_convert.vegalite_to_svg((rings + dots).properties(width=420).to_json())
    return svg
