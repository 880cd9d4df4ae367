"""Marketer risk: the mean probability with which records of the release are found, over all records.

Dankar & El Emam (2010), "A method for evaluating marketer re-identification risk".

    (1 / N) sum_j f_j / F_j <= average        N: records; f_j, F_j: records and persons of the population of class j

Where the table is the population, F = f, and this is the average prosecutor risk: classes per record. It is a condition
on the whole release. Every class size of 1 / average or more is sufficient, fewer may do: the mean weighs large
classes against small ones. Monotone because merging two classes does not increase the sum: (f + g) / (F + G) is at
most the larger of f / F and g / G.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, fsum
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from shoal.errors import PolicyError
from shoal.requirements.groups import Groups, Weaker
from shoal.requirements.population_sizes import check_population, population_sizes
from shoal.requirements.shares import SLACK


@dataclass(frozen=True)
class MarketerRisk:
    """Records of the release are found with a probability of at most ``average`` in the mean."""

    average: float
    """Largest mean probability of all records, above 0 and below 1."""
    column: str | None = None
    """The column of weights, which say how many persons a record stands for."""
    sampling_fraction: float | None = None
    """Records per person of the population, above 0 and at most 1; without it and without weights the table is taken to
    be the population."""
    columns: tuple[str, ...] | None = None
    """The quasi-identifiers that make a class; left out: all of them."""
    population: str | None = None
    """A file of the population, relative to the folder of the policy: a row per person, or counts in a column
    ``count``, with every quasi-identifier of the policy and values as in the original."""
    name: Literal["marketer_risk"] = "marketer_risk"

    title: ClassVar[str] = "marketer risk"
    formula: ClassVar[str] = "(1 / N) sum_j f_j / F_j <= average"
    monotone: ClassVar[bool] = True
    measure: ClassVar[str] = "average"
    weaker: ClassVar[Weaker] = "larger"
    of_records: ClassVar[bool] = False
    least_records: ClassVar[None] = None
    native_test: ClassVar[None] = None
    __pydantic_config__: ClassVar[Any] = {"extra": "forbid", "use_attribute_docstrings": True}

    def __post_init__(self) -> None:
        if not 0 < self.average < 1:
            raise PolicyError.not_between("marketer_risk.average", 0, 1, self.average, "it is a probability")
        check_population("marketer_risk", self.column, self.sampling_fraction, self.population)

    @property
    def reads(self) -> Literal["population", "weights", "sizes"]:
        if self.population is not None:
            return "population"
        return "sizes" if self.column is None else "weights"

    @property
    def asked(self) -> float:
        return self.average

    @property
    def sufficient_records(self) -> int | None:
        if self.column is not None or self.population is not None:
            return None  # weights, or the persons of the population, decide
        return ceil((1 - SLACK) * (self.sampling_fraction or 1) / self.average)

    @property
    def sufficient_risk(self) -> float:
        """A journalist risk of every class that is always sufficient."""
        return self.average

    def terms(self, groups: Groups) -> tuple[float, int]:
        """Expected number of records that are found, and number of records."""
        sizes = population_sizes(groups, self.column, self.sampling_fraction, self.population)
        filled = groups.totals > 0
        return fsum(groups.totals[filled] / sizes[filled]), int(groups.totals.sum())

    def holds(self, groups: Groups) -> NDArray[np.bool_]:
        """All True: no class fails on its own."""
        return np.ones(groups.n_groups, dtype=bool)

    def reached(self, groups: Groups) -> float:
        found, n_records = self.terms(groups)
        return found / max(n_records, 1)
