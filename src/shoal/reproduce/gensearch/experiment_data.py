"""The tables of the paper's experiments: columns, taxonomies, splits and privacy parameters.

Adult has 8 quasi-identifiers with the taxonomies of the ARX tool, and ages cut every five years: 101 splits as the
paper counts them, 102 with a cut at 18, 66 without the country and with finer ages. Census-Income has age, class of
worker, marital status and sex, with taxonomies defined here. The paper used 199,523 records of it; here it is the test
part (99,762).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pyarrow as pa

from shoal import datasets
from shoal.encode.count_table import CountTable
from shoal.methods.generalization.enumeration.split_set import SplitSet
from shoal.methods.generalization.splits import Cuts, attributes
from shoal.requirements import DistinctLDiversity, EpsilonPrivacy, KAnonymity, Requirement, TCloseness
from shoal.schema import Column, Schema, Taxonomy

WORKER = {
    "Private": "private",
    "Federal government": "government",
    "State government": "government",
    "Local government": "government",
    "Self-employed-incorporated": "self-employed",
    "Self-employed-not incorporated": "self-employed",
    "Never worked": "not working",
    "Without pay": "not working",
    "Not in universe": "not working",
}
MARITAL = {
    "Married-civilian spouse present": "married",
    "Married-A F spouse present": "married",
    "Married-spouse absent": "alone",
    "Divorced": "alone",
    "Separated": "alone",
    "Widowed": "alone",
    "Never married": "alone",
}
FIVES = tuple(range(20, 91, 5))
ADULT = ("age", "sex", "race", "marital-status", "education", "native-country", "workclass", "occupation")


@dataclass(frozen=True, eq=False)
class ExperimentData:
    """The table, schema and splits of an experiment."""

    table: pa.Table
    schema: Schema
    cuts: Cuts
    sensitive: str

    @cached_property
    def n_splits(self) -> int:
        names = list(self.schema.quasi_identifiers)
        counts = CountTable(self.table.select(names), np.ones(len(self.table), dtype=np.int64))
        return SplitSet.of(attributes(counts, self.schema, self.cuts)).n_ids

    def requirements(self, privacy: Privacy) -> list[Requirement]:
        return privacy.requirements(self.sensitive)


@dataclass(frozen=True)
class Privacy:
    """Privacy parameters under the paper's names; None means not required."""

    k: int
    l: int | None = None  # noqa: E741 the letter of the paper
    t: float | None = None
    sigma: float | None = None
    epsilon: float = 10
    b: int = 0

    def requirements(self, column: str) -> list[Requirement]:
        found: list[Requirement] = [KAnonymity(self.k)]
        if self.l is not None:
            found.append(DistinctLDiversity(self.l, column=column))
        if self.t is not None:
            found.append(TCloseness(self.t, column=column, distance="equal"))
        if self.sigma is not None:
            found.append(EpsilonPrivacy(self.epsilon, self.sigma, self.b, column=column))
        return found

    def __str__(self) -> str:
        parameters = {"k": self.k, "l": self.l, "t": self.t, "sigma": self.sigma}
        return ", ".join(f"{name}={value:g}" for name, value in parameters.items() if value is not None)


def adult(columns: Sequence[str] = ADULT, ages: Sequence[float] = FIVES, *, lines: bool = False) -> ExperimentData:
    """``lines``: nominal values are sorted and may be cut between any two, instead of split by taxonomy nodes."""
    paths = datasets.adult_taxonomies()
    of_tree = [
        Column(name, role="quasi_identifier", kind="nominal", taxonomy=None if lines else Taxonomy.read(paths[name]))
        for name in columns
        if name != "age"
    ]
    age = Column("age", role="quasi_identifier", kind="numeric")
    income = Column("salary-class", role="sensitive", kind="nominal")
    return ExperimentData(datasets.adult(), Schema([age, *of_tree, income]), {"age": ages}, "salary-class")


def census_income(ages: Sequence[float]) -> ExperimentData:
    schema = Schema(
        [
            Column("age", role="quasi_identifier", kind="numeric"),
            Column("class of worker", role="quasi_identifier", kind="nominal", taxonomy=_taxonomy(WORKER)),
            Column("marital stat", role="quasi_identifier", kind="nominal", taxonomy=_taxonomy(MARITAL)),
            Column("sex", role="quasi_identifier", kind="nominal"),
            Column("income", role="sensitive", kind="nominal"),
        ]
    )
    names = [*schema.quasi_identifiers, "income"]
    return ExperimentData(datasets.census_income().select(names), schema, {"age": ages}, "income")


def _taxonomy(parents: Mapping[str, str]) -> Taxonomy:
    return Taxonomy(tuple((value, parent, "*") for value, parent in parents.items()))
