"""Unchanged columns that link the records of a unit although its number is not released.

A column does so where a value occurs in several records of one unit and in no other unit. Only records without a
number are compared: an intruder sees which these are.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from shoal.assessment.exposure import Exposure
from shoal.encode.codes import is_countable
from shoal.engines.protocol import NO_RECORD, F
from shoal.errors import policy_key
from shoal.kernels import Labels
from shoal.pipeline.protect.fitted_table import FittedTable
from shoal.pipeline.protect.grouped_rows import released_rows
from shoal.policy import ReleasePlan


@dataclass(frozen=True)
class LinkedRecords:
    """What one column links: records, and units with at least two of these."""

    n_records: int
    n_units: int


@dataclass(frozen=True)
class LinkingColumns:
    """Columns that link records of a unit, where their share is above the policy's warning limit."""

    plan: ReleasePlan
    limit: float  # share of the records
    all: LinkedRecords  # records without a number, and units with several of these
    found: dict[str, LinkedRecords]

    @property
    def notes(self) -> tuple[str, ...]:
        return tuple(_note(self.plan, name, each, self.all) for name, each in self.found.items())

    @property
    def exposures(self) -> tuple[Exposure, ...]:
        limit, n = 100 * self.limit, self.all.n_records
        return tuple(
            Exposure("retied", 100 * each.n_records / n, limit, (name,), "") for name, each in self.found.items()
        )


def find_linking_columns(original: FittedTable[F], protected: F, linked: pa.Array[Any] | None) -> LinkingColumns:
    """Columns that link the records of units, above the warning limit of unique records.

    ``linked``: the households released under a number, whose records are linked anyway and not compared.
    """
    plan, unit, engine = original.plan, original.schema.unit, original.engine
    none = LinkingColumns(plan, plan.warn.unique, LinkedRecords(0, 0), {})
    if unit is None or not (plan.hides_units or plan.links_households):
        return none

    frame = engine.map_rows(protected, partial(_without_linked, unit.name, linked))
    types = engine.sample(protected, NO_RECORD)
    names = [name for name in plan.unchanged if is_countable(types[name].type)]
    everything = LinkedRecords(*engine.class_total(frame, [unit.name], (), _n_several).tolist())
    found = {name: engine.class_total(frame, [name], [unit.name], LinkedUnits.of).linked for name in names}
    most_allowed = none.limit * everything.n_records
    return replace(
        none, all=everything, found={name: each for name, each in found.items() if each.n_records > most_allowed}
    )


def _without_linked(unit: str, linked: pa.Array[Any] | None, piece: pa.Table) -> pa.Table:
    released = released_rows(piece)
    return released if linked is None else released.filter(pc.invert(pc.is_in(released[unit], value_set=linked)))


def _n_several(counts: pa.Table) -> Labels:
    """Number of records, and of units with several records."""
    of_units = counts.rename_columns(["unit", "n"])
    n_of_known = of_units.filter(pc.is_valid(of_units["unit"]))["n"].to_numpy()
    return np.array([of_units["n"].to_numpy().sum(dtype=np.int64), np.count_nonzero(n_of_known > 1)], dtype=np.int64)


@dataclass(frozen=True)
class LinkedUnits:
    """The records whose value occurs in other records of their unit, and in no other unit."""

    n_records: int
    units: pa.Array[Any]

    @classmethod
    def of(cls, counts: pa.Table) -> LinkedUnits:
        """``counts``: value, unit and number of records."""
        found = _in_one_unit(counts.rename_columns(["value", "unit", "n"]))
        units: Any = found["unit"].combine_chunks()
        return cls(int(found["n"].to_numpy().sum(dtype=np.int64)), pc.unique(units))

    def __add__(self, other: LinkedUnits) -> LinkedUnits:
        units = pa.concat_arrays([self.units, other.units])
        return LinkedUnits(self.n_records + other.n_records, pc.unique(units))

    @property
    def linked(self) -> LinkedRecords:
        return LinkedRecords(self.n_records, len(self.units))


def _in_one_unit(counts: pa.Table) -> pa.Table:
    """The unit and number of records of each value that several records of one unit have, and no others."""
    known = counts.filter(pc.is_valid(counts["value"]))
    grouped = known.group_by("value").aggregate([([], "count_all"), ("unit", "min"), ("n", "sum")])
    values = grouped.rename_columns(["value", "n_rows", "unit", "n"])
    alone = pc.and_(pc.equal(values["n_rows"], pa.scalar(1)), pc.is_valid(values["unit"]))
    return values.filter(pc.and_(alone, pc.greater(values["n"], pa.scalar(1))))


def _note(plan: ReleasePlan, name: str, linked: LinkedRecords, everything: LinkedRecords) -> str:
    weight = plan.columns[name].role == "weight"
    remedy = (
        "output.weights = 'rounded' or 'stratum'"
        if weight
        else f"{policy_key('columns', name, 'role')} = 'identifier', which drops it, or a coarser recode"
    )
    without = " without a number" if plan.links_households else ""
    n, n_all = linked.n_records, everything.n_records
    return (
        f"{name} ties units again: in {n} of {n_all} records{without} ({n / n_all:.0%}) it has a value that only "
        f"records of the same unit of {plan.unit} have. It puts records of {linked.n_units} of {everything.n_units} "
        f"units with several records together, although their number is not released. {remedy} mends it."
    )
