"""Microaggregation by Micro-SOM: the cells of a self-organizing map are the groups; linear time in the records.

arrays of one block -> SomPartition(Partition)

Solanas, Gavalda & Rallo (2009), "Micro-SOM: a linear-time multivariate microaggregation algorithm based on
self-organizing maps", ICANN, doi:10.1007/978-3-642-04274-4_55.

1. A map is trained on the (standardized) records, and every record is assigned to its best matching unit.
2. While a cell has fewer than k records, it is fused with the closest neighboring cell (blocking/som/map_fusion.py).
3. The remaining cells are groups of at least k records.

The groups are as large as the cells, some sqrt(n) / 5 records, whatever k is. There are two ways to make them smaller,
the second of which the paper leaves as future work:
- ``refined``: MDAV within every part, so that all groups have k to 2k - 1 records; still linear;
- ``grow``: a part with more records than that is divided by a map of its own, recursively.

With missing values (``missing="known"``), distances use the known values only, and after training a missing value is
replaced by that of the record's unit. The map is trained longer than by the SOM Toolbox (schedule.py).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from shoal import kernels
from shoal.blocking.som import Map, MapRules, som
from shoal.blocking.som.input import Missing, as_records
from shoal.blocking.som.last_map import LAST_MAP
from shoal.blocking.som.map_fusion import Fusing, fuse_cells
from shoal.blocking.som.map_rules import BY_RULE
from shoal.errors import PolicyError
from shoal.kernels import Matrix
from shoal.methods.microaggregation.in_blocks import in_blocks
from shoal.methods.microaggregation.mdav import mdav
from shoal.methods.microaggregation.microaggregation_method import MicroaggregationMethod
from shoal.plan import Partition


@dataclass(frozen=True, eq=False, repr=False)
class SomPartition(Partition):
    """A partition and the map from which it was derived."""

    map: Map


def micro_som(
    X: ArrayLike,
    k: int,
    *,
    seed: int = 0,
    refined: bool = False,
    grow: int | None = None,
    fusing: Fusing = "smallest_first",
    rules: MapRules = BY_RULE,
    missing: Missing = "refuse",
    threads: int | None = None,
) -> SomPartition:
    """Groups of at least ``k`` records that are close on a map; of at most 2k - 1 if ``refined``.

    ``fusing``: small cells are fused one after the other, the smallest first, or all at once in rounds as published.
    """
    records = as_records(X, missing)
    k = kernels.check_k(k, len(records))
    if grow is not None and grow < 2 * k:
        raise PolicyError.too_small("micro_som.grow", 2 * k, grow, "a smaller part cannot be divided")
    trained = LAST_MAP.find_or_train(records, rules=rules, missing=missing, seed=seed, threads=threads)
    whole = trained.impute_missing(records)
    parts: Partition = fuse_cells(whole, trained, k, fusing)
    if grow is not None:
        own = replace(rules, size=None)  # the size of each part's own map is determined separately
        divide = partial(_divide_by_map, k=k, most=grow, fusing=fusing, rules=own, seed=seed)
        parts = in_blocks(whole, parts, divide, threads=threads)
    if refined:
        parts = in_blocks(whole, parts, partial(mdav, k=k), threads=threads)
    return SomPartition(parts.labels, trained)


def _divide_by_map(records: Matrix, *, k: int, most: int, fusing: Fusing, rules: MapRules, seed: int) -> Partition:
    """Divides more than ``most`` records by a map of their own, unless it puts them all into one part."""
    together = Partition(np.zeros(len(records), dtype=np.int64))
    if len(records) <= most:
        return together
    parts = fuse_cells(records, som(records, rules=rules, seed=seed, threads=1), k, fusing)
    if parts.n_groups == 1:
        return together
    divide = partial(_divide_by_map, k=k, most=most, fusing=fusing, rules=rules, seed=seed)
    return in_blocks(records, parts, divide, threads=1)


@dataclass(frozen=True)
class MicroSom(MicroaggregationMethod):
    """Micro-SOM as the method of a policy.

    refined  MDAV within every part of the map: groups of k to 2k - 1 records
    grow     parts with more records than this are divided by a map of their own
    fusing   cells with fewer than k records are fused one after the other, the smallest first, or all at once in rounds
             as published
    map      how the map is built
    """

    refined: bool = False
    grow: int | None = None
    fusing: Fusing = "smallest_first"
    map: MapRules = BY_RULE
    name: Literal["micro_som"] = "micro_som"

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.grow is not None and self.grow < 2 * (self.k or 2):
            raise PolicyError.too_small("method.grow", 2 * (self.k or 2), self.grow, "a smaller part cannot be divided")

    @property
    def map_rules(self) -> MapRules:
        return self.map

    def plan(self, X: Matrix, k: int, seed: int) -> Partition:
        return micro_som(X, k, seed=seed, refined=self.refined, grow=self.grow, fusing=self.fusing, rules=self.map)
