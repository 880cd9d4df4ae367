"""Figures 1 to 3 of the blocking paper: a quadtree of 500 records, its small leaves, and their fusions.

The records are generated here: those of the paper are not published.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import numpy as np

from shoal.blocking.block_fusion import first_fusions
from shoal.blocking.twod_tree import TreeBlocks, twod_tree
from shoal.kernels import Matrix

if TYPE_CHECKING:
    import altair as alt

N_RECORDS, LIMIT, K = 500, 50, 10
Shape = dict[str, object]

SMALL, PLAIN, LINK = "#f2b8a0", "#ffffff", "#b3261e"


def files() -> dict[str, str]:
    data = block_shapes()
    return {"figures_1_3.json": json.dumps(data, indent=2), "figures_1_3.svg": _chart(**data)}


def block_shapes() -> dict[str, list[Shape]]:
    """Records, leaves, and lines between leaves that are fused."""
    X = records()
    blocks = twod_tree(X, limit=LIMIT, k=K, whole=True)
    points = [{"x": x, "y": y} for x, y in X.tolist()]
    return {"points": points, "leaves": _leaves(blocks), "links": _links(blocks)}


def records() -> Matrix:
    """Three normal clusters in two columns."""
    rng = np.random.default_rng(np.random.SeedSequence(3))
    centers, spreads = np.array([[0.3, 0.35], [0.7, 0.6], [0.45, 0.8]]), np.array([0.14, 0.12, 0.10])
    cloud = rng.integers(0, 3, N_RECORDS)
    drawn: Matrix = centers[cloud] + rng.normal(size=(N_RECORDS, 2)) * spreads[cloud][:, None]
    return drawn


def _leaves(blocks: TreeBlocks) -> list[Shape]:
    tree = blocks.tree
    found: list[Shape] = []
    for leaf, size in zip(tree.leaves.tolist(), tree.leaf_sizes.tolist(), strict=True):
        lower, upper = tree.limits(leaf)
        box = {"x": lower[0], "x2": upper[0], "y": lower[1], "y2": upper[1]}
        found.append({**box, "records": size, "small": size < K})
    return found


def _links(blocks: TreeBlocks) -> list[Shape]:
    """Lines between the centroids of small leaves and of the leaves they are fused with."""
    centroids = blocks.tree.leaf_centroids
    return [
        {"x": float(a[0]), "y": float(a[1]), "x2": float(b[0]), "y2": float(b[1])}
        for a, b in (centroids[pair] for pair in first_fusions(blocks.tree, K))
    ]


def _chart(points: list[Shape], leaves: list[Shape], links: list[Shape]) -> str:
    import altair as alt
    import vl_convert

    dots = alt.Chart(alt.InlineData(values=points)).mark_point(size=6, filled=True, color="#0b6e99")
    dots = dots.encode(x=alt.X("x:Q", axis=None), y=alt.Y("y:Q", axis=None))
    plain, marked = _boxes(leaves, PLAIN), _boxes(leaves, SMALL)
    lines = alt.Chart(alt.InlineData(values=links)).mark_rule(color=LINK, strokeWidth=2)
    lines = lines.encode(x="x:Q", y="y:Q", x2="x2:Q", y2="y2:Q")
    panels = [
        _panel(plain + dots, f"1: leaves of at most {LIMIT} records"),
        _panel(marked + dots, f"2: leaves of fewer than {K}"),
        _panel(marked + dots + lines, "3: whom they join"),
    ]
    svg: str = vl_convert.vegalite_to_svg(alt.hconcat(*panels).to_json())
    return svg


def _boxes(leaves: list[Shape], small: str) -> alt.Chart:
    """Rectangles of the non-empty leaves; the tree has no empty ones."""
    import altair as alt

    fill = alt.condition("datum.small", alt.value(small), alt.value(PLAIN))
    boxes: alt.Chart = (
        alt.Chart(alt.InlineData(values=leaves))
        .mark_rect(stroke="#888", strokeWidth=0.7)
        .encode(x=alt.X("x:Q", axis=None), x2="x2:Q", y=alt.Y("y:Q", axis=None), y2="y2:Q", color=fill)
    )
    return boxes


def _panel(layers: alt.LayerChart, title: str) -> alt.LayerChart:
    panel: alt.LayerChart = layers.properties(width=270, height=270, title=title)
    return panel
