"""Effect of lattice, shape, size, training and tree structure of the map on Micro-SOM: the paper's future work."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass
from functools import partial
from typing import get_args

import numpy as np

from shoal import datasets
from shoal.blocking.som import Map, MapRules, som
from shoal.blocking.som.map_fusion import fuse_cells
from shoal.blocking.som.map_rules import Form, Shape
from shoal.blocking.som.quality import map_quality
from shoal.blocking.som.tree_structured import tree_structured_som
from shoal.encode.standardize import standardize
from shoal.kernels import Matrix
from shoal.methods.microaggregation.in_blocks import in_blocks
from shoal.methods.microaggregation.mdav import mdav
from shoal.methods.microaggregation.micro_som import micro_som
from shoal.reproduce.micro_som.loss_figures import timed

K = 3
FORMS: tuple[Form, ...] = get_args(Form)
SHAPES: tuple[Shape, ...] = get_args(Shape)

Make = Callable[[Matrix], Map]


@dataclass(frozen=True)
class Outcome:
    """Results for one map. Losses in percent; CPU seconds for training the map only."""

    set: str
    topology: str
    n_units: int
    seconds: float
    loss: float
    refined: float
    quantization: float
    topographic: float
    combined: float


def files(*, full: bool) -> dict[str, str]:
    return files_of(dict(_sets(full)))


def files_of(sets: Mapping[str, Matrix]) -> dict[str, str]:
    """The result files of the study; ``sets``: name -> records."""
    outcomes = [_outcome(name, topology, X, make) for name, X in sets.items() for topology, make in _maps(len(X))]
    grown = [_hierarchical_map(name, X) for name, X in sets.items()]
    return {
        "topologies.json": json.dumps({"maps": [asdict(o) for o in outcomes], "hierarchical": grown}, indent=2),
        "topologies.md": _markdown(outcomes),
        "topologies.svg": _chart(outcomes),
    }


def _sets(full: bool) -> Iterator[tuple[str, Matrix]]:
    n = 100_000 if full else 10_000
    yield f"uniform {n:,} x 3", standardize(datasets.uniform_array(n, 3, seed=0))
    yield "census", standardize(np.column_stack(datasets.census().columns))
    yield "eia", standardize(np.column_stack(datasets.eia().columns))


def _maps(n_records: int) -> Iterator[tuple[str, Make]]:
    by_rule = 5 * n_records**0.5
    rules = {f"{form} {shape}": MapRules(lattice=form, shape=shape) for form in FORMS for shape in SHAPES}
    rules |= {f"{times:g} x the units": MapRules(size=round(times * by_rule)) for times in (0.25, 0.5, 2, 4)}
    rules |= {"random start": MapRules(start="random"), "sequential training": MapRules(training="sequential")}
    for topology, rule in rules.items():
        yield topology, partial(som, rules=rule)
    n_layers = max(2, round(np.log2(by_rule) / 2) + 1)
    yield f"tree of {n_layers} layers", partial(tree_structured_som, n_layers=n_layers)


def _outcome(name: str, topology: str, X: Matrix, make: Make) -> Outcome:
    trained, seconds = timed(partial(make, X))
    parts, quality = fuse_cells(X, trained, K), map_quality(trained, X)
    refined = in_blocks(X, parts, lambda records: mdav(records, K)).information_loss(X)
    loss = parts.information_loss(X)
    return Outcome(name, topology, trained.n_units, seconds, loss, refined, **asdict(quality))


def _hierarchical_map(name: str, X: Matrix) -> dict[str, object]:
    """Hierarchical Micro-SOM: cells of at least 4k records are divided by further maps."""
    partition, seconds = timed(partial(micro_som, X, K, grow=4 * K))
    return {"set": name, "loss": partition.information_loss(X), "seconds": seconds}


def _markdown(outcomes: list[Outcome]) -> str:
    head = "| set | map | units | CPU s | loss % | refined % | quantization | topographic | combined |\n"
    rows = (
        f"| {o.set} | {o.topology} | {o.n_units} | {o.seconds:.2f} | {o.loss:.4g} | {o.refined:.4g} | "
        f"{o.quantization:.4g} | {o.topographic:.3f} | {o.combined:.4g} |\n"
        for o in outcomes
    )
    return head + "|---|---|---:|---:|---:|---:|---:|---:|---:|\n" + "".join(rows)


def _chart(outcomes: list[Outcome]) -> str:
    import altair as alt
    import vl_convert

    values = [
        {"set": o.set, "map": o.topology, "measure": measure, "value": getattr(o, name)}
        for o in outcomes
        for measure, name in (("loss, %", "loss"), ("refined, %", "refined"), ("CPU seconds", "seconds"))
    ]
    chart = (
        alt.Chart(alt.InlineData(values=values), width=170, height=220)
        .mark_bar(color="#0b6e99", size=10)
        .encode(
            x=alt.X("value:Q", title=None),
            y=alt.Y("map:N", sort=None, title=None),
            column=alt.Column("measure:N", title=None, sort=None),
            row=alt.Row("set:N", title=None, sort=None),
        )
        .resolve_scale(x="independent")
    )
    svg: str = vl_convert.vegalite_to_svg(chart.to_json())
    return svg
