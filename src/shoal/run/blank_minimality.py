"""The minimality attack on local suppression: the cells that k alone blanks are blanked once more."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pyarrow as pa

from shoal import progress
from shoal.assess.findings import Finding, NotMeasured
from shoal.assess.risk.blank_minimality import BlankReplay, Shown
from shoal.assess.risk.minimality import BLANKED
from shoal.encode.codes import to_codes
from shoal.engines.protocol import F
from shoal.methods.generalization.key_set import key_sets
from shoal.methods.generalization.local_suppression import local_suppression
from shoal.plan import Blanks
from shoal.policy import LocalSuppression
from shoal.requirements.judge import domains
from shoal.run.minimality import fails_of, values_of
from shoal.run.original import Original

FEASIBLE = 1_000_000  # records that are blanked once more without anybody waiting
SEVERAL_KEY_SETS = NotMeasured(BLANKED, "not measured: k is asked for on several sets of columns.")
TOO_LARGE = NotMeasured(BLANKED, "not measured: the table is too large to be blanked a second time.")


def blank_minimality(
    original: Original[F], kept: F, plan: Blanks, rule: LocalSuppression
) -> Iterator[Finding | NotMeasured]:
    """Where sensitive values decided what was blanked, of one key set. ``kept``: the records before they were."""
    asked = [requirement for requirement in original.policy.requirements if requirement.column]
    if not asked:
        return
    if len(key_sets(plan.columns, original.policy.requirements, rule.importance)) > 1:
        yield SEVERAL_KEY_SETS
        return
    if original.n_records > FEASIBLE:
        yield TOO_LARGE
        return
    with progress.stage("blanking cells once more", 0):
        replay = _replay(original, kept, plan, rule)
    if replay.gone.n.size:
        for name in replay.values:
            yield replay.accusations(name, original.policy.seed).finding(BLANKED, name)


def _replay(original: Original[F], kept: F, plan: Blanks, rule: LocalSuppression) -> BlankReplay:
    schema, requirements = original.schema, original.policy.requirements
    asked = [requirement for requirement in requirements if requirement.column]
    others = [requirement for requirement in requirements if not requirement.column]
    counts = original.engine.group_counts(kept, list(plan.columns))
    alone = local_suppression(counts, schema, others, importance=rule.importance, blanks=rule.blanks)
    (key_set,) = key_sets(plan.columns, requirements, rule.importance)
    patterns = np.zeros((len(key_set.patterns), len(plan.columns)), dtype=bool)
    patterns[:, [plan.columns.index(name) for name in key_set.names]] = key_set.patterns
    plan = _sorted(plan)
    seen, rows = domains(schema, asked, original.value_counts), plan.combinations.take(plan.rows)
    return BlankReplay(*_shown(alone, plan), patterns, fails_of(asked, seen, rows, None), values_of(seen, rows))


def _sorted(plan: Blanks) -> Blanks:
    """Its parts in an order that is the same whoever counted the combinations."""
    cells = [to_codes(name, plan.combinations[name]).codes[plan.rows] for name in plan.combinations.column_names]
    order = np.lexsort([*plan.cells.T, *cells])
    return replace(plan, rows=plan.rows[order], cells=plan.cells[order], n=plan.n[order])


def _shown(alone: Blanks, released: Blanks) -> tuple[Shown, Shown]:
    """In codes that both share."""
    plans, names = (alone, released), list(released.columns)
    tables = [plan.combinations.select(names).take(plan.rows) for plan in plans]
    both = pa.concat_tables(tables, promote_options="permissive")
    codes = np.column_stack([to_codes(name, both[name]).codes + 1 for name in names])
    first, second = (
        Shown(before, np.where(plan.cells, 0, before), plan.n)
        for plan, before in zip(plans, np.split(codes, [len(alone.rows)]), strict=True)
    )
    return first, second
