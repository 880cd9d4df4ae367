"""The nodes of a tree as parallel arrays; a parent precedes its children."""

from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np

from shoal.blocking.grid_cells import Keys, pad_keys
from shoal.kernels import Ints


@dataclass(frozen=True, eq=False)
class Nodes:
    n_bits: Ints  # (n,) of the key
    level: Ints  # (n,)
    parent: Ints  # (n,) -1 for the root
    keys: Keys  # (n, n_words)
    n_records: Ints  # (n,)
    sums: Ints  # (n, n_columns) of positions

    @classmethod
    def root(cls, n_records: int, n_columns: int) -> Nodes:
        zero = np.zeros(1, dtype=np.int64)
        sums = np.zeros((1, n_columns), dtype=np.int64)  # not needed: a single root is not fused
        return cls(zero, zero, zero - 1, np.zeros((1, 1), dtype=np.uint64), zero + n_records, sums)

    def __len__(self) -> int:
        return len(self.parent)

    def __add__(self, other: Nodes) -> Nodes:
        n_words = max(self.keys.shape[1], other.keys.shape[1])
        joined = {
            field.name: np.concatenate([getattr(self, field.name), getattr(other, field.name)])
            for field in fields(Nodes)
            if field.name != "keys"
        }
        return Nodes(keys=np.concatenate([pad_keys(self.keys, n_words), pad_keys(other.keys, n_words)]), **joined)

    def __getitem__(self, chosen: Ints) -> Nodes:
        return Nodes(**{field.name: getattr(self, field.name)[chosen] for field in fields(Nodes)})

    def leaves(self) -> Ints:
        """Nodes without children, sorted by key."""
        childless = np.ones(len(self), dtype=bool)
        childless[self.parent[1:]] = False
        found = np.flatnonzero(childless)
        return found[np.lexsort(self.keys[found].T[::-1])]
