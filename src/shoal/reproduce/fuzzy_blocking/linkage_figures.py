"""Curves of the three families of quantifiers (Figures 1 to 3), and the recall of each quantifier by masked file."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import numpy as np

from shoal.kernels import Vector
from shoal.linkage.quantifiers import published_quantifiers

CURVE = np.linspace(0, 1, 201)
TITLES = {
    "Q1": "Figure 1: x^alpha",
    "Q2": "Figure 2: 1 / (1 + exp(10 (alpha - x))), stretched",
    "Q3": "Figure 3: 0 up to alpha, then 1",
}


def files(found: Mapping[str, Mapping[str, Vector]], n_records: int) -> dict[str, str]:
    """``found``: masked file -> family -> numbers of records found, one per quantifier."""
    curves = [
        {"family": TITLES[family], "alpha": quantifier.alpha, "x": float(x), "Q": float(q)}
        for family, quantifiers in published_quantifiers().items()
        for quantifier in quantifiers
        for x, q in zip(CURVE, quantifier(CURVE), strict=True)
    ]
    recalls = [
        {"masked": name, "quantifier": f"{family} {quantifier.alpha:g}", "recall": 100 * float(count) / n_records}
        for name, families in found.items()
        for family, quantifiers in published_quantifiers().items()
        for quantifier, count in zip(quantifiers, families[family], strict=True)
    ]
    return {
        "quantifiers.svg": _curves(curves),
        "recall.json": json.dumps(recalls, indent=2),
        "recall.svg": _recalls(recalls),
    }


def _curves(values: list[dict[str, Any]]) -> str:
    import altair as alt

    panels = [
        alt.Chart(
            alt.InlineData(values=[value for value in values if value["family"] == title]),
            title=title,
            width=240,
            height=220,
        )
        .mark_line(strokeWidth=1.5)
        .encode(
            x=alt.X("x:Q", title=None),
            y=alt.Y("Q:Q", title=None),
            color=alt.Color("alpha:O", title="alpha", scale=alt.Scale(scheme="viridis")),
        )
        for title in TITLES.values()
    ]
    return _svg(alt.hconcat(*panels).resolve_scale(color="independent"))


def _recalls(values: list[dict[str, Any]]) -> str:
    import altair as alt

    names = list(dict.fromkeys(value["masked"] for value in values))
    quantifiers = list(dict.fromkeys(value["quantifier"] for value in values))
    chart = (
        alt.Chart(
            alt.InlineData(values=values), title="Records in the block of their original, %", width=420, height=480
        )
        .mark_rect()
        .encode(
            x=alt.X("masked:N", sort=names, title=None),
            y=alt.Y("quantifier:N", sort=quantifiers, title=None),
            color=alt.Color("recall:Q", title="%", scale=alt.Scale(scheme="viridis")),
        )
    )
    return _svg(chart)


def _svg(chart: Any) -> str:
    import vl_convert

    svg: str = vl_convert.vegalite_to_svg(chart.to_json())
    return svg
