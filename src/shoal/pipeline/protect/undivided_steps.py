"""Undivided steps: what a policy does to all records at once, refused where these cannot fit into one task.

plan, engine and size of the source -> nothing, or EngineError

An engine for large tables works on one block after the other. Some steps need all records of a stratum in one block:
without strata (`within`) that is the whole table. Others need a number for every record in the process that started
the tasks. Both sizes are known approximately before the table is read.
"""

from __future__ import annotations

from collections.abc import Iterator

from shoal.engines.choose import BYTES_OF_WORK, EngineChoice
from shoal.errors import EngineError
from shoal.policy import ReleasePlan

# Bytes of a source, as estimated, per byte of its records in memory, at most: numbers are longer as texts, and a
# compressed file may hold less than it seems.
MOST_RATIO = 4
BYTES_OF_NUMBER = 8


def check_undivided(plan: ReleasePlan, choice: EngineChoice) -> None:
    """Raises EngineError where a step cannot be done on this engine, however the records are stored."""
    if choice.name == "memory":
        return
    size, budget = choice.size, choice.budget
    if size.n_bytes > MOST_RATIO * budget.largest_block and (steps := list(undivided_steps(plan))):
        raise EngineError.undivided(steps, size.n_bytes, budget.memory, BYTES_OF_WORK * size.n_bytes)
    if BYTES_OF_NUMBER * size.n_records > budget.counts and (steps := list(listing_steps(plan))):
        raise EngineError.many_records(steps, size.n_records, budget.memory)


def undivided_steps(plan: ReleasePlan) -> Iterator[str]:
    """The steps for which the whole table is one block, as a policy names them."""
    if any(not plan.within or method.shift_of_dates for method in plan.perturbations):
        yield "[[perturbations]]"
    if plan.local_suppression:
        yield "[local_suppression]"
    if not plan.within and plan.method.finds_cuts and (plan.permutes or not plan.representation.releases_extents):
        yield "[method] that cuts, with means or permuted values"
    if not plan.within and plan.method.forms_groups:
        yield from _of_groups(plan)


def _of_groups(plan: ReleasePlan) -> Iterator[str]:
    """The steps that keep a table undivided."""
    if plan.groups_units:
        yield "households or units that are grouped as a whole"
    if plan.earlier:
        yield "[earlier]"
    if plan.blocking.method == "none":
        yield "[blocking] method = 'none'"


def listing_steps(plan: ReleasePlan) -> Iterator[str]:
    """The steps for which a number per record is in the process that started the tasks."""
    if plan.unit:
        yield f"[columns] {plan.unit}, a household or unit"
    if plan.weights != "kept":
        yield "[output] weights"
    if plan.earlier:
        yield "[earlier]"
    if plan.amounts_before:
        yield "[[requirements]] on amounts of quasi-identifiers"
