"""Unchanged columns that link the records of a unit although its number is not released.

A column does so where a value occurs in several records of one unit and in no other unit.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from shoal.assessment.exposure import Exposure
from shoal.encode.codes import is_countable
from shoal.engines.protocol import GROUP, F
from shoal.pipeline.protect.fitted_table import FittedTable
from shoal.policy import ReleasePlan


@dataclass(frozen=True)
class LinkingColumns:
    """Columns that link records of a unit, with the number of records, where it is above the policy's warning limit."""

    plan: ReleasePlan
    limit: float  # share of the records
    n_records: int
    found: dict[str, int]

    @property
    def notes(self) -> tuple[str, ...]:
        return tuple(_note(self.plan, name, n, self.n_records) for name, n in self.found.items())

    @property
    def exposures(self) -> tuple[Exposure, ...]:
        limit = 100 * self.limit
        return tuple(Exposure("retied", 100 * n / self.n_records, limit, (name,), "") for name, n in self.found.items())


def find_linking_columns(original: FittedTable[F], protected: F, linked: pa.Array[Any] | None) -> LinkingColumns:
    """Columns that link the records of units, above the warning limit of unique records.

    ``linked``: the households released under a number, whose records are linked anyway and not counted.
    """
    plan, unit, engine = original.plan, original.schema.unit, original.engine
    none = LinkingColumns(plan, original.plan.warn.unique, original.n_records, {})
    if unit is None or not (plan.hides_units or plan.links_households):
        return none

    def without_linked(piece: pa.Table) -> pa.Table:
        released = piece.filter(pc.is_valid(piece[GROUP]))
        return (
            released if linked is None else released.filter(pc.invert(pc.is_in(released[unit.name], value_set=linked)))
        )

    frame = engine.map_rows(protected, without_linked)
    types = engine.sample(protected, original.n_records)
    names = [name for name in plan.unchanged if is_countable(types[name].type)]
    found = {name: _n_linked(engine.class_counts(frame, [name], [unit.name])) for name in names}
    most_allowed = none.limit * original.n_records
    return replace(none, found={name: n for name, n in found.items() if n > most_allowed})


def _n_linked(pieces: Any) -> int:
    """Number of records whose value occurs in other records of their unit, and in no other unit."""
    return sum(_n_in_one_unit(piece.rename_columns(["value", "unit", "n"])) for piece in pieces)


def _n_in_one_unit(counts: pa.Table) -> int:
    known = counts.filter(pc.is_valid(counts["value"]))
    options = pc.CountOptions(mode="only_valid")
    values = known.group_by("value").aggregate([([], "count_all"), ("unit", "count", options), ("n", "sum")])
    n_rows, n_units, n = (values[name].to_numpy() for name in ("count_all", "unit_count", "n_sum"))
    return int(n[(n_rows == 1) & (n_units == 1) & (n > 1)].sum(dtype=np.int64))


def _note(plan: ReleasePlan, name: str, n: int, n_records: int) -> str:
    weight = plan.columns[name].role == "weight"
    remedy = (
        "output.weights = 'rounded' or 'stratum'" if weight else f"columns.{name}.role = 'identifier', which drops it,"
    )
    return (
        f"{name} ties units again: in {n} of {n_records} records ({n / n_records:.0%}) it has a value that only "
        f"records of the same unit of {plan.unit} have, though nothing else tells which records are of one. "
        f"{remedy} mends it."
    )
