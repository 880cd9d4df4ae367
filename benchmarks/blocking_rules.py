"""Blocking rules on eleven tables and on four fresh ones: information loss and CPU seconds of MDAV within the blocks.

    python benchmarks/blocking_rules.py          k = 3
    python benchmarks/blocking_rules.py 5        another k

    whole       no blocks
    published   the 2^d-tree as published: all dimensions at once
    gradual     one dimension at a time where parts would hold few groups
    default     whichever of the two loses less in a pilot
    map         parts of a self-organizing map, trained on a sample
    auto        tree or map, whichever loses less in a pilot; a table that is small enough is grouped whole instead
    repaired    the same after groups have exchanged records across borders
    grid        six full levels of the 2^d-tree, whatever the limit, small cells fused with the nearest centroid

Blocks have at most 1,000 records, of tables below 5,000 records 200. A cell is the loss, 100 SSE / SST, and CPU seconds
of blocks and groups together. Means are geometric, of the losses relative to those without blocks.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

import shoal
from shoal import datasets
from shoal.blocking.block_choice import choose_blocks
from shoal.blocking.block_fusion import fuse_small_leaves
from shoal.blocking.blocks import BlockRule, Blocks
from shoal.blocking.grid_cells import GridCells
from shoal.blocking.map_plan import train_codebook
from shoal.blocking.som.map_rules import BY_RULE
from shoal.blocking.tree import TwodTree
from shoal.blocking.tree_nodes import Nodes
from shoal.blocking.tree_plan import InMemory, TreeOptions, plan_tree
from shoal.blocking.tree_space import TreeSpace
from shoal.blocking.twod_rule import TwodRule
from shoal.encode.embedding import fit_embedding
from shoal.schema import Column, Schema

CONTINUOUS = (
    "age",
    "wage per hour",
    "capital gains",
    "capital losses",
    "dividends from stocks",
    "num persons worked for employer",
    "weeks worked in year",
)
GRID_LEVELS = 6
NOTHING = 1e-6  # loss in percent; less is no loss


@dataclass(frozen=True)
class Embedded(InMemory):
    """Records whose coordinates for blocks differ from the points in which distances are measured."""

    points: np.ndarray

    def points_of(self, rule: BlockRule, blocks: np.ndarray) -> list[np.ndarray]:
        labels = rule.block_of(self.records)
        return [self.points[labels == block] for block in blocks]


def numbers(X: np.ndarray) -> Embedded:
    Z = shoal.standardize(X)
    return Embedded(Z, Z)


def casc(name: str) -> Embedded:
    return numbers(np.column_stack(getattr(datasets, name)().columns))


def adult() -> Embedded:
    table = datasets.adult()
    schema = Schema(
        Column(name, "quasi_identifier", "numeric" if name == "age" else "nominal") for name in table.column_names
    )
    embedding = fit_embedding(table, schema)
    return Embedded(embedding.coordinates(table), embedding.points(table))


def census_income() -> Embedded:
    table = datasets.census_income()
    return numbers(np.column_stack([table[name].to_numpy() for name in CONTINUOUS]).astype(float))


def clusters(n: int, d: int, n_clusters: int, spread: float, seed: int) -> np.ndarray:
    chance = np.random.default_rng(seed)
    return chance.random((n_clusters, d))[chance.integers(0, n_clusters, n)] + spread * chance.normal(size=(n, d))


def correlated(n: int) -> np.ndarray:
    chance = np.random.default_rng(12)
    return chance.normal(size=(n, 2)) @ chance.normal(size=(2, 7)) + 0.15 * chance.normal(size=(n, 7))


def integers(n: int) -> np.ndarray:
    chance = np.random.default_rng(15)
    return np.column_stack([chance.integers(0, most, n) for most in (3, 5, 12, 40, 100)]).astype(float)


def mixture(n: int) -> np.ndarray:
    chance = np.random.default_rng(16)
    of = chance.choice(12, n, p=chance.dirichlet(np.ones(12)))
    return 3 * chance.normal(size=(12, 4))[of] + chance.gamma(1.0, 0.4, size=(12, 4))[of] * chance.normal(size=(n, 4))


SETS: dict[str, Callable[[], Embedded]] = {
    "census 1,080 x 13": lambda: casc("census"),
    "tarragona 834 x 13": lambda: casc("tarragona"),
    "eia 4,092 x 11": lambda: casc("eia"),
    "adult 30,162 x 9": adult,
    "census-income 99,762 x 7": census_income,
    "uniform 20,000 x 2": lambda: numbers(datasets.uniform_array(20_000, 2, seed=1)),
    "uniform 20,000 x 10": lambda: numbers(datasets.uniform_array(20_000, 10, seed=1)),
    "normal 20,000 x 3": lambda: numbers(np.random.default_rng(2).normal(size=(20_000, 3))),
    "lognormal 20,000 x 4": lambda: numbers(np.random.default_rng(3).lognormal(size=(20_000, 4))),
    "40 clusters 20,000 x 3": lambda: numbers(clusters(20_000, 3, 40, 0.02, 4)),
    "200 clusters 20,000 x 6": lambda: numbers(clusters(20_000, 6, 200, 0.05, 5)),
    "fresh: heavy tails 30,000 x 5": lambda: numbers(np.random.default_rng(11).standard_t(2.5, size=(30_000, 5))),
    "fresh: correlated 30,000 x 7": lambda: numbers(correlated(30_000)),
    "fresh: integers 30,000 x 5": lambda: numbers(integers(30_000)),
    "fresh: mixture 30,000 x 4": lambda: numbers(mixture(30_000)),
}


def tree(source: Embedded, k: int, limit: int, whole: bool | str) -> BlockRule:
    return plan_tree(source, TreeOptions(limit, k, whole=whole)).rule


def grid(source: Embedded, k: int) -> BlockRule:
    """Cells of the last level, children of the root."""
    n, d = source.records.shape
    ranges, n_bits = source.ranges(), GRID_LEVELS * d
    space = TreeSpace(ranges.lower, ranges.upper, np.arange(d))
    cells = GridCells.of(source.records, space, n_bits, np.zeros((1, 1), dtype=np.uint64), 0)
    one = np.ones(len(cells.counts), dtype=np.int64)
    nodes = Nodes.root(n, d) + Nodes(n_bits * one, one, 0 * one, cells.keys, cells.counts, cells.sums)
    full = TwodTree(space, nodes)
    return TwodRule.of(full, fuse_small_leaves(full, k, "nearest", n))


RULES: dict[str, Callable[[Embedded, int, int], BlockRule]] = {
    "published": lambda source, k, limit: tree(source, k, limit, True),
    "gradual": lambda source, k, limit: tree(source, k, limit, False),
    "default": lambda source, k, limit: tree(source, k, limit, "auto"),
    "map": lambda source, k, limit: train_codebook(source, len(source.records), k, limit, BY_RULE),
    "auto": lambda source, k, limit: choose_blocks(source, TreeOptions(limit, k)).rule,
    "repaired": lambda source, k, limit: choose_blocks(source, TreeOptions(limit, k)).rule,
    "grid": lambda source, k, limit: grid(source, k),
}


def measure(source: Embedded, k: int, rule: str) -> tuple[float, float]:
    """(loss, CPU seconds)"""
    begun = time.process_time()
    blocks = None
    if rule != "whole":
        found = RULES[rule](source, k, 200 if len(source.records) < 5000 else 1000)
        blocks = Blocks(found.block_of(source.records), found)
    partition = shoal.mdav(source.points, k, blocks=blocks)
    if rule == "repaired":
        partition = shoal.repair(source.points, partition, k)
    seconds = time.process_time() - begun
    return partition.information_loss(source.points), seconds


def main() -> None:
    k = int(sys.argv[1]) if sys.argv[1:] else 3
    rules = ("whole", *RULES)
    shoal.repair(
        X := datasets.uniform_array(100, 2, seed=0), shoal.mdav(X, 3, blocks=shoal.twod_tree(X, 3, limit=50)), 3
    )
    print(f"| k = {k} | {' | '.join(rules)} |\n|---|{'---:|' * len(rules)}")
    losses = []
    for name, made in SETS.items():
        source = made()
        found = [measure(source, k, rule) for rule in rules]
        losses.append([loss for loss, _ in found])
        print(f"| {name} | {' | '.join(f'{loss:.3g}, {cpu:.2f} s' for loss, cpu in found)} |", flush=True)
    table = np.maximum(np.array(losses), NOTHING)  # (n_sets, n_rules)
    for of, rows in (("all", slice(None)), ("fresh", slice(-4, None))):
        means = np.exp(np.log(table[rows] / table[rows, :1]).mean(axis=0))
        print(f"| mean over whole, {of} | {' | '.join(f'{mean:.3f}' for mean in means)} |")
    better = table[:, 1:3].min(axis=1)
    over = table[-4:, 3] / better[-4:]
    print(
        f"\nOf the fresh tables, default over the better of published and gradual: "
        f"mean {np.exp(np.log(over).mean()):.3f} (bar 1.02), worst {over.max():.3f} (bar 1.10)."
    )


if __name__ == "__main__":
    main()
