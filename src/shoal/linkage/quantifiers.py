"""Non-decreasing fuzzy quantifiers: the weights of the largest, middle and smallest values of a record in an OWA.

n -> (n,) weights of the values in descending order: Q(i / n) - Q((i - 1) / n)

The three families of Nin & Torra (2006), "Blocking anonymized data". The second one, as printed, is not a quantifier:
Q(0) > 0 and Q(1) < 1, so its weights do not sum to 1. It is rescaled to [0, 1] here; ``as_printed=True`` uses the
printed formula.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from shoal.errors import LinkageError
from shoal.kernels import Vector

STEEPNESS = 10.0
ROUNDING_ERROR = 1e-9


class Quantifier(Protocol):
    def __call__(self, x: Vector) -> Vector:
        """Q(x) for shares ``x`` in [0, 1]."""
        ...


@dataclass(frozen=True)
class Power:
    """Q1: x^alpha. Below 1 the largest values of a record weigh most, above 1 the smallest; 1 is the mean."""

    alpha: float

    def __call__(self, x: Vector) -> Vector:
        return np.power(x, self.alpha)


@dataclass(frozen=True)
class Logistic:
    """Q2: 1 / (1 + exp(10 (alpha - x))): the values around the share alpha from the top weigh most."""

    alpha: float
    as_printed: bool = False

    def __call__(self, x: Vector) -> Vector:
        low, high = self._printed(np.array([0.0, 1.0]))
        printed = self._printed(x)
        return printed if self.as_printed else (printed - low) / (high - low)

    def _printed(self, x: Vector) -> Vector:
        raised: Vector = np.exp((self.alpha - x) * STEEPNESS)
        return 1 / (1 + raised)


@dataclass(frozen=True)
class Threshold:
    """Q3: 0 up to alpha, 1 above: only the value at the share alpha from the top has a weight."""

    alpha: float

    def __call__(self, x: Vector) -> Vector:
        return (x > self.alpha).astype(np.float64)


PublishedQuantifier = Power | Logistic | Threshold

FAMILIES: dict[str, type[Power] | type[Logistic] | type[Threshold]] = {
    "power": Power,
    "logistic": Logistic,
    "threshold": Threshold,
}


@dataclass(frozen=True)
class UserQuantifier:
    """A user-defined function on [0, 1], validated as a quantifier when it is called."""

    function: Callable[[Vector], Vector]

    def __call__(self, x: Vector) -> Vector:
        grid = np.unique(np.concatenate([np.linspace(0, 1, 101), x]))
        values = np.asarray(self.function(grid), dtype=np.float64)
        if values.shape != grid.shape or not np.isfinite(values).all():
            raise LinkageError.no_quantifier("it does not return one number for every share")
        if abs(values[0]) > ROUNDING_ERROR or abs(values[-1] - 1) > ROUNDING_ERROR:
            raise LinkageError.no_quantifier("its values at 0 and 1 are wrong")
        if (np.diff(values) < -ROUNDING_ERROR).any():
            raise LinkageError.no_quantifier("it decreases somewhere")
        return np.asarray(self.function(x), dtype=np.float64)


def published_quantifiers() -> dict[str, list[PublishedQuantifier]]:
    """The thirty quantifiers of the paper's experiments, by family."""
    tenths = [step / 10 for step in range(10)]
    return {
        "Q1": [Power(step / 5) for step in range(1, 11)],
        "Q2": [Logistic(alpha) for alpha in tenths],
        "Q3": [Threshold(alpha) for alpha in tenths],
    }


def owa_weights(quantifier: Quantifier, n: int) -> Vector:
    """(n,) OWA weights of the values of a record in descending order."""
    return np.diff(quantifier(np.arange(n + 1) / n))


def quantifier_of(text: str) -> PublishedQuantifier:
    """The quantifier of a text such as "power 1.2", "logistic 0.5" or "threshold 0.9"."""
    family, _, number = text.strip().partition(" ")
    try:
        alpha = float(number)
    except ValueError:
        raise LinkageError.unknown_quantifier(text) from None
    if family not in FAMILIES or not 0 <= alpha < np.inf or (family == "power" and alpha == 0):
        raise LinkageError.unknown_quantifier(text)
    return FAMILIES[family](alpha)


def quantifier_text(quantifier: PublishedQuantifier) -> str:
    """The text of a published quantifier, which `quantifier_of` reads."""
    family = next(name for name, made in FAMILIES.items() if isinstance(quantifier, made))
    return f"{family} {quantifier.alpha:g}"
