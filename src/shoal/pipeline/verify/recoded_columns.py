"""The recoded columns of a written release, checked by the gate against the policy."""

from __future__ import annotations

from collections.abc import Iterator

from shoal.engines.protocol import F
from shoal.gate.recoded_values import RecodedDomain, recoding_faults
from shoal.pipeline.verify.written_release import WrittenRelease
from shoal.policy import Policy, ReleasePlan, taxonomy_of
from shoal.policy.recode_rule import RecodeRule
from shoal.policy.released_column import ReleasedColumn
from shoal.schema import Schema
from shoal.schema.taxonomy import ROOT


def recoded_faults(policy: Policy, plan: ReleasePlan, schema: Schema, written: WrittenRelease[F]) -> Iterator[str]:
    """A fault for each recoded column that holds values other than the policy declares."""
    for name, rule in plan.recoded.items():
        if name in written:
            column, domain = plan.columns[name], _domain(policy, name, rule, plan.columns[name], written)
            yield from recoding_faults(written.values(name), domain, schema[name], by_extents=column.as_extent)


def _domain(
    policy: Policy, name: str, rule: RecodeRule, column: ReleasedColumn, written: WrittenRelease[F]
) -> RecodedDomain:
    merged = None if rule.merge is None else frozenset(rule.categories) - frozenset(rule.merge)
    return RecodedDomain(
        intervals=rule.intervals,
        width=rule.width,
        date_part=rule.date_part,
        prefix=rule.prefix,
        labels=None if rule.level is None else _labels(policy, name, column, written),
        merged=merged,
        bottom=rule.bottom,
        top=rule.top,
        are_steps=not (column.as_mean or column.is_perturbed),
    )


def _labels(policy: Policy, name: str, column: ReleasedColumn, written: WrittenRelease[F]) -> frozenset[str]:
    """The nodes at the level of the recoding; for extents, those above it, too."""
    tree = taxonomy_of(policy, name, written.values(name)) if column.has_taxonomy_file else None
    levels = slice(None) if column.as_extent else slice(1)
    return frozenset(label for path in tree.paths for label in path[levels]) if tree else frozenset({ROOT})
