"""Chance for what must not be undone: new numbers, another order.

The seed of a release is no secret: it is in the manifest. So chance comes from the seed and from the original
quasi-identifiers together, which only those have who hold the original; to them the release is the same every time.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Self

import numpy as np

from shoal.kernels import Matrix


@dataclass(frozen=True)
class Chance:
    seed: int
    secret: int

    @classmethod
    def of(cls, seed: int, original: Matrix) -> Self:
        """``original``: the quasi-identifiers of all records as points."""
        digest = hashlib.sha256(b"chance of a release")
        digest.update(np.ascontiguousarray(original).tobytes())
        return cls(seed, int.from_bytes(digest.digest()))

    def for_purpose(self, purpose: str) -> np.random.Generator:
        """Every purpose has chance of its own, so that one more draw here changes nothing there."""
        words = (self.seed, self.secret)
        return np.random.default_rng(np.random.SeedSequence(words, spawn_key=tuple(purpose.encode())))
