"""The steps of Micro-SOM on two columns in six panels, after Figure 1 of the paper; the records are generated here."""

from __future__ import annotations

import json
from typing import Any

import numpy as np

from shoal import datasets
from shoal.blocking.som import Map, MapRules, som
from shoal.blocking.som.map_fusion import MapPartition, fuse_cells
from shoal.encode.standardize import standardize
from shoal.kernels import Matrix
from shoal.plan import Partition

K = 5
RULES = MapRules(size=(5, 4))
PANELS = (
    "a  standardized records",
    "b  records by map unit",
    f"c  cells with fewer than {K}",
    "d  the closest cell of each",
    "e  fused",
    "f  centroids",
)
HUES = ("#4c78a8", "#f58518", "#54a24b", "#b279a2", "#e45756", "#72b7b2", "#9d755d", "#eeca3b", "#ff9da6", "#79706e")


def files() -> dict[str, str]:
    X = standardize(datasets.clustered_array(160, 2, (12, 30), 0.06, seed=4))
    trained = som(X, rules=RULES)
    parts = fuse_cells(X, trained, K)
    points = [*_records(X, trained, parts), *_centroids(X, parts)]
    lines = _lines(X, trained, parts)
    return {
        "steps.json": json.dumps({"points": points, "lines": lines}, indent=2),
        "steps.svg": _chart(points, lines),
    }


def _records(X: Matrix, trained: Map, parts: MapPartition) -> list[dict[str, Any]]:
    low = trained.hits[trained.labels] < K
    looks: dict[str, Any] = {
        PANELS[0]: np.full(len(X), "record"),
        PANELS[1]: _colors(trained.labels),
        PANELS[2]: np.where(low, "low", "record"),
        PANELS[3]: np.where(low, "low", "record"),
        PANELS[4]: _colors(parts.labels),
    }
    return [
        {"panel": panel, "x": float(x), "y": float(y), "look": str(look), "size": 22}
        for panel, found in looks.items()
        for (x, y), look in zip(X, found, strict=True)
    ]


def _colors(labels: Any) -> list[str]:
    """Color names by label; consecutive labels differ in color."""
    return [f"color {label % len(HUES)}" for label in labels]


def _centroids(X: Matrix, parts: MapPartition) -> list[dict[str, Any]]:
    return [
        {"panel": PANELS[5], "x": float(x), "y": float(y), "look": f"color {part % len(HUES)}", "size": 6 * int(size)}
        for part, ((x, y), size) in enumerate(zip(parts.centroids(X), parts.sizes, strict=True))
    ]


def _lines(X: Matrix, trained: Map, parts: MapPartition) -> list[dict[str, Any]]:
    """Lines from the centroid of every low-cardinality cell to that of the cell it is fused with."""
    cells = np.unique(trained.labels)
    centroids = dict(zip(cells, Partition(np.searchsorted(cells, trained.labels)).centroids(X), strict=True))
    ends = [(centroids[low], centroids[closest]) for low, closest in parts.fusions]
    return [
        {"panel": PANELS[3], "x": float(a[0]), "y": float(a[1]), "x2": float(b[0]), "y2": float(b[1])} for a, b in ends
    ]


def _chart(points: list[dict[str, Any]], lines: list[dict[str, Any]]) -> str:
    import altair as alt
    import vl_convert

    looks = {"record": "#999999", "low": "#d62728", **{f"color {at}": hue for at, hue in enumerate(HUES)}}
    color = alt.Color("look:N", legend=None, scale=alt.Scale(domain=list(looks), range=list(looks.values())))
    x, y = (alt.X("x:Q", title=None), alt.Y("y:Q", title=None))
    size = alt.Size("size:Q", scale=None, legend=None)

    def panel(name: str) -> alt.LayerChart:
        inside = [point for point in points if point["panel"] == name]
        dots = alt.Chart(alt.InlineData(values=inside)).mark_circle(opacity=0.9).encode(x, y, color, size)
        ways = [line for line in lines if line["panel"] == name]
        rules = alt.Chart(alt.InlineData(values=ways)).mark_rule(color="#222222").encode(x, y, x2="x2:Q", y2="y2:Q")
        layers = [dots, rules] if ways else [dots]
        return alt.LayerChart(layer=layers).properties(width=230, height=190, title=name)

    chart = alt.concat(*map(panel, PANELS), columns=3).resolve_scale(x="shared", y="shared")
    svg: str = vl_convert.vegalite_to_svg(chart.to_json())
    return svg
