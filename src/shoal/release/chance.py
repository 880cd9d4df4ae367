"""Chance for what must not be undone: new numbers, another order.

The seed of a release is no secret: it is in the manifest. So chance comes from the seed and from the original
quasi-identifiers together, which only those have who hold the original; to them the release is the same every time.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from shoal.kernels import Matrix


@dataclass(frozen=True)
class Chance:
    """``original`` gives the quasi-identifiers of all records as points; it is asked only where chance is needed."""

    seed: int
    original: Callable[[], Matrix]

    @cached_property
    def _secret(self) -> int:
        digest = hashlib.sha256(b"chance of a release")
        digest.update(np.ascontiguousarray(self.original()).tobytes())
        return int.from_bytes(digest.digest())

    def for_purpose(self, purpose: str) -> np.random.Generator:
        """Every purpose has chance of its own, so that one more draw here changes nothing there."""
        words = (self.seed, self._secret)
        return np.random.default_rng(np.random.SeedSequence(words, spawn_key=tuple(purpose.encode())))
