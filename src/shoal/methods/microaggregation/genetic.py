"""Genetic microaggregation: partitions are crossed and mutated. For small tables of some hundred records at most.

arrays of one block -> Partition

Solanas, Martinez-Balleste, Mateo-Sanz & Domingo-Ferrer (2006), "Multivariate microaggregation based on genetic
algorithms", IEEE Intelligent Systems.

A chromosome has one gene per record: the number of its group, one of floor(n / k). Parents are drawn by a roulette
wheel with fitness 1 / (1 + SSE), crossed at one point and mutated.

Where the paper is silent, or we depart from it:
- every chromosome is repaired: the smallest group below k is dissolved, its records moved to the nearest centroids, and
  a group of 2k or more is divided, until all have k to 2k - 1 records;
- groups are numbered by their first gene, so that equal partitions have equal genes, and genes follow a path from
  record to nearest record, so that a crossover swaps regions;
- the best partition so far always survives;
- the default rates are ours.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from shoal import kernels, progress
from shoal.errors import PolicyError
from shoal.methods.microaggregation.microaggregation_method import MicroaggregationMethod
from shoal.plan import Partition

GENERATIONS_PER_STEP = 20  # generations between two returns to Python


def genetic(
    X: ArrayLike,
    k: int,
    *,
    generations: int = 500,
    population: int = 100,
    crossover: float = 0.5,
    mutation: float = 0.3,
    seed: int = 0,
) -> Partition:
    """The best partition found by a ``population`` of partitions. The same seed gives the same partition.

    ``crossover`` is the probability that two parents are crossed, ``mutation`` the mean number of genes of a chromosome
    that mutate.
    """
    records = kernels.as_matrix(X)
    n = len(records)
    k, seed = kernels.check_k(k, n), kernels.check_seed(seed)
    for name, least, given, reason in (
        ("generations", 0, generations, "it is a number of rounds"),
        ("population", 2, population, "a child has two parents"),
        ("crossover", 0, crossover, "it is a chance"),
        ("mutation", 0, mutation, "it is a number of genes"),
    ):
        if not given >= least:
            raise PolicyError.too_small(f"genetic.{name}", least, given, reason)
    start = kernels.farthest_from(records, kernels.column_sums(records) / n)
    walk = kernels.nearest_next_path(records, start)  # (n,) records in gene order
    state = kernels.Genetic(
        X=np.ascontiguousarray(records[walk]),
        k=k,
        population=population,
        crossover=crossover,
        mutation=mutation / n,
        seed=seed,
    )
    with progress.stage("evolving partitions", generations) as at:
        for done in range(0, generations, GENERATIONS_PER_STEP):
            state.step(min(GENERATIONS_PER_STEP, generations - done))
            at(done)
        at(generations)
    labels = np.empty(n, dtype=np.int64)
    labels[walk] = state.best()
    return Partition(labels)


@dataclass(frozen=True)
class Genetic(MicroaggregationMethod):
    """Genetic microaggregation as the method of a policy.

    generations  how often the population is renewed
    population   number of partitions in a generation
    crossover    probability that two parents are crossed
    mutation     mean number of genes of a chromosome that mutate
    """

    generations: int = 500
    population: int = 100
    crossover: float = 0.5
    mutation: float = 0.3
    name: Literal["genetic"] = "genetic"

    def plan(self, X: kernels.Matrix, k: int, seed: int) -> Partition:
        return genetic(
            X,
            k,
            generations=self.generations,
            population=self.population,
            crossover=self.crossover,
            mutation=self.mutation,
            seed=seed,
        )
