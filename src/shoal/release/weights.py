"""Protection of weights: kept, rounded to two significant digits, or replaced by the mean weight of the stratum.

A weight with all of its digits can identify a person, and a weighted mean is an equation in it. ``rounded`` rounds
every weight up or down to two significant digits such that the total of a stratum changes by less than one rounding
step of its largest weight; ``stratum`` gives every record the mean weight of its stratum, which preserves the total.
"""

from __future__ import annotations

from typing import Literal

import numpy as np

from shoal import kernels
from shoal.encode.steps import exact_last_digit, from_last_digit
from shoal.kernels import Labels, Vector
from shoal.release.controlled_rounding import controlled_rounding
from shoal.rng import Rng

LEAST = -307  # smallest power of ten: below, doubles lose precision

Weights = Literal["kept", "rounded", "stratum"]


def rounded_weights(weights: Vector, strata: Labels, rng: Rng, purpose: str) -> Vector:
    """(n_records,) weights of two significant digits; the strata are 0, 1, ..., each with random draws of its own."""
    decimals = 1 - np.maximum(_exponents(weights), LEAST)  # (n_records,) decimal place of the second digit
    numbers, steps = np.empty_like(weights), np.empty_like(weights)
    for places in np.unique(decimals):
        inside = decimals == places
        numbers[inside] = exact_last_digit(weights[inside], int(places))
        steps[inside] = from_last_digit(np.ones(1), int(places))[0]
    order = np.argsort(strata, kind="stable")
    for stratum, members in enumerate(np.split(order, np.cumsum(np.bincount(strata))[:-1])):
        draws = rng.of_block(stratum).for_purpose(purpose)
        numbers[members] = controlled_rounding(numbers[members], steps[members], draws)
    for places in np.unique(decimals):
        inside = decimals == places
        numbers[inside] = from_last_digit(numbers[inside], int(places))
    return numbers


def mean_weights(weights: Vector, strata: Labels) -> Vector:
    """(n_records,) the mean weight of the record's stratum."""
    n_records = np.bincount(strata)
    totals = kernels.group_sums(np.ascontiguousarray(weights[:, None]), strata, n_records.size)[:, 0]
    means: Vector = (totals / np.maximum(n_records, 1))[strata]
    return means


def _exponents(weights: Vector) -> Labels:
    """(n_records,) decimal exponents: 3 for 1523.4. Errors in the last bit of the logarithm are corrected."""
    found = np.floor(np.log10(weights)).astype(np.int64)
    found += weights >= _powers(found + 1)
    return found - (weights < _powers(found))


def _powers(exponents: Labels) -> Vector:
    """(n_records,) powers of ten, each the nearest double."""
    different, places = np.unique(exponents, return_inverse=True)
    powers: Vector = np.array([float(f"1e{exponent}") for exponent in different])[places]
    return powers
