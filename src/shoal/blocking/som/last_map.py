"""The map that was trained last: a release is grouped by a map and its report shows it, and training it takes long."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from threading import Lock

import numpy as np

from shoal.blocking.som.input import Missing
from shoal.blocking.som.map import Map
from shoal.blocking.som.map_rules import MapRules
from shoal.blocking.som.train import som
from shoal.kernels import Matrix

Key = tuple[bytes, tuple[int, ...], MapRules, int, int | None]


@dataclass
class LastMap:
    """One map, and what it was trained from; every other replaces it."""

    _entry: tuple[Key, Map] | None = None
    _lock: Lock = field(default_factory=Lock)

    def find_or_train(
        self, records: Matrix, *, rules: MapRules, missing: Missing, seed: int, threads: int | None = None
    ) -> Map:
        """``som`` of the records, which is trained unless it is the last one."""
        key = (hashlib.sha256(np.ascontiguousarray(records).data).digest(), records.shape, rules, seed, threads)
        with self._lock:
            known = self._entry
        if known and known[0] == key:
            return known[1]
        trained = som(records, rules=rules, missing=missing, seed=seed, threads=threads)
        with self._lock:
            self._entry = (key, trained)
        return trained


LAST_MAP = LastMap()
