"""Information loss, blocks and time by number and choice of the dimensions that a tree halves, not in the paper.

Columns are added in the order of the variance they explain, in table order, and in the reverse of the first; they are
halved all at once, as published, or one at a time.
"""

from __future__ import annotations

import json
import time

import numpy as np

from shoal import datasets
from shoal.blocking.dimensions import CovarianceSums, rank_dimensions
from shoal.blocking.tree_space import Ranges
from shoal.blocking.twod_tree import twod_tree
from shoal.encode.standardize import standardize
from shoal.kernels import Labels, Matrix
from shoal.methods.microaggregation.mdav import mdav

K = 3
CHOICES = ("by spread", "as they come", "least spread first")


def files(*, full: bool) -> dict[str, str]:
    n = 200_000 if full else 10_000
    sets = {
        "eia, L=200": (standardize(np.column_stack(datasets.eia().columns)), 200),
        "census, L=200": (standardize(np.column_stack(datasets.census().columns)), 200),
        f"uniform {n:,} x 10, L=1000": (standardize(datasets.uniform_array(n, 10, seed=1)), 1000),
    }
    points = [point for name, (X, limit) in sets.items() for point in _study(name, X, limit)]
    return {"dimensions.json": json.dumps(points, indent=2), "dimensions.svg": _chart(points)}


def _study(name: str, X: Matrix, limit: int) -> list[dict[str, object]]:
    ranges = Ranges.of(X)
    best = rank_dimensions(CovarianceSums.of(X, ranges), ranges).dimensions
    orders = dict(zip(CHOICES, (best, np.arange(X.shape[1]), best[::-1]), strict=True))
    return [
        {"set": name, "choice": choice, "whole": whole, "dimensions": d, **_losses(X, limit, order[:d], whole)}
        for choice, order in orders.items()
        for whole in (True, False)
        for d in range(1, X.shape[1] + 1)
    ]


def _losses(X: Matrix, limit: int, dimensions: Labels, whole: bool) -> dict[str, float]:
    begun = time.process_time()
    blocks = twod_tree(X, limit=limit, k=K, dimensions=dimensions.tolist(), whole=whole)
    partition = mdav(X, K, blocks=blocks)
    seconds = time.process_time() - begun
    return {"loss": partition.information_loss(X), "blocks": blocks.n_groups, "seconds": seconds}


def _chart(points: list[dict[str, object]]) -> str:
    import altair as alt
    import vl_convert

    base = alt.Chart(alt.InlineData(values=points), width=210, height=150).mark_line(point=alt.OverlayMarkDef(size=14))
    halving = {"true": "all at once", "false": "one by one"}
    panels = [
        base.encode(
            x=alt.X("dimensions:Q", title="dimensions"),
            y=alt.Y(f"{figure}:Q", title=title, scale=alt.Scale(zero=False)),
            color=alt.Color("choice:N", title="columns", sort=list(CHOICES)),
            strokeDash=alt.StrokeDash(
                "whole:N", title="halved", legend=alt.Legend(labelExpr=_label_expression(halving), symbolType="stroke")
            ),
            column=alt.Column("set:N", title=None),
        ).resolve_scale(y="independent")
        for figure, title in (("loss", "loss, %"), ("blocks", "blocks"), ("seconds", "CPU seconds"))
    ]
    svg: str = vl_convert.vegalite_to_svg(alt.vconcat(*panels).to_json())
    return svg


def _label_expression(names: dict[str, str]) -> str:
    return f"datum.label == 'true' ? '{names['true']}' : '{names['false']}'"
