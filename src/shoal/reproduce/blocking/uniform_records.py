"""The blocking paper's experiments on uniform records: tables 3 and 4, figures 4 to 8."""

from __future__ import annotations

import json
from dataclasses import dataclass

from shoal.blocking.block_fusion import fuse_small_leaves
from shoal.blocking.twod_tree import twod_tree
from shoal.blocking.univariate_blocks import univariate_blocks
from shoal.datasets import uniform_array
from shoal.encode.standardize import standardize
from shoal.kernels import Matrix
from shoal.methods.microaggregation.mdav import mdav
from shoal.reproduce.blocking.curves import lines_svg
from shoal.reproduce.reproduction import Row

K = 3
LIMITS = (500, 1000, 2000, 5000, 10_000)
N_RECORDS = 2_500_000  # of tables 3 and 4
N_BLOCKS = {500: (5000, 16384), 1000: (2500, 4096), 2000: (1250, 4096), 5000: (500, 1024), 10_000: (250, 1024)}
SSE = {2: (4.9, 4.55), 3: (1155.54, 593.64), 4: (21004.5, 7953.22), 5: (99876.3, 37269.3), 10: (1985030, 916119)}
MARGIN = 1.01  # of univariate rows on both sides; the tree may cost less

Point = dict[str, object]


def records(n: int, d: int) -> Matrix:
    return standardize(uniform_array(n, d, seed=1))


def losses(X: Matrix, limit: int) -> tuple[float, float]:
    """SSE within univariate blocks (equal intervals of the first column), and within blocks of the tree."""
    blocks = univariate_blocks(X, column=0, limit=limit, k=K), twod_tree(X, limit=limit, k=K, whole=True)
    univariate, tree = (mdav(X, K, blocks=found).sse(X) for found in blocks)
    return univariate, tree


def printed_gains() -> dict[int, float]:
    gain = {d: univariate / tree for d, (univariate, tree) in SSE.items()}
    return {d: gain[d] / gain[2] for d in gain}


@dataclass(frozen=True)
class BlockNumbersTable:
    """Table 3 and figure 4: numbers of blocks of 2.5 million records in two columns."""

    found: dict[int, tuple[int, int]]  # limit: univariate, tree

    def rows(self) -> list[Row]:
        rows = []
        for limit, printed in N_BLOCKS.items():
            for name, paper, ours in zip(("univariate", "2^d-tree"), printed, self.found[limit], strict=True):
                holds = abs(ours / paper - 1) <= 0.01
                rows.append(Row.of("Table 3: blocks", name, f"L={limit}", paper, ours, holds=holds))
        return rows

    def files(self) -> dict[str, str]:
        points: list[Point] = [
            {"limit": limit, "blocks": n_blocks, "blocking": name}
            for limit, pair in self.found.items()
            for name, n_blocks in zip(("univariate", "2^d-tree"), pair, strict=True)
        ]
        chart = lines_svg(points, "limit", "blocks", title="Useful blocks")
        return {"figure_4.json": json.dumps(points, indent=2), "figure_4.svg": chart}


def numbers_of_blocks() -> BlockNumbersTable:
    X = records(N_RECORDS, 2)
    tree = twod_tree(X, limit=LIMITS[0], k=K, whole=True).tree
    found = {}
    for limit in LIMITS:
        of_leaves = fuse_small_leaves(tree.prune(limit), K, "nearest", limit)
        found[limit] = univariate_blocks(X, column=0, limit=limit, k=K).n_groups, int(of_leaves.max()) + 1
    return BlockNumbersTable(found)


@dataclass(frozen=True)
class Dimensions:
    """Table 4 and figure 8: SSE by number of columns."""

    n: int
    found: dict[int, tuple[float, float]]  # d: univariate, tree

    def rows(self) -> list[Row]:
        rows = []
        for d, printed in SSE.items():
            table = f"Table 4: SSE of {self.n:,} records, d={d}"
            univariate, tree = self.found[d]
            near = abs(univariate / printed[0] - 1) <= MARGIN - 1
            rows.append(Row.of(table, "univariate", "k=3", printed[0], univariate, holds=near))
            rows.append(Row.of(table, "2^d-tree", "k=3", printed[1], tree, holds=tree <= printed[1] * MARGIN))
        return rows

    def pairs(self) -> list[tuple[float, float]]:
        return list(self.found.values())

    def gains(self) -> dict[int, float]:
        """SSE of univariate blocks over that of the tree, relative to the same ratio in two columns."""
        gain = {d: univariate / tree for d, (univariate, tree) in self.found.items()}
        return {d: gain[d] / gain[2] for d in gain}

    def files(self) -> dict[str, str]:
        points: list[Point] = [
            {"d": d, "sse": sse, "blocking": name}
            for d, pair in self.found.items()
            for name, sse in zip(("univariate", "2^d-tree"), pair, strict=True)
        ]
        name = f"figure_8_n{self.n}"
        chart = lines_svg(points, "d", "sse", title=f"SSE of {self.n:,} records, L = 10000", log=True)
        return {f"{name}.json": json.dumps(points, indent=2), f"{name}.svg": chart}


def by_dimension(n: int) -> Dimensions:
    return Dimensions(n, {d: losses(records(n, d), 10_000) for d in SSE})


@dataclass(frozen=True)
class Evolution:
    """Figures 5 to 7: SSE by L and number of records, in two columns."""

    found: dict[tuple[int, int], tuple[float, float]]  # (n, limit): univariate, tree

    def pairs(self) -> list[tuple[float, float]]:
        return list(self.found.values())

    def growth(self) -> tuple[float, float]:
        """SSE of the most over that of the fewest records: tree at its worst limit, univariate at the smallest."""
        sizes = sorted({n for n, _ in self.found})
        limits = sorted({limit for _, limit in self.found})
        first, last = sizes[0], sizes[-1]
        of_tree = max(self.found[last, limit][1] / self.found[first, limit][1] for limit in limits)
        return of_tree, self.found[last, limits[0]][0] / self.found[first, limits[0]][0]

    def files(self) -> dict[str, str]:
        points: list[Point] = [
            {"records": n, "limit": limit, "sse": sse, "blocking": name}
            for (n, limit), pair in self.found.items()
            for name, sse in zip(("univariate", "2^d-tree"), pair, strict=True)
        ]
        by_tree = [point for point in points if point["blocking"] == "2^d-tree"]
        by_column = [point for point in points if point["blocking"] == "univariate"]
        return {
            "figures_5_7.json": json.dumps(points, indent=2),
            "figure_5.svg": lines_svg(points, "limit", "sse", title="SSE against L", panel="records", log=True),
            "figure_6.svg": lines_svg(by_tree, "limit", "sse", title="SSE, 2^d-tree", color="records"),
            "figure_7.svg": lines_svg(by_column, "limit", "sse", title="SSE, univariate", color="records"),
        }


def evolution(*, full: bool) -> Evolution:
    scale = 1 if full else 10  # a tenth of the records and of the limit: as many blocks
    found = {}
    for n in (500_000, 1_000_000, 1_500_000, 2_000_000):
        X = records(n // scale, 2)
        for limit in LIMITS:
            found[n // scale, limit // scale] = losses(X, limit // scale)
    return Evolution(found)
