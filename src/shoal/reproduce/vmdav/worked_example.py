"""Thirteen records on which groups of fixed size k are poor, after the first example of the V-MDAV paper.

Four records at the lower left and three triples; k = 3. With gamma 0 the fourth record is left over and forms a
scattered group with a distant triple; with gamma 0.2 or 1.1 it is added to its neighbors. The coordinates
are chosen here.
"""

from __future__ import annotations

import json

import numpy as np

from shoal.methods.microaggregation.vmdav import vmdav

RECORDS = np.array(
    [
        *[(1.0, 1.0), (0.4, 2.8), (2.2, 3.0), (4.0, 1.6)],
        *[(16.0, 9.0), (17.5, 7.4), (17.2, 10.0)],
        *[(11.5, 16.0), (14.6, 18.0), (13.8, 16.2)],
        *[(18.4, 16.0), (19.2, 18.0), (20.2, 15.6)],
    ]
)
K = 3
GAMMAS = (0.0, 0.2)


def files() -> dict[str, str]:
    values = [
        {"gamma": f"gamma {gamma:g}", "record": at + 1, "x": float(x), "y": float(y), "group": int(group) + 1}
        for gamma in GAMMAS
        for at, ((x, y), group) in enumerate(zip(RECORDS, vmdav(RECORDS, K, gamma=gamma).labels, strict=True))
    ]
    return {"example.json": json.dumps(values, indent=2), "example.svg": _chart(values)}


def _chart(values: list[dict[str, object]]) -> str:
    import altair as alt
    import vl_convert

    base = alt.Chart(alt.InlineData(values=values)).encode(
        x=alt.X("x:Q", title=None), y=alt.Y("y:Q", title=None), color=alt.Color("group:N", title="group")
    )
    points = base.mark_point(size=90, filled=True)
    names = base.mark_text(dx=11).encode(text="record:N")
    panels = (points + names).properties(width=260, height=240).facet(column=alt.Column("gamma:N", title=None))
    svg: str = vl_convert.vegalite_to_svg(panels.to_json())
    return svg
