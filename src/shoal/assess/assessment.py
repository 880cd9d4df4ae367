"""Original and release side by side: findings, and the spread of the columns for pictures."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import pyarrow as pa

from shoal.assess.findings import Finding, Findings
from shoal.assess.risk.counts import count_risks
from shoal.assess.utility.distributions import Distribution, distribution
from shoal.assess.utility.loss import information_losses, loss_findings
from shoal.assess.utility.population_map import PopulationMap
from shoal.kernels import Labels
from shoal.schema import Role, Schema

UNTOUCHED: tuple[Role, ...] = ("sensitive", "weight", "other")
FEWEST_SHOWN = 3  # records of a bin of a picture, where the policy asks for no k


@dataclass(frozen=True)
class Assessment:
    findings: Findings
    losses: dict[str, float]  # percent lost, by quasi-identifier
    distributions: tuple[Distribution, ...]  # of the quasi-identifiers
    original_sizes: Labels  # (n_classes,) records of every class
    released_sizes: Labels
    map: PopulationMap | None = None  # of the original, where the method drew one

    def with_findings(self, more: Findings) -> Assessment:
        return replace(self, findings=self.findings + more)


def assess(original: pa.Table, released: pa.Table, schema: Schema, *, k: int | None, n_suppressed: int) -> Assessment:
    """Record i of ``released`` was made from record i of ``original``; suppressed records are in neither."""
    losses = information_losses(original, released, schema)
    sizes = class_sizes(original, schema), class_sizes(released, schema)
    shown = [schema[name] for name in schema.quasi_identifiers]
    return Assessment(
        count_risks(*sizes, k)
        + _unique_as_they_are(released, schema)
        + loss_findings(losses)
        + _suppressed(n_suppressed, len(original) + n_suppressed),
        losses,
        tuple(distribution(c, original[c.name], released[c.name], k or FEWEST_SHOWN) for c in shown),
        *sizes,
    )


def class_sizes(table: pa.Table, schema: Schema) -> Labels:
    """(n_classes,) records that are equal on all quasi-identifiers."""
    names = list(schema.quasi_identifiers)
    counted = table.select(names).group_by(names).aggregate([([], "count_all")])
    return counted.column(len(names)).to_numpy().astype(np.int64)


def _unique_as_they_are(released: pa.Table, schema: Schema) -> Findings:
    """Who could be found by columns that no method touched, should an intruder know them after all."""
    names = [column.name for role in UNTOUCHED for column in schema.with_role(role)]
    if not names or not len(released):
        return Findings()
    try:
        counted = released.select(names).group_by(names).aggregate([([], "count_all")])
    except pa.ArrowNotImplementedError:  # lists and the like: nothing to compare
        return Findings()
    n_unique = int((counted.column(len(names)).to_numpy() == 1).sum())
    meaning = f"Share of records that nobody else equals on the columns released as they are: {', '.join(names)}."
    share = 100 * n_unique / len(released)
    return Findings((Finding("unique on untouched columns", share, meaning, baseline=0, unit="%"),))


def _suppressed(n_suppressed: int, n_records: int) -> Findings:
    share = 100 * n_suppressed / max(n_records, 1)
    return Findings(
        (Finding("suppressed records", share, "Share of the records that were dropped.", baseline=0, unit="%"),)
    )
