"""V-MDAV with gamma = "auto": its loss beside MDAV and the best of 41 gammas, its CPU seconds beside one run.

    python benchmarks/gamma.py            the reference sets (SHOAL_DATA) and 24 random tables, k = 3, 4, 5, 10

The loss must not exceed the least of the others by more than 1 %. Of Adult and census-income the numeric columns of
5,000 records are taken.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

import numpy as np

import shoal
from shoal import datasets
from shoal.methods.microaggregation.gamma_search import GAMMAS

SIZES = (3, 4, 5, 10)
MOST = 5_000
N_RANDOM = 24
BAR = 1.01


def cpu_seconds(work: Callable[[], object], n_times: int = 3) -> float:
    seconds = []
    for _ in range(n_times):
        before = time.process_time()
        work()
        seconds.append(time.process_time() - before)
    return min(seconds)


def reference_tables() -> Iterator[tuple[str, np.ndarray]]:
    for name in datasets.available():
        columns = [column.to_numpy() for column in getattr(datasets, name.replace("-", "_"))().columns]
        numbers = np.column_stack([column for column in columns if np.issubdtype(column.dtype, np.number)])[:MOST]
        varying = numbers[:, numbers.std(axis=0) > 0].astype(float)
        if varying.shape[1]:
            yield name, shoal.standardize(varying)


def random_tables() -> Iterator[tuple[str, np.ndarray]]:
    draw = np.random.default_rng(0)
    for number in range(N_RANDOM):
        n, d = int(np.exp(draw.uniform(np.log(30), np.log(3000)))), int(draw.integers(1, 10))
        spread = float(draw.choice([0.001, 0.01, 0.03, 0.1]))
        kinds = {
            "uniform": lambda n=n, d=d: draw.random((n, d)),
            "lognormal": lambda n=n, d=d: draw.lognormal(size=(n, d)),
            f"clusters {spread:g}": lambda n=n, d=d, at=number, s=spread: datasets.clustered_array(
                n, d, (2, 12), s, at
            ),
            "whole numbers": lambda n=n, d=d: draw.integers(0, 8, (n, d)).astype(float),
        }
        kind = list(kinds)[number % len(kinds)]
        yield f"{kind} {n} x {d}", shoal.standardize(kinds[kind]())


def main() -> None:
    ratios, costs = [], []
    print(f"{'table':32}{'k':>3}{'MDAV':>10}{'best of 41':>12}{'auto':>10}{'ratio':>8}{'cost / one run':>16}")
    for tables in (reference_tables(), random_tables()):
        for name, X in tables:
            for k in SIZES:
                plain = shoal.mdav(X, k).information_loss(X)
                best = min(shoal.vmdav(X, k, gamma=gamma).information_loss(X) for gamma in GAMMAS)
                auto = shoal.vmdav(X, k, gamma="auto").information_loss(X)
                one = cpu_seconds(lambda X=X, k=k: shoal.vmdav(X, k))
                cost = cpu_seconds(lambda X=X, k=k: shoal.vmdav(X, k, gamma="auto"), 2) / one
                ratio = auto / min(plain, best) if min(plain, best) > 0 else 1.0 + auto
                ratios.append(ratio)
                costs.append(cost)
                print(f"{name:32}{k:>3}{plain:>10.4f}{best:>12.4f}{auto:>10.4f}{ratio:>8.4f}{cost:>16.1f}", flush=True)
    held = sum(ratio <= BAR for ratio in ratios)
    print(f"within 1 % of the least of all: {held} of {len(ratios)}, worst {max(ratios):.4f}")
    print(f"cost in runs: median {np.median(costs):.1f}, mean {np.mean(costs):.1f}, most {max(costs):.1f}")


if __name__ == "__main__":
    main()
