"""Chance for what must not be undone: new numbers, another order.

The seed of a release is no secret: it is in the manifest. So chance comes from the seed and from the original
quasi-identifiers together, which only those have who hold the original; to them the release is the same every time.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import pyarrow as pa

from shoal.encode.embedding import Embedding, Fold


@dataclass(frozen=True)
class Secret:
    """The quasi-identifiers of all records as one number; they are looked at only where chance is needed."""

    embedding: Callable[[], Embedding]
    fold: Fold

    @cached_property
    def number(self) -> int:
        digest, embedding = hashlib.sha256(b"chance of a release"), self.embedding()

        def add(piece: pa.Table) -> None:
            digest.update(np.ascontiguousarray(embedding.points(piece)).tobytes())

        self.fold(embedding.names, add)
        return int.from_bytes(digest.digest())


@dataclass(frozen=True)
class Chance:
    seed: int
    secret: Callable[[], int]  # asked only where chance is needed
    block: int = 0

    def of_block(self, block: int) -> Chance:
        """Every block has chance of its own, so that blocks may come in any order."""
        return replace(self, block=block)

    def for_purpose(self, purpose: str) -> np.random.Generator:
        """Every purpose has chance of its own, so that one more draw here changes nothing there."""
        words = (self.seed, self.secret())
        return np.random.default_rng(np.random.SeedSequence(words, spawn_key=(self.block, *purpose.encode())))
