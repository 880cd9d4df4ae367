"""Chance: every draw of a release comes from a private key, the seed, what it is for, and where it happens.

A seed is no secret: it stands in the policy. Noise that can be drawn again can be taken away again, and an order that
can be drawn again tells who is who; so chance is HMAC-SHA-256 of key, seed, purpose and place, and only who holds the
key can draw it again. The bits are those of SHAKE-256, a standard that no library changes, and all that is made of them
is made here: the same key and seed draw the same with every version of every library.
"""

from __future__ import annotations

import hashlib
import hmac
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from shoal.errors import PerturbationError

Integers = NDArray[np.int64]
Reals = NDArray[np.float64]


class Draws:
    """Random numbers, one after the other; each is drawn once."""

    def __init__(self, start: bytes) -> None:
        self._start, self._n_calls = start, 0

    def _bits(self, n: int) -> NDArray[np.uint64]:
        """(n,) 64 bits each. Every call has a stream of its own, told apart by its number."""
        stream = hashlib.shake_256(self._start + self._n_calls.to_bytes(8, "big"))
        self._n_calls += 1
        return np.frombuffer(stream.digest(8 * n), dtype="<u8").astype(np.uint64, copy=False)

    def random(self, shape: int | tuple[int, ...]) -> Reals:
        """Uniform from 0 to 1, the 1 excluded, in steps of 2^-53."""
        bits = self._bits(int(np.prod(shape)))
        uniform: Reals = (bits >> np.uint64(11)).astype(np.float64).reshape(shape) * 2.0**-53
        return uniform

    def permutation(self, n: int) -> Integers:
        """(n,) the numbers 0, 1, ... in random order."""
        return np.argsort(self._bits(n), kind="stable").astype(np.int64, copy=False)

    def whole(self) -> int:
        """One number from 0 to 2^63 - 1."""
        return int(self._bits(1)[0] >> np.uint64(1))

    def normal(self, shape: tuple[int, ...]) -> Reals:
        """Normal with mean 0 and variance 1, by Box and Muller, with all digits: by a coarser lattice noise could be
        told from what it hides. Two machines may differ in the last one, which the step of a column does not show."""
        radius = np.sqrt(-2 * np.log1p(-self.random(shape)))
        drawn: Reals = radius * np.cos(2 * np.pi * self.random(shape))
        return drawn


@dataclass(frozen=True)
class Chance:
    """Where all draws of a release come from. Every purpose and place has draws of its own: one more draw here changes
    nothing there, and blocks may come in any order."""

    key: bytes = field(repr=False)
    seed: int
    place: str = ""

    def __post_init__(self) -> None:
        if isinstance(self.seed, bool) or not isinstance(self.seed, int | np.integer) or self.seed < 0:
            raise PerturbationError.outside("seed", "a whole number of 0 or more", self.seed)

    def of_block(self, block: int) -> Chance:
        """Of one stratum, or block of it."""
        return self._at(f"block {block}")

    def of_step(self, step: int) -> Chance:
        """Of the one of several perturbations."""
        return self._at(f"step {step}")

    def of_households(self) -> Chance:
        """Of what is drawn once for all members of a household."""
        return self._at("households")

    def of_policy(self, digest: str) -> Chance:
        """Of one policy: by the same key and seed, no two releases of a table can be held side by side row by row, nor
        noise of two strengths be subtracted."""
        return self._at(f"policy {digest}")

    def of_values(self, digest: str) -> Chance:
        """Of one table: another one, though key and seed are the same, is not drawn alike."""
        return self._at(f"values {digest}")

    def _at(self, place: str) -> Chance:
        return replace(self, place=f"{self.place}{place}/")

    def for_purpose(self, purpose: str) -> Draws:
        return Draws(hmac.digest(self.key, f"{self.seed}/{self.place}{purpose}".encode(), "sha256"))
