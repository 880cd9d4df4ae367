"""Records at risk: the share of records that are found with a probability above a threshold.

El Emam & Dankar (2008), doi:10.1197/jamia.M2716; the records at risk of ARX.

    (1 / N) sum of f_j over classes with 1 / F_j > threshold <= share

N, f_j and F_j as in marketer_risk.py. It is a condition on the whole release. Classes of 1 / threshold records or more
are sufficient. Monotone because a merged class has at least the population of each part, so that a record that is not
at risk remains so.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from shoal.errors import PolicyError
from shoal.requirements.groups import Groups, Weaker
from shoal.requirements.population_sizes import check_population, population_sizes
from shoal.requirements.shares import SLACK


@dataclass(frozen=True)
class RecordsAtRisk:
    """At most ``share`` of the records are found with a probability above ``threshold``."""

    share: float
    """Largest share of the records, 0 or more and below 1."""
    threshold: float
    """Probability above which a record is at risk, above 0 and below 1."""
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
    name: Literal["records_at_risk"] = "records_at_risk"

    title: ClassVar[str] = "records at risk"
    formula: ClassVar[str] = "share of the records with 1 / F > threshold is <= share"
    monotone: ClassVar[bool] = True
    measure: ClassVar[str] = "share"
    weaker: ClassVar[Weaker] = "larger"
    of_records: ClassVar[bool] = False
    least_records: ClassVar[None] = None
    native_test: ClassVar[None] = None
    __pydantic_config__: ClassVar[Any] = {"extra": "forbid", "use_attribute_docstrings": True}

    def __post_init__(self) -> None:
        if not 0 <= self.share < 1:
            raise PolicyError.outside("records_at_risk.share", 0, 1, self.share)
        if not 0 < self.threshold < 1:
            raise PolicyError.not_between("records_at_risk.threshold", 0, 1, self.threshold, "it is a probability")
        check_population("records_at_risk", self.column, self.sampling_fraction, self.population)

    @property
    def reads(self) -> Literal["population", "weights", "sizes"]:
        if self.population is not None:
            return "population"
        return "sizes" if self.column is None else "weights"

    @property
    def asked(self) -> float:
        return self.share

    @property
    def sufficient_records(self) -> int | None:
        if self.column is not None or self.population is not None:
            return None  # weights, or the persons of the population, decide
        return ceil((1 - SLACK) * (self.sampling_fraction or 1) / self.threshold)

    @property
    def sufficient_risk(self) -> float:
        """A journalist risk of every class that is always sufficient."""
        return self.threshold

    def terms(self, groups: Groups) -> tuple[int, int]:
        """Number of records at risk, and of all."""
        sizes = population_sizes(groups, self.column, self.sampling_fraction, self.population)
        at_risk = sizes < (1 - SLACK) / self.threshold
        return int(groups.totals[at_risk].sum()), int(groups.totals.sum())

    def holds(self, groups: Groups) -> NDArray[np.bool_]:
        """All True: no class fails on its own."""
        return np.ones(groups.n_groups, dtype=bool)

    def reached(self, groups: Groups) -> float:
        at_risk, n_records = self.terms(groups)
        return at_risk / max(n_records, 1)
