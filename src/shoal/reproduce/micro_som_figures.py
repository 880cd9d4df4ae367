"""Figures 2 and 3 of the Micro-SOM paper: loss and seconds by k, beside mu-Approx, as data and charts."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from functools import partial

import numpy as np

from shoal import datasets
from shoal.encode.standardize import standardize
from shoal.kernels import Matrix
from shoal.methods.microaggregation.micro_som import micro_som
from shoal.methods.microaggregation.mu_approx import mu_approx
from shoal.plan import Partition

SIZES = tuple(range(2, 11))
SETS = ("tarragona", "census", "eia", "synthetic 1e4")

Group = Callable[[Matrix], Partition]


@dataclass(frozen=True)
class Point:
    set: str
    method: str
    k: int
    loss: float  # percent
    seconds: float  # of CPU


def points() -> list[Point]:
    found = []
    for name in SETS:
        X = _records(name)
        for k in SIZES:
            found.append(_measured(name, "Micro-SOM", k, X, partial(micro_som, k=k)))
            found.append(_measured(name, "mu-Approx", k, X, partial(mu_approx, k=k)))
    return found


def _records(name: str) -> Matrix:
    if name == "synthetic 1e4":
        return standardize(datasets.uniform_array(10_000, 3, seed=0))
    return standardize(np.column_stack(getattr(datasets, name)().columns))


def _measured(name: str, method: str, k: int, X: Matrix, group: Group) -> Point:
    before = time.process_time()
    partition = group(X)
    return Point(name, method, k, partition.information_loss(X), time.process_time() - before)


def files(points: list[Point]) -> dict[str, str]:
    return {
        "figures.json": json.dumps([asdict(point) for point in points], indent=2),
        "figure2.svg": _chart(points, "loss", "information loss, %"),
        "figure3.svg": _chart(points, "seconds", "CPU seconds"),
    }


def _chart(points: list[Point], measure: str, title: str) -> str:
    import altair as alt
    import vl_convert

    values = [{"set": p.set, "method": p.method, "k": p.k, "value": getattr(p, measure)} for p in points]
    lines = (
        alt.Chart(alt.InlineData(values=values), width=260, height=160)
        .mark_line(point=True)
        .encode(
            x=alt.X("k:O", axis=alt.Axis(labelAngle=0)),
            y=alt.Y("value:Q", title=title),
            color=alt.Color("method:N", title=None, scale=alt.Scale(range=["#0b6e99", "#c8641e"])),
            facet=alt.Facet("set:N", title=None, columns=2, sort=list(SETS)),
        )
        .resolve_scale(y="independent")
    )
    svg: str = vl_convert.vegalite_to_svg(lines.to_json())
    return svg
