"""Microaggregation: CPU seconds, peak memory and information loss of the same workload, one process each.

    python benchmarks/microaggregation.py            all workloads
    python benchmarks/microaggregation.py mdav       those whose name begins so

The reference sets need SHOAL_DATA. "refine" and "recombine" are shoal.microaggregate with two threads and so many
seconds of wall time; all else is one thread. Peak memory is of the whole process, imports and records included.
"""

from __future__ import annotations

from dataclasses import dataclass

import bars
import numpy as np

import shoal
from shoal import datasets

SECONDS = {"refine": 10, "recombine": 600}


@dataclass(frozen=True)
class Workload:
    """``bar``: (most CPU seconds, most information loss, most MB); None where there is none."""

    name: str
    method: str
    data: str  # a reference set, or n x d of uniform records
    k: int
    bar: tuple[float | None, float | None, float | None]

    def records(self) -> np.ndarray:
        if "x" not in self.data:
            return shoal.standardize(np.column_stack(getattr(datasets, self.data)().columns))
        n, d = self.data.split("x")
        return datasets.uniform_array(int(float(n)), int(d), seed=0)


REFINED = {
    "tarragona": {3: 14.6, 5: 20.4, 10: 30.3},
    "census": {3: 4.80, 5: 7.5, 10: 11.6},
    "eia": {3: 0.354, 5: 0.78, 10: 2.0},
}
WORKLOADS = [
    Workload("mdav 1e5 x 3", "mdav", "1e5x3", 3, (0.5, None, None)),
    Workload("mdav 1e5 x 10", "mdav", "1e5x10", 3, (6.0, None, None)),
    Workload("mdav 1e6 x 3", "mdav", "1e6x3", 3, (8.0, None, 500)),
    Workload("vmdav 1e5 x 3", "vmdav", "1e5x3", 3, (2.0, None, None)),
    *(
        Workload(f"refine {name} k={k}", "refine", name, k, (None, loss, None))
        for name, losses in REFINED.items()
        for k, loss in losses.items()
    ),
    Workload("refine 1e5 x 3", "refine", "1e5x3", 3, (None, 0.049, None)),
    *(
        Workload(f"recombine {name} k=3", "recombine", name, 3, (None, loss, None))
        for name, loss in {"tarragona": 14.475, "census": 4.670, "eia": 0.3512}.items()
    ),
]


def grouped(workload: Workload, X: np.ndarray) -> shoal.Partition:
    match workload.method:
        case "mdav":
            return shoal.mdav(X, workload.k)
        case "vmdav":
            return shoal.vmdav(X, workload.k, gamma=0.2)
        case "refine" | "recombine":
            return shoal.microaggregate(X, workload.k, seconds=SECONDS[workload.method], seed=0, threads=2)
        case other:
            raise ValueError(other)


if __name__ == "__main__":
    bars.main(WORKLOADS, grouped, __file__)
