"""Requirements that not even all records as one class satisfy: no method can meet them without suppressing records.

Of a monotone requirement, as all of Shoal's are: if one class of all records fails, every division has a class that
fails. Lengths of intervals are left to the methods, which know how wide a column is.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from shoal.encode.codes import to_codes
from shoal.engines.protocol import F
from shoal.errors import FailingClasses, RequirementError
from shoal.pipeline.protect.fitted_table import FittedTable
from shoal.pipeline.protect.group_index import check_suppression_limit
from shoal.plan.limit import is_above
from shoal.requirements import Requirement
from shoal.requirements.groups import Groups
from shoal.requirements.judge import sensitive_domains
from shoal.requirements.requirement import (
    ReleaseRequirement,
    amount_of_unit,
    largest_stated_k,
    nearest_met,
    reads_numbers,
    requirement_names,
)


def check_attainable(original: FittedTable[F]) -> None:
    """Raises RequirementError for a requirement that needs suppression, where the policy allows none, and for one that
    needs more records than there are."""
    if not original.plan.suppression_limit or (original.plan.k or 1) > original.n_records:
        raise_if_unattainable(original)


def check_suppression(original: FittedTable[F], n_suppressed: int) -> None:
    """Raises RequirementError if more records are suppressed than the policy allows: with what can be met at all, where
    the requirements ask for more than that."""
    plan, n_records = original.plan, original.n_records
    if n_suppressed == n_records or is_above(n_suppressed, n_records, plan.suppression_limit):
        raise_if_unattainable(original)
        check_suppression_limit(n_suppressed, n_records, plan.suppression_limit, _failing_classes(original))


def _failing_classes(original: FittedTable[F]) -> FailingClasses:
    plan, units = original.plan, original.units
    n_units = np.unique(units[units >= 0]).size + int((units < 0).sum())
    reads = [requirement.reads for requirement in plan.requirements]
    names, k = requirement_names(plan.requirements), plan.method.k or largest_stated_k(plan.requirements)
    return FailingClasses(
        names,
        reads,
        plan.within,
        plan.unit,
        k,
        grow_with_k=plan.method.forms_classes and (k or 0) < n_units,
        have_values_of_units=bool(plan.values_of_units),
    )


def raise_if_unattainable(original: FittedTable[F]) -> None:
    """Raises RequirementError for the first requirement that all records as one class fail, with what they reach."""
    for requirement in (each for each in original.plan.requirements if each.monotone):
        figures = [requirement.reached(one) for one in _as_one_class(original, requirement) if _fails(requirement, one)]
        if figures:
            is_larger = requirement.weaker == "larger"
            reached = max(figures) if is_larger else min(figures)
            name, nearest = requirement.name, nearest_met(requirement, reached)
            what = (requirement.column, requirement.measure, requirement.asked, nearest)
            unit = original.schema.unit.name if original.schema.unit else None
            raise RequirementError.unattainable(name, *what, is_larger=is_larger, unit=unit)


def _fails(requirement: Requirement, groups: Groups) -> bool:
    if isinstance(requirement, ReleaseRequirement):
        return requirement.reached(groups) > requirement.asked
    return not requirement.holds(groups).all()


def _as_one_class(original: FittedTable[F], requirement: Requirement) -> Iterator[Groups]:
    """All records as one group, as input of a requirement; for a sensitive column, one for each form of it."""
    name, units = requirement.column, original.units if original.schema.unit else None
    if requirement.reads == "extents":
        return
    if requirement.reads == "population" and original.population is not None:
        yield Groups(np.array([original.n_records]), persons=np.array([float(original.population.n_records)]))
        return
    if name is None and units is None:
        yield Groups.of(np.zeros(1, dtype=np.int64), np.array([original.n_records]))
        return
    if name is None or reads_numbers(requirement.reads):
        zeros, ones = (np.full(original.n_records, each, dtype=np.int64) for each in (0, 1))
        of_unit = amount_of_unit(requirement.reads)
        if name is None:
            yield Groups.of(zeros, ones, units=units)
        else:
            yield Groups.of_amounts(zeros, ones, original.amounts(name), units, of_unit)
        return
    counts = original.unit_counts(name)
    (cells, *of_units), zeros = counts.combinations.columns, np.zeros(len(counts), dtype=np.int64)
    of_rows = to_codes("unit", of_units[0]).codes if of_units else None
    for domain in sensitive_domains(original.schema, [requirement], lambda _: counts).values():
        yield Groups.of(zeros, counts.n, domain.positions(cells), domain.tree, domain.n, of_rows)
