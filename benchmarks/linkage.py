"""Linkage: CPU seconds, peak memory, risk and recall of blocking of the same workload, one process each.

    python benchmarks/linkage.py             all workloads
    python benchmarks/linkage.py 1e5         those whose name begins so

Records are correlated normals of five columns; the release is rank-swapped within 2 % of the ranks. One thread. Peak
memory is of the whole process, imports and records included. The second table has the recall of every way of blocking
at about the same number of pairs.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pyarrow as pa

import shoal
from shoal.assessment.linkage_attacks import linkage_attacks
from shoal.assessment.risk.informed.published_methods import PublishedMethods
from shoal.assessment.table_pair import TablePair
from shoal.linkage.blocking_choice import choose_blocking
from shoal.linkage.candidates import Candidates
from shoal.linkage.intruder import Intruder
from shoal.linkage.linkage_blocking import LinkageBlocking, blocking_quality
from shoal.linkage.linkage_tables import LinkageTables, encode_linkage_arrays
from shoal.linkage.probabilistic_linkage import probabilistic_linkage
from shoal.linkage.quantifiers import Logistic, Power, Quantifier, Threshold
from shoal.methods.perturbation.rank_swap import rank_swap

COLUMNS = 5
Make = Callable[[LinkageTables], LinkageBlocking]


@dataclass(frozen=True)
class Workload:
    """``bar``: (most CPU seconds, most MB); None where there is none."""

    name: str
    n: int
    attack: Callable[[LinkageTables, Candidates | None], shoal.Links]
    blocking: Make | None
    bar: tuple[float | None, float | None] = (None, None)


def by_distance(sides: LinkageTables, candidates: Candidates | None) -> shoal.Links:
    return shoal.distance_linkage(*sides.points, candidates=candidates)


def by_ranks(sides: LinkageTables, candidates: Candidates | None) -> shoal.Links:
    return shoal.rank_linkage(*sides.points, candidates=candidates)


def by_weights(sides: LinkageTables, candidates: Candidates | None) -> shoal.Links:
    return probabilistic_linkage(sides, np.arange(sides.n_original), candidates=candidates)[0]


def by_method(sides: LinkageTables, _: Candidates | None) -> shoal.Links:
    """By an intruder who knows p; of large files, for a sample of persons."""
    original, released = (pa.table({str(j): X[:, j] for j in range(COLUMNS)}) for X in sides.points)
    schema = shoal.Schema(shoal.Column(name, "quasi_identifier", "numeric") for name in original.column_names)
    aligned = TablePair.of(original, released, schema).aligned(np.arange(len(original)))
    published = PublishedMethods((shoal.RankSwap(p=2.0),))
    found = linkage_attacks(aligned, Intruder(), original.column_names, ("informed",), published=published)
    return found.linkages["informed"].links


def fuzzy(*quantifiers: Quantifier, n_blocks: int | None = None) -> Make:
    return lambda _: shoal.FuzzyBlocking(quantifiers or (Power(1.0),), n_blocks=n_blocks)


def standard(*keys: str, n_blocks: int) -> Make:
    return lambda _: shoal.StandardBlocking(keys, n_blocks=n_blocks)


def neighborhood(*keys: str, window: float | int) -> Make:
    return lambda _: shoal.SortedNeighborhood(keys, window)


def automatic(sides: LinkageTables) -> LinkageBlocking:
    return choose_blocking(sides, np.arange(sides.n_original), n_pairs=sides.n_original**2 // 100).blocking


BAR = (120, 2000)
WORKLOADS = [
    Workload("1e5 distance", 100_000, by_distance, None, (10, None)),
    Workload("1e5 rank", 100_000, by_ranks, None),
    Workload("1e5 informed", 100_000, by_method, None),
    Workload("1e6 informed", 1_000_000, by_method, None),
    Workload("1e5 probabilistic, fuzzy of 200 blocks", 100_000, by_weights, fuzzy(n_blocks=200)),
    Workload("1e6 distance", 1_000_000, by_distance, None),
    Workload("1e6 distance, fuzzy of one decimal", 1_000_000, by_distance, fuzzy(), BAR),
    Workload("1e6 distance, fuzzy of 1000 blocks", 1_000_000, by_distance, fuzzy(n_blocks=1000), BAR),
    Workload("1e6 distance, window of 1000", 1_000_000, by_distance, neighborhood("0", window=1000), BAR),
]
RECALLS: dict[str, Make] = {
    "fuzzy, Q1 0.2": fuzzy(Power(0.2), n_blocks=100),
    "fuzzy, Q1 1": fuzzy(Power(1.0), n_blocks=100),
    "fuzzy, Q1 2": fuzzy(Power(2.0), n_blocks=100),
    "fuzzy, Q2 0.5": fuzzy(Logistic(0.5), n_blocks=100),
    "fuzzy, Q3 0.9": fuzzy(Threshold(0.9), n_blocks=100),
    "standard, one column": standard("0", n_blocks=100),
    "standard, five passes": standard(n_blocks=500),
    "sorted, one column": neighborhood("0", window=0.01),
    "sorted, five passes": neighborhood(window=0.002),
    "auto": automatic,
}


def files(n: int, p: float = 2.0) -> LinkageTables:
    chance = np.random.default_rng(0)
    original = chance.normal(size=(n, COLUMNS)) + 0.7 * chance.normal(size=(n, 1))
    return encode_linkage_arrays(original, rank_swap(original, p=p, seed=0))


def measure(workload: Workload) -> dict[str, float | None]:
    """In this process, after the records are there."""
    sides = files(workload.n)
    wall, cpu = time.perf_counter(), time.process_time()
    candidates = workload.blocking(sides).candidates(sides) if workload.blocking else None
    links = workload.attack(sides, candidates)
    cost = {"wall": time.perf_counter() - wall, "cpu": time.process_time() - cpu}
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    quality = None if candidates is None else blocking_quality(candidates, np.arange(workload.n))
    return {
        **cost,
        "mb": peak,
        "risk": 100 * float(links.chances.mean()),
        "recall": None if quality is None else quality.recall,
        "pairs": float(workload.n) ** 2 if quality is None else quality.n_pairs,
    }


def print_workload(workload: Workload) -> None:
    words = [sys.executable, __file__, "--one", workload.name]
    found = json.loads(subprocess.run(words, capture_output=True, text=True, env=os.environ, check=True).stdout)
    pairs = zip(workload.bar, (found["cpu"], found["mb"]), ("s", "MB"), strict=True)
    bars = [(bar, value, unit) for bar, value, unit in pairs if bar is not None]
    shown = ", ".join(f"<= {bar:g} {unit}" for bar, _, unit in bars)
    holds = "yes" if all(value <= bar for bar, value, _ in bars) else "NO"
    recall = "" if found["recall"] is None else f"{100 * found['recall']:.1f}"
    print(
        f"| {workload.name} | {found['cpu']:.2f} | {found['wall']:.2f} | {found['mb']:.0f} | {found['risk']:.2f} "
        f"| {recall} | {found['pairs']:.3g} | {shown} | {holds if bars else ''} |",
        flush=True,
    )


def print_recalls() -> None:
    print("\n| blocking of 1e4, RS-10 | recall % | pairs % | largest block |\n|---|---:|---:|---:|")
    sides = files(10_000, p=10)
    for name, made in RECALLS.items():
        quality = blocking_quality(made(sides).candidates(sides), np.arange(sides.n_original))
        assert quality.recall is not None
        pairs = 100 * (1 - quality.reduction_ratio)
        print(f"| {name} | {100 * quality.recall:.1f} | {pairs:.2f} | {quality.largest_block} |", flush=True)


def main() -> None:
    if sys.argv[1:2] == ["--one"]:
        print(json.dumps(measure(next(w for w in WORKLOADS if w.name == sys.argv[2]))))
        return
    print("| work | CPU s | wall s | peak MB | risk % | recall % | pairs | bar | holds |")
    print("|---|---:|---:|---:|---:|---:|---:|---|---|")
    for workload in WORKLOADS:
        if workload.name.startswith(tuple(sys.argv[1:]) or ""):
            print_workload(workload)
    print_recalls()


if __name__ == "__main__":
    main()
