"""Errors of random count queries on a release, compared with those of another plan."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

import numpy as np

from shoal.assessment.utility.queries import CountQuery, estimates, true_counts
from shoal.assessment.utility.random_queries import drawn_queries
from shoal.encode.count_table import CountTable
from shoal.findings import Finding, Findings
from shoal.kernels import Labels, Matrix, Vector
from shoal.plan import CutTree

MOST_QUERIES, FEWEST_QUERIES = 300, 50
FEWEST_DRAWN = 50  # at once
MOST_WORK = 30_000_000  # combinations examined for all queries; large tables get fewer queries
MOST_STRATA = 100  # the largest ones are queried
RARE = 0.001  # share of the records: queries that match fewer are left out


@dataclass(frozen=True, eq=False)
class Stratum:
    """Combinations, the tree that generalizes them, and the tree to compare with."""

    counts: CountTable
    tree: CutTree
    totals: Labels  # (n_blocks,) released records
    baseline: CutTree | None = None  # None: all records in one block

    def true_counts(self, queries: Sequence[CountQuery]) -> Labels:
        return true_counts(self.tree, self.counts, queries)

    def estimates(self, queries: Sequence[CountQuery]) -> Matrix:
        """(n_queries, 2) estimate, estimate of the other tree."""
        estimated = estimates(self.tree, self.counts, queries, self.totals)
        return np.column_stack([estimated, self._baseline_estimates(queries)])

    def _baseline_estimates(self, queries: Sequence[CountQuery]) -> Vector:
        if self.baseline is not None:
            return estimates(self.baseline, self.counts, queries)
        n_records = np.array([self.counts.n_records])
        return estimates(_one_block(self.tree), self.counts, queries, n_records)


def query_findings(
    strata: Sequence[Stratum], *, fewest: int, baseline: str, suffix: str = "", seed: int = 0
) -> Findings:
    """``fewest``: records that match a query at least; ``baseline``: what the baseline is, in words; ``suffix``: which
    of several key sets."""
    largest = sorted(strata, key=lambda stratum: -len(stratum.counts))[:MOST_STRATA]
    counts = CountTable.concat(stratum.counts for stratum in largest)
    n_queries = int(np.clip(MOST_WORK // len(counts), FEWEST_QUERIES, MOST_QUERIES))
    drawn = drawn_queries(counts, largest[0].tree.domains, seed)
    asked, true = _frequent(largest, drawn, n_queries, max(fewest, RARE * counts.n_records, 1))
    if not asked:
        return Findings()
    estimated: Matrix = np.sum([stratum.estimates(asked) for stratum in largest], axis=0)
    errors, baseline_errors = (100 * np.abs(estimated[:, at] - true) / true for at in (0, 1))
    sample = f"{len(asked)} random queries of two or three columns" + _strata_sample(len(strata), len(largest))
    return Findings(
        tuple(
            Finding(
                f"count queries{suffix}, {name} error",
                float(figure(errors)),
                f"How far counts that are estimated from the release are from the true ones: the {name} of {sample}. "
                f"The baseline is {baseline}.",
                baseline=float(figure(baseline_errors)),
                unit="%",
            )
            for name, figure in (("median", np.median), ("mean", np.mean))
        )
    )


def _frequent(
    strata: Sequence[Stratum], drawn: Iterator[CountQuery], n_queries: int, fewest: float
) -> tuple[list[CountQuery], Labels]:
    """The first queries that match at least ``fewest`` records, and how many these are. No more are drawn than
    are needed, and at most twice as many."""
    asked, counts = list[CountQuery](), list[int]()
    left = 2 * n_queries
    while left and len(asked) < n_queries:
        portion = list(islice(drawn, min(left, max(n_queries - len(asked), FEWEST_DRAWN))))
        true: Labels = np.sum([stratum.true_counts(portion) for stratum in strata], axis=0)
        kept = np.flatnonzero(true >= fewest)
        asked += [portion[at] for at in kept]
        counts += true[kept].tolist()
        left -= len(portion)
    return asked[:n_queries], np.array(counts[:n_queries], dtype=np.int64)


def _strata_sample(n_strata: int, n_evaluated: int) -> str:
    return f" in the {n_evaluated} largest of {n_strata:,} strata" if n_evaluated < n_strata else ""


def _one_block(tree: CutTree) -> CutTree:
    root = np.array([-1])
    return CutTree(tree.domains, tuple(parts[:1] for parts in tree.parts), root, root, np.zeros(1, dtype=np.int64))
