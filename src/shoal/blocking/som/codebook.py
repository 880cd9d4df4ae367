"""SOM blocking: a block is a part of a map, and a record belongs to the block of its nearest unit."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike

from shoal import kernels
from shoal.blocking.blocks import Blocks
from shoal.blocking.som.map_fusion import fuse_cells
from shoal.blocking.som.map_rules import BY_RULE, MapRules
from shoal.blocking.som.nearest_units import nearest_units
from shoal.blocking.som.train import som
from shoal.kernels import Labels, Matrix, thread_pool


@dataclass(frozen=True, eq=False)
class Codebook:
    """The blocking rule: the units with records, and the block of each."""

    units: Matrix  # (n_units, d)
    blocks: Labels  # (n_units,)

    form: ClassVar[str] = "of a self-organizing map"

    def block_of(self, X: Matrix) -> Labels:
        hints = np.zeros(len(X), dtype=np.int64)
        return self.blocks[nearest_units(X, self.units, hints, thread_pool.n_threads(None))]

    @property
    def n_blocks(self) -> int:
        return int(self.blocks.max()) + 1

    def to_json(self) -> str:
        return json.dumps({"rule": "nearest unit", "units": self.units.tolist(), "blocks": self.blocks.tolist()})


def som_blocks(
    X: ArrayLike,
    k: int,
    *,
    rules: MapRules = BY_RULE,
    seed: int = 0,
    threads: int | None = None,
) -> Blocks:
    """Blocks of at least ``k`` records that are neighbors on a map."""
    records = kernels.as_matrix(X)
    k = kernels.check_k(k, len(records))
    trained = som(records, rules=rules, seed=seed, threads=threads)
    parts = fuse_cells(records, trained, k)
    occupied = parts.of_unit >= 0
    return Blocks(parts.labels, Codebook(trained.units[occupied], parts.of_unit[occupied]))
