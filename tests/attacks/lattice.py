"""Noise taken off by its digits: numbers of a machine lie on a lattice, and so do the values of a column.

The intruder knows that y = x + c m, where x is one of few candidates that lie a step apart, m is whole and c is not
known. Where three records share x, the quotient of their differences is a fraction of few digits, which gives c up to a
small factor; then only one candidate leaves a whole m, for every record. Where no such c is found, x is the candidate
nearest to y. Who knows c needs no three.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from attacks.rates import Rate

Reals = NDArray[np.float64]

LARGEST = 2**23  # of m
FEWEST = 1000  # a fraction of fewer parts is one by chance
FACTORS = range(1, 9)
NEAR = 3e-5  # to a whole number


@dataclass(frozen=True)
class Lattice:
    """The unknown c, and a record by which the others are told apart."""

    c: float
    of: int


def guesses(noisy: Reals, candidates: Reals, error: float, n_tries: int = 20_000) -> Reals:
    """(n,) a candidate for every number, each of which is known up to ``error``."""
    found = lattice(noisy, _differences(candidates), error, n_tries)
    if found is None:
        return candidates[np.abs(noisy[:, None] - candidates).argmin(axis=1)]
    c = _refined(noisy, _differences(candidates), found)
    first = candidates[_beside(noisy[found.of] - candidates, c).argmin()]
    return candidates[_beside((noisy - noisy[found.of])[:, None] + first - candidates, c).argmin(axis=1)]


def lattice(noisy: Reals, differences: Reals, error: float, n_tries: int) -> Lattice | None:
    """By triples of records that may share their value; it is one if it fits a dozen others."""
    draw = np.random.default_rng(0)
    test, least = draw.choice(len(noisy), 12, replace=False), 0.1 * noisy.std()
    for i, j, other in draw.integers(0, len(noisy), (n_tries, 3)):
        a, b = noisy[i] - noisy[j], noisy[i] - noisy[other]
        if min(abs(a), abs(b)) < least:
            continue
        quotient = Fraction(a / b).limit_denominator(LARGEST)
        if abs(quotient.numerator) < FEWEST or abs(a - float(quotient) * b) > 4 * error:
            continue
        for factor in FACTORS:
            c = abs(b) / quotient.denominator / factor
            if (_beside((noisy[test] - noisy[i])[:, None] - differences, c).min(axis=1) < NEAR).all():
                return Lattice(c, int(i))
    return None


def _refined(noisy: Reals, differences: Reals, found: Lattice) -> float:
    """c to its last digits, by all records of which only one candidate comes near."""
    c, apart = found.c, (noisy - noisy[found.of])[:, None] - differences
    for near in (NEAR, NEAR / 3, NEAR / 10):
        fits = _beside(apart, c) < near
        of = fits & (fits.sum(axis=1, keepdims=True) == 1)
        whole = np.rint(apart[of] / c)
        c = float((apart[of] * whole).sum() / (whole * whole).sum())
    return c


def _beside(numbers: Reals, c: float) -> Reals:
    """How far each is from a multiple of c, in parts of it."""
    parts = numbers / c
    return np.abs(parts - np.rint(parts))


def _differences(candidates: Reals) -> Reals:
    return np.unique(candidates[:, None] - candidates)


def rate_of_who_knows(c: float, noisy: Reals, truth: Reals, candidates: Reals) -> Rate:
    guessed = candidates[_beside(noisy[:, None] - candidates, c).argmin(axis=1)]
    return Rate(int((guessed == truth).sum()), len(truth))


def rate(noisy: Reals, truth: Reals, candidates: Reals, error: float) -> Rate:
    return Rate(int((guesses(noisy, candidates, error) == truth).sum()), len(truth))
