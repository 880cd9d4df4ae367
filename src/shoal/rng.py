"""Keyed random numbers: every draw of a release depends on a private key, the seed, its purpose and its place.

The seed is not secret: it is in the policy. An intruder who could redraw the noise could subtract it, and one who could
redraw the order of the records could re-identify them. The generator is therefore keyed by HMAC-SHA-256 of key, seed,
purpose and place, and only a holder of the key can repeat the draws. The bits are those of SHAKE-256, a fixed standard,
and the distributions are implemented here: the same key and seed give the same draws with every library version.
"""

from __future__ import annotations

import hashlib
import hmac
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from shoal.errors import PerturbationError

GOLDEN = np.uint64(0x9E3779B97F4A7C15)
MULTIPLIERS = (np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB))
SHIFTS = (np.uint64(30), np.uint64(27))

Integers = NDArray[np.int64]
Reals = NDArray[np.float64]


class RandomStream:
    """A stream of random numbers; every call returns new ones."""

    def __init__(self, start: bytes) -> None:
        self._start, self._n_calls = start, 0

    def _bits(self, n: int) -> NDArray[np.uint64]:
        """(n,) 64 random bits each. Every call has a separate stream, identified by the number of the call."""
        stream = hashlib.shake_256(self._start + self._n_calls.to_bytes(8, "big"))
        self._n_calls += 1
        return np.frombuffer(stream.digest(8 * n), dtype="<u8").astype(np.uint64, copy=False)

    def random(self, shape: int | tuple[int, ...]) -> Reals:
        """Uniform on [0, 1), in steps of 2^-53."""
        bits = self._bits(int(np.prod(shape)))
        uniform: Reals = (bits >> np.uint64(11)).astype(np.float64).reshape(shape) * 2.0**-53
        return uniform

    def permutation(self, n: int) -> Integers:
        """(n,) the numbers 0 .. n - 1 in random order."""
        return np.argsort(self._bits(n), kind="stable").astype(np.int64, copy=False)

    def sample(self, n: int, size: int) -> Integers:
        """(size,) different numbers of 0 .. n - 1, ascending; every set of so many is equally likely. All of them if
        n is not larger. Memory is that of the sample, not of n."""
        if size >= n:
            return np.arange(n, dtype=np.int64)
        if 2 * size > n:  # those left out are fewer
            return np.delete(np.arange(n, dtype=np.int64), self.sample(n, n - size))
        drawn: Integers = np.zeros(0, dtype=np.int64)
        while len(drawn) < size:
            drawn = _without_repeats(np.concatenate([drawn, (self.random(size) * n).astype(np.int64)]))
        return np.sort(drawn[:size])

    def integer(self) -> int:
        """One integer, uniform on 0 .. 2^63 - 1."""
        return int(self._bits(1)[0] >> np.uint64(1))

    def normal(self, shape: tuple[int, ...]) -> Reals:
        """Standard normal by Box-Muller, in full precision: noise on a coarser lattice could be distinguished from the
        values it masks. Machines may differ in the last digit, which is rounded away by the step of a column."""
        radius = np.sqrt(-2 * np.log1p(-self.random(shape)))
        normal: Reals = radius * np.cos(2 * np.pi * self.random(shape))
        return normal


def _without_repeats(numbers: Integers) -> Integers:
    """In the order in which they occur first."""
    return numbers[np.sort(np.unique(numbers, return_index=True)[1])]


@dataclass(frozen=True)
class Rng:
    """The source of all random draws of a release. Every purpose and place has an independent stream: an additional
    draw in one does not change the others, and blocks may be processed in any order."""

    key: bytes = field(repr=False)
    seed: int = field(repr=False)
    place: str = ""

    def __post_init__(self) -> None:
        if isinstance(self.seed, bool) or not isinstance(self.seed, int | np.integer) or self.seed < 0:
            raise PerturbationError.outside("seed", "a whole number of 0 or more", self.seed)

    def of_block(self, block: int) -> Rng:
        """For one stratum, or one block of it."""
        return self._at(f"block {block}")

    def of_step(self, step: int) -> Rng:
        """For one of several successive perturbations."""
        return self._at(f"step {step}")

    def of_households(self) -> Rng:
        """For draws shared by all members of a household."""
        return self._at("households")

    def of_policy(self, digest: str) -> Rng:
        """For one policy: two releases of a table under the same key and seed cannot be matched row by row, nor can
        noise of two variances be subtracted from each other."""
        return self._at(f"policy {digest}")

    def of_values(self, digest: str) -> Rng:
        """For one table: another table has different draws even with the same key and seed."""
        return self._at(f"values {digest}")

    def _at(self, place: str) -> Rng:
        return replace(self, place=f"{self.place}{place}/")

    def for_purpose(self, purpose: str) -> RandomStream:
        return RandomStream(hmac.digest(self.key, f"{self.seed}/{self.place}{purpose}".encode(), "sha256"))


def mixed_bits(numbers: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """A bijection on 64-bit numbers that mixes well: SplitMix64 (Steele, Lea & Flood 2014,
    doi:10.1145/2714064.2660195)."""
    mixed = numbers * GOLDEN
    for shift, multiplier in zip(SHIFTS, MULTIPLIERS, strict=True):
        mixed = (mixed ^ (mixed >> shift)) * multiplier
    return mixed ^ (mixed >> np.uint64(31))


def public_draws(purpose: str) -> RandomStream:
    """Draws for figures, which need not be secret: without a key, the same for everybody."""
    return Rng(b"", 0).for_purpose(purpose)


def sampled_places(n: int, most: int, purpose: str) -> Integers:
    """Places of the records, groups or units of a list of n that a figure is computed from: all, or ``most`` of them
    drawn at random, ascending. The draw is no secret, and the same with every engine and on every machine.

    Every so many-th record would not do: where the file has a period, such as a man after every woman, these may be all
    of one kind.
    """
    return public_draws(purpose).sample(n, most)
