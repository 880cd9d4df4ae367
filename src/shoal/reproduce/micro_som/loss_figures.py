"""Figures 2 and 3 of the Micro-SOM paper: information loss and time by k, compared with mu-Approx."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from functools import partial
from typing import TypeVar

import numpy as np

from shoal import datasets
from shoal.blocking.som import som
from shoal.blocking.som.map_fusion import fuse_cells
from shoal.encode.standardize import standardize
from shoal.kernels import Matrix
from shoal.methods.microaggregation.mu_approx import mu_approx

SIZES = tuple(range(2, 11))
SETS = ("tarragona", "census", "eia", "synthetic 1e4")

Result = TypeVar("Result")


@dataclass(frozen=True)
class LossPoint:
    set: str
    method: str
    k: int
    loss: float  # percent
    seconds: float  # CPU time


def points() -> list[LossPoint]:
    found = []
    for name in SETS:
        X = _records(name)
        found += with_one_map(name, X)
        for k in SIZES:
            partition, seconds = timed(partial(mu_approx, X, k))
            found.append(LossPoint(name, "mu-Approx", k, partition.information_loss(X), seconds))
    return found


def with_one_map(name: str, X: Matrix) -> list[LossPoint]:
    """Micro-SOM for every k with the same map, which does not depend on k; its training time is included for each k."""
    trained, training = timed(partial(som, X))
    found = []
    for k in SIZES:
        parts, fusing = timed(partial(fuse_cells, X, trained, k))
        found.append(LossPoint(name, "Micro-SOM", k, parts.information_loss(X), training + fusing))
    return found


def timed(work: Callable[[], Result]) -> tuple[Result, float]:
    before = time.process_time()
    return work(), time.process_time() - before


def _records(name: str) -> Matrix:
    if name == "synthetic 1e4":
        return standardize(datasets.uniform_array(10_000, 3, seed=0))
    return standardize(np.column_stack(getattr(datasets, name)().columns))


def files(points: list[LossPoint]) -> dict[str, str]:
    return {
        "figures.json": json.dumps([asdict(point) for point in points], indent=2),
        "figure2.svg": _chart(points, "loss", "information loss, %"),
        "figure3.svg": _chart(points, "seconds", "CPU seconds"),
    }


def _chart(points: list[LossPoint], measure: str, title: str) -> str:
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
