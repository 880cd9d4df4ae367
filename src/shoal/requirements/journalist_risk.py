"""Journalist risk: an intruder who does not know whether a person is in the release finds the record with a bounded
probability.

El Emam & Dankar (2008), doi:10.1197/jamia.M2716.

    1 / F <= maximum        F: persons of the population in the class

F is counted in a table of the population, or estimated by the sum of the weights or by the records divided by the
sampling fraction. It is k-map with k = 1 / maximum (Sweeney 2001, "Computational disclosure control"). Monotone because
a merged class has at least the population of each part.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from shoal.errors import PolicyError
from shoal.kernels import Vector
from shoal.requirements.groups import Groups, Weaker
from shoal.requirements.population_sizes import check_population, population_sizes
from shoal.requirements.shares import SLACK


@dataclass(frozen=True)
class JournalistRisk:
    """Nobody of the population is found in the release with a probability above ``maximum``."""

    maximum: float
    """Largest probability of a person, above 0 and below 1."""
    column: str | None = None
    """The column of weights, which say how many persons a record stands for."""
    sampling_fraction: float | None = None
    """Records per person of the population, above 0 and at most 1, where there are no weights."""
    columns: tuple[str, ...] | None = None
    """The quasi-identifiers that make a class; left out: all of them."""
    population: str | None = None
    """A file of the population, relative to the folder of the policy: a row per person, or counts in a column
    ``count``, with every quasi-identifier of the policy and values as in the original."""
    name: Literal["journalist_risk"] = "journalist_risk"

    title: ClassVar[str] = "journalist risk"
    formula: ClassVar[str] = "1 / F <= maximum, F the persons of the population in the class: k-map"
    monotone: ClassVar[bool] = True
    measure: ClassVar[str] = "maximum"
    weaker: ClassVar[Weaker] = "larger"
    of_records: ClassVar[bool] = False
    native_test: ClassVar[None] = None
    __pydantic_config__: ClassVar[Any] = {"extra": "forbid", "use_attribute_docstrings": True}

    def __post_init__(self) -> None:
        if not 0 < self.maximum < 1:
            raise PolicyError.not_between("journalist_risk.maximum", 0, 1, self.maximum, "it is a probability")
        if self.column is None and self.sampling_fraction is None and self.population is None:
            raise PolicyError.no_population("journalist_risk")
        check_population("journalist_risk", self.column, self.sampling_fraction, self.population)

    @property
    def reads(self) -> Literal["population", "weights", "totals"]:
        if self.population is not None:
            return "population"
        return "totals" if self.column is None else "weights"

    @property
    def asked(self) -> float:
        return self.maximum

    @property
    def least_records(self) -> int | None:
        """Records of a class at least, where all of them have the same weight."""
        return None if self.sampling_fraction is None else ceil((1 - SLACK) * self.sampling_fraction / self.maximum)

    def holds(self, groups: Groups) -> NDArray[np.bool_]:
        return self._population(groups) >= (1 - SLACK) / self.maximum

    def reached(self, groups: Groups) -> float:
        return float(1 / self._population(groups).min())

    def _population(self, groups: Groups) -> Vector:
        return population_sizes(groups, self.column, self.sampling_fraction, self.population)
