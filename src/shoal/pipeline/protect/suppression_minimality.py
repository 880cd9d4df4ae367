"""Minimality attack on local suppression: cells are blanked again without requirements on sensitive values."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pyarrow as pa

from shoal import progress
from shoal.assessment.risk.blank_minimality import BlankReplay, SuppressedParts
from shoal.assessment.risk.minimality import BLANKED
from shoal.encode.codes import to_codes
from shoal.encode.count_table import CountTable
from shoal.engines.protocol import F
from shoal.findings import Finding, UnmeasuredFigure
from shoal.methods.local_suppression.local_suppression import local_suppression
from shoal.methods.local_suppression.suppression_key_set import key_sets
from shoal.pipeline.protect.fitted_table import FittedTable
from shoal.pipeline.protect.minimality_attack import failure_check, sensitive_codes
from shoal.plan import Blanks
from shoal.policy import LocalSuppression
from shoal.requirements.judge import sensitive_domains
from shoal.requirements.requirement import reads_numbers
from shoal.requirements.sufficient_sizes import with_sufficient_sizes
from shoal.schema.helper_columns import UNIT

FEASIBLE = 1_000_000  # most records for which local suppression is repeated
SEVERAL_KEY_SETS = UnmeasuredFigure(BLANKED, "not measured: k is required for several sets of columns.")
AMOUNTS = UnmeasuredFigure(BLANKED, "not measured: a requirement reads amounts or weights.")
TOO_LARGE = UnmeasuredFigure(BLANKED, "not measured: the table is too large to repeat local suppression.")
TOO_LARGE_CLASSES = "not measured: the classes with further blanks hold too many records."


def blank_minimality(
    original: FittedTable[F], kept: F, plan: Blanks, rule: LocalSuppression
) -> Iterator[Finding | UnmeasuredFigure]:
    """Findings on cells that were blanked because of sensitive values; for policies with one key set only.

    ``kept``: the released records before local suppression.
    """
    requirements = with_sufficient_sizes(original.plan.requirements)
    if any(reads_numbers(requirement.reads) for requirement in requirements):
        yield AMOUNTS
        return
    if not any(requirement.column for requirement in requirements):
        return
    if len(key_sets(plan.columns, requirements, rule.importance)) > 1:
        yield SEVERAL_KEY_SETS
        return
    if original.n_records > FEASIBLE:
        yield TOO_LARGE
        return
    with progress.stage("repeating local suppression", 0):
        replay = _replay(original, kept, plan, rule)
    if replay.missing.size:
        for name in replay.values:
            found = replay.accusations(name, original.plan.seed)
            yield found.finding(BLANKED, name) if found else UnmeasuredFigure(f"{BLANKED}, {name}", TOO_LARGE_CLASSES)


def _replay(original: FittedTable[F], kept: F, plan: Blanks, rule: LocalSuppression) -> BlankReplay:
    schema, requirements = original.schema, with_sufficient_sizes(original.plan.requirements)
    sensitive_requirements = [requirement for requirement in requirements if requirement.column]
    others = [requirement for requirement in requirements if not requirement.column]
    of_units = [name for name in plan.combinations.column_names if name == UNIT]
    counts = CountTable.of(original.engine.group_counts(kept, [*plan.columns, *of_units]))
    alone = local_suppression(counts, schema, others, importance=rule.importance, blanks=rule.blanks)
    (key_set,) = key_sets(plan.columns, requirements, rule.importance)
    patterns = np.zeros((len(key_set.patterns), len(plan.columns)), dtype=bool)
    patterns[:, [plan.columns.index(name) for name in key_set.names]] = key_set.patterns
    plan = _sorted(plan)
    whole, rows = (
        sensitive_domains(schema, sensitive_requirements, original.unit_counts),
        plan.combinations.take(plan.rows),
    )
    units = to_codes(UNIT, rows[UNIT]).codes if of_units else None
    return BlankReplay(
        *_coded_parts(alone, plan),
        patterns,
        failure_check(sensitive_requirements, whole, rows, units),
        sensitive_codes(whole, rows),
    )


def _sorted(plan: Blanks) -> Blanks:
    """The plan with its rows in an order that does not depend on the engine that counted the combinations."""
    cells = [to_codes(name, plan.combinations[name]).codes[plan.rows] for name in plan.combinations.column_names]
    order = np.lexsort([*plan.cells.T, *cells])
    return replace(plan, rows=plan.rows[order], cells=plan.cells[order], n=plan.n[order])


def _coded_parts(alone: Blanks, released: Blanks) -> tuple[SuppressedParts, SuppressedParts]:
    """Both plans as codes of the quasi-identifiers before and after blanking, in one common coding."""
    plans, names = (alone, released), list(released.columns)
    tables = [plan.combinations.select(names).take(plan.rows) for plan in plans]
    both = pa.concat_tables(tables, promote_options="permissive")
    codes = np.column_stack([to_codes(name, both[name]).codes + 1 for name in names])
    first, second = (
        SuppressedParts(before, np.where(plan.cells, 0, before), plan.n)
        for plan, before in zip(plans, np.split(codes, [len(alone.rows)]), strict=True)
    )
    return first, second
