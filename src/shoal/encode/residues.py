"""Residue counts: the largest step on which all but a few values are, from counts that add up piece by piece.

whole numbers of a unit -> counts -> step, offset

Each value is counted at the highest rung of a ladder that divides it (1, 10, 100, ... or second, minute, hour, day), by
its quotient modulo 25,200. From these counts alone, without the values, follows how many values are on any step that is
a rung times a divisor of 25,200: fives, dozens and fifties, quarters of an hour, days and weeks, with or without an
offset from zero. A few are at most one in a hundred, or five if that is more, and never more than one in ten, each of
the values other than the most frequent one: where nearly all are zero, the others determine how fine a column is.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction

import numpy as np

from shoal.kernels import Ints

MODULUS = 2**4 * 3**2 * 5**2 * 7
PRIMES = (2, 3, 5, 7)
DIVISORS = [divisor for divisor in range(MODULUS, 0, -1) if MODULUS % divisor == 0]
DECIMAL = tuple(10**power for power in range(16))
CLOCK = (1, 10**3, 10**6, 60 * 10**6, 3600 * 10**6, 86_400 * 10**6)  # in microseconds
FEW, ONE_IN, AT_MOST_ONE_IN = 5, 100, 10


@dataclass
class Residues:
    """Residue counts of the known values of one column."""

    n_zero: int = 0
    n_beyond: int = 0  # too fine or too large to be counted: off every step
    of_rungs: dict[Fraction, Ints] = field(default_factory=dict)  # rung -> (MODULUS,)

    def __add__(self, other: Residues) -> Residues:
        rungs = dict(self.of_rungs)
        for rung, counts in other.of_rungs.items():
            rungs[rung] = rungs.get(rung, 0) + counts
        return Residues(self.n_zero + other.n_zero, self.n_beyond + other.n_beyond, rungs)

    def add(self, whole: Ints, unit: Fraction, ladder: tuple[int, ...]) -> None:
        """Adds whole numbers of a ``unit``."""
        rest = whole[whole != 0]
        self.n_zero += whole.size - rest.size
        for rung, above in zip(ladder, (*ladder[1:], 0), strict=True):
            goes_on = rest % (above // rung) == 0 if above else np.zeros(rest.size, dtype=bool)
            self._count(rest[~goes_on], unit * rung)
            rest = rest[goes_on] // max(above // rung, 1)

    def _count(self, whole: Ints, rung: Fraction) -> None:
        if whole.size:
            counts = np.bincount(whole % MODULUS, minlength=MODULUS)
            self.of_rungs[rung] = self.of_rungs.get(rung, 0) + counts

    @property
    def n_known(self) -> int:
        return self.n_zero + self.n_beyond + sum(int(counts.sum()) for counts in self.of_rungs.values())

    @property
    def few(self) -> int:
        """How many values may be off the step."""
        others = self.n_others
        return min(max(FEW, others // ONE_IN), others // AT_MOST_ONE_IN)

    @property
    def n_others(self) -> int:
        """The number of values other than the most frequent one."""
        return self.n_known - max([self.n_zero, *(int(counts.max()) for counts in self.of_rungs.values())])

    def step(self) -> tuple[Fraction, Fraction] | None:
        """The step and its offset from zero; None where no value may be off the step, or where there is none."""
        return self._step() if self.few else None

    def public_step(self) -> tuple[Fraction, Fraction] | None:
        """The same as far as it may be published; None where fewer than five values show it: where all values but 48613
        are 0, the step of all values is one person's value."""
        return self._step() if self.n_others >= FEW else None

    def _step(self) -> tuple[Fraction, Fraction] | None:
        wanted = self.n_known - self.few
        for rung in sorted(self.of_rungs, reverse=True):
            counts = self._multiples_of(rung)
            if counts.sum() >= wanted:
                return _coarsest(counts, rung, wanted)
        return None

    def _multiples_of(self, rung: Fraction) -> Ints:
        """(MODULUS,) counts of all values that are multiples of ``rung``, whatever rung they are counted at."""
        found = np.zeros(MODULUS, dtype=np.int64)
        found[0] = self.n_zero
        for own, counts in self.of_rungs.items():
            if own >= rung:
                (occupied,) = counts.nonzero()
                np.add.at(found, occupied * int(own / rung) % MODULUS, counts[occupied])
        return found


def _coarsest(counts: Ints, rung: Fraction, wanted: int) -> tuple[Fraction, Fraction]:
    """The largest step, ``rung`` times a divisor, that at least ``wanted`` values share, and its offset. Divisors are
    tried only where one of their primes qualifies."""
    some = any(_by_residue(counts, prime).max() >= wanted for prime in PRIMES)
    found = next(d for d in (DIVISORS if some else (1,)) if d == 1 or _by_residue(counts, d).max() >= wanted)
    return rung * found, rung * int(_by_residue(counts, found).argmax())


def _by_residue(counts: Ints, divisor: int) -> Ints:
    """(divisor,) the counts by residue modulo ``divisor``."""
    found: Ints = counts.reshape(-1, divisor).sum(axis=0)
    return found
