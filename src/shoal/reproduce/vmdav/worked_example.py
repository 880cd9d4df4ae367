"""The thirteen records of the paper's Example 1, k = 3, on which groups of a fixed size are poor.

Four records at the lower left and three triples. With gamma 0, the paper's MDAV, the fourth record is left over and
forms a scattered group with a distant triple; with gamma 0.2 or 1.1 it is added to its neighbors.
"""

from __future__ import annotations

import json

import numpy as np

from shoal.methods.microaggregation.vmdav import vmdav
from shoal.reproduce.reproduction import Row

RECORDS = np.array(
    [
        *[(2.4, 3.0), (1.68, 4.9), (3.18, 5.54), (5.32, 3.6)],
        *[(18.68, 11.49), (20.14, 9.56), (19.85, 12.33)],
        *[(13.67, 18.9), (17.11, 21.0), (16.07, 19.23)],
        *[(21.28, 18.9), (22.0, 21.0), (23.0, 18.5)],
    ]
)
CLUSTERS = np.repeat([0, 1, 2, 3], [4, 3, 3, 3])  # (13,) as the paper draws them
K = 3
GAMMAS = (0.0, 0.2)
WITHIN = {0.0: 3, 0.2: 4, 1.1: 4}  # gamma: groups within one cluster; one of the four that the paper draws is scattered


def rows() -> list[Row]:
    """How many groups stay within one cluster, by gamma."""
    found = {gamma: _groups_within_clusters(gamma) for gamma in WITHIN}
    return [
        Row.of("Example 1: groups within one cluster", f"gamma {gamma:g}", "k=3", paper, ours, holds=ours == paper)
        for (gamma, paper), ours in zip(WITHIN.items(), found.values(), strict=True)
    ]


def _groups_within_clusters(gamma: float) -> int:
    labels = vmdav(RECORDS, K, gamma=gamma).labels
    return sum(len(np.unique(CLUSTERS[labels == group])) == 1 for group in np.unique(labels))


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
    names = base.mark_text(align="left", dx=7).encode(text="record:N")
    panels = (points + names).properties(width=260, height=240).facet(column=alt.Column("gamma:N", title=None))
    svg: str = vl_convert.vegalite_to_svg(panels.to_json())
    return svg
