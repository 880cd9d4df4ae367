"""Micro-SOM: its table for 1e5 uniform records, its comparison with mu-Approx, and refined variants.

Solanas, Gavalda & Rallo (2009), doi:10.1007/978-3-642-04274-4_55. Losses are 100 * SSE / SST of z-scores; the SST
of 3e9 in its Table 1 is a misprint for 3e5.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from math import log10

from shoal import datasets
from shoal.blocking.som import MapRules
from shoal.encode.standardize import standardize
from shoal.kernels import Matrix
from shoal.methods.microaggregation.micro_som import micro_som
from shoal.methods.microaggregation.mu_approx import mu_approx
from shoal.plan import Partition
from shoal.reproduce.micro_som import epochs, loss_figures, training_steps
from shoal.reproduce.micro_som.loss_figures import LossPoint, timed, with_one_map
from shoal.reproduce.reproduction import Reproduction, Row

N = 100_000
LOSS = 2.544  # for every k
SECONDS = (96.406, 101.812, 110.953, 119.328, 131.468, 149.844, 163.235, 180.906, 203.438)
NEARLY = 1.05
FLAT = 1.01
MDAV = 0.0592  # information loss of MDAV on such records in %, k = 3
REFINED, REFINED_FREE = 0.075, 0.068  # in %: thresholds chosen here
FREE = MapRules(size=300)
FIXED = MapRules(size=(40, 40))

NOTE = (
    "Table 1: a loss holds at 1.05 of the printed one or below, CPU seconds at the printed ones or below. The rule of "
    "the SOM Toolbox trains once roughly and once finely, which gives 4 to 7 % here; we train 2 + 8 times, and "
    "epochs.json says what other numbers give. Figures 2 and 3 print no numbers: their claims are ratios of ours, and "
    "1 is where a claim turns. That mu-Approx is 'a little' better is a matter of scale: by 2 to 3 percentage points "
    "on EIA and on uniform records, which is five times. 'Time' is the power of n that seconds grow by from 1e4 to "
    "1e5 records, where the paper says 1 and 2. Our mu-Approx finds neighbors by a tree: in three columns it is not "
    "quadratic, and faster than a map, so that claim of the paper does not hold of it."
)


def reproduce(*, full: bool) -> Reproduction:
    X = uniform(N)
    figures = loss_figures.points()
    rows = [*table_1(X), *claims(figures), *_growth(X), *_beyond(X)]
    extra = {
        **loss_figures.files(figures),
        **epochs.files(X if full else uniform(N // 5)),
        **training_steps.files(),
    }
    return Reproduction("micro-som", "Micro-SOM: microaggregation on self-organizing maps", NOTE, tuple(rows), extra)


def uniform(n: int) -> Matrix:
    return standardize(datasets.uniform_array(n, 3, seed=0))


def table_1(X: Matrix) -> list[Row]:
    name = "uniform 1e5 x 3"
    found = with_one_map(name, X)
    losses = [
        Row.of("Table 1, loss, %", name, f"k={point.k}", LOSS, point.loss, holds=point.loss <= NEARLY * LOSS)
        for point in found
    ]
    flat = found[-1].loss / found[0].loss
    seconds = [
        Row.of("Table 1, seconds", name, f"k={point.k}", paper, point.seconds, holds=point.seconds <= paper)
        for point, paper in zip(found, SECONDS, strict=True)
    ]
    return [
        *losses,
        Row.of("Table 1, loss at k=10 / at k=2", name, "k=2..10", 1.0, flat, holds=flat <= FLAT),
        *seconds,
    ]


def claims(points: list[LossPoint]) -> list[Row]:
    rows = []
    for name in dict.fromkeys(point.set for point in points):
        ours = [point.loss for point in points if (point.set, point.method) == (name, "Micro-SOM")]
        theirs = [point.loss for point in points if (point.set, point.method) == (name, "mu-Approx")]
        better = sum(a / b for a, b in zip(ours, theirs, strict=True)) / len(ours)
        flatter = (ours[-1] / ours[0]) / (theirs[-1] / theirs[0])
        closer = abs(ours[-1] - theirs[-1]) / abs(ours[0] - theirs[0])
        rows += [
            Row.of("Figure 2: mu-Approx loses less, mean ratio >= 1", name, "k=2..10", 1.0, better, holds=better >= 1),
            Row.of("Figure 2: Micro-SOM grows less with k, <= 1", name, "k=2..10", 1.0, flatter, holds=flatter <= 1),
            Row.of("Figure 2: the difference shrinks, <= 1", name, "k=2..10", 1.0, closer, holds=closer <= 1),
        ]
    return rows


def _growth(X: Matrix) -> list[Row]:
    few = uniform(N // 10)
    table, row = "Time: power of n", "1e4 to 1e5"
    powers = {
        "Micro-SOM, map of 40 x 40": (1.0, _power(partial(micro_som, k=3, rules=FIXED), few, X)),
        "Micro-SOM, map by the rule": (1.0, _power(partial(micro_som, k=3), few, X)),
        "mu-Approx": (2.0, _power(partial(mu_approx, k=3), few, X)),
    }
    return [
        Row.of(table, row, name, paper, ours, holds=ours <= 1.2 if paper == 1 else ours >= 1.8)
        for name, (paper, ours) in powers.items()
    ]


def _power(group: Callable[[Matrix], Partition], few: Matrix, many: Matrix) -> float:
    seconds = [timed(partial(group, records))[1] for records in (few, many)]
    return log10(seconds[1] / seconds[0]) / log10(len(many) / len(few))


def _beyond(X: Matrix) -> list[Row]:
    by_rule = micro_som(X, 3, refined=True).information_loss(X)
    free = micro_som(X, 3, refined=True, rules=FREE).information_loss(X)
    table, row = "Beyond: refined, loss, % (next to MDAV)", "uniform 1e5 x 3, k=3"
    return [
        Row.of(table, row, "map by the rule, <= 0.075", MDAV, by_rule, holds=by_rule <= REFINED),
        Row.of(table, row, "300 units, <= 0.068", MDAV, free, holds=free <= REFINED_FREE),
    ]
