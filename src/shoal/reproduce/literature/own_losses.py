"""Losses of Shoal's methods on one set for one k, a lower bound, and the gap between the best and the bound."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from shoal import datasets
from shoal.encode.standardize import standardize
from shoal.kernels import Matrix
from shoal.methods.microaggregation.auto import microaggregate
from shoal.methods.microaggregation.lower_bound import lower_bound
from shoal.methods.microaggregation.mdav import mdav
from shoal.methods.microaggregation.mhm import mhm
from shoal.methods.microaggregation.mst_partition import mst_partition
from shoal.methods.microaggregation.mu_approx import mu_approx
from shoal.methods.microaggregation.vmdav import vmdav

REFINED = "microaggregate"


@dataclass(frozen=True)
class ComparisonLimits:
    proposals: int  # of microaggregate, for each set and k
    seconds: float  # of the lower bound, for each set and k


@dataclass(frozen=True)
class OwnLosses:
    """``losses``: by method, in percent; ``bound``: no partition into groups of at least k records loses less."""

    name: str
    k: int
    losses: Mapping[str, float]
    bound: float
    is_optimal: bool  # the bound is attained by a partition that the bound found

    @property
    def refined(self) -> float:
        return self.losses[REFINED]

    @property
    def gap(self) -> float:
        """Loss of ``microaggregate`` in excess of the bound, in percent of the bound."""
        return 100 * (self.refined / self.bound - 1)


def z_scores(name: str) -> Matrix:
    return standardize(np.column_stack(getattr(datasets, name)().columns))


def own_losses(name: str, X: Matrix, k: int, limits: ComparisonLimits) -> OwnLosses:
    partitions = {
        "MDAV": mdav(X, k),
        "V-MDAV, gamma auto": vmdav(X, k, gamma="auto"),
        "MHM along MDAV": mhm(X, k),
        "spanning tree": mst_partition(X, k),
        "mu-Approx": mu_approx(X, k),
        REFINED: microaggregate(X, k, proposals=limits.proposals),
    }
    bound = lower_bound(X, k, seconds=limits.seconds)
    losses = {method: partition.check(k).information_loss(X) for method, partition in partitions.items()}
    return OwnLosses(name, k, losses, 100 * bound / X.size, bound.is_optimal)
