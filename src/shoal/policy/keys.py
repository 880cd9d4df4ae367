"""Key sets: the quasi-identifiers that are made alike together, and what must hold of them.

An intruder may know the columns of one set, but not those of two: each set has groups of its own. Sets that share a
column cannot be told apart and are one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from shoal.errors import PolicyError
from shoal.policy.policy import Policy
from shoal.requirements import AlphaKAnonymity, KAnonymity, Requirement
from shoal.schema import Schema


@dataclass(frozen=True)
class KeySet:
    columns: tuple[str, ...]  # in the order of the table
    requirements: tuple[Requirement, ...]
    k: int

    def only(self, schema: Schema) -> Schema:
        """Its quasi-identifiers, and all that are none."""
        return Schema(c for c in schema.columns if c.role != "quasi_identifier" or c.name in self.columns)


def key_sets(policy: Policy, schema: Schema) -> tuple[KeySet, ...]:
    names = schema.quasi_identifiers
    for requirement in policy.requirements:
        if requirement.reads == "extents":
            _check_length(policy, str(requirement.column))
    sets = _joined([set(requirement.columns or names) for requirement in policy.requirements] or [set(names)])
    outside = [name for name in names if not any(name in columns for columns in sets)]
    if outside:
        raise PolicyError.in_no_key_set(outside)
    if len(sets) > 1 and policy.output.permute:
        raise PolicyError.one_key_set("output.permute", len(sets))
    if len(sets) > 1 and policy.representation.separates_sensitive:
        raise PolicyError.one_key_set("output.representation", len(sets))
    return tuple(_key_set(policy, names, columns) for columns in sets)


def _check_length(policy: Policy, name: str) -> None:
    """A length is that of an interval, or a level of a tree that the gate can read."""
    rule = policy.columns[name]
    if not policy.method.finds_cuts or not policy.representation.releases_extents:
        raise PolicyError.no_extents(name)
    if rule.taxonomy and (rule.kind in ("numeric", "date") or not rule.taxonomy.file):
        raise PolicyError.no_length(name)


def _joined(sets: Sequence[set[str]]) -> list[set[str]]:
    """Sets that share a column are one."""
    joined: list[set[str]] = []
    for columns in sets:
        touching = [other for other in joined if other & columns]
        joined = [other for other in joined if not other & columns]
        joined.append(columns.union(*touching))
    return joined


def _key_set(policy: Policy, names: Sequence[str], columns: set[str]) -> KeySet:
    asked = [r for r in policy.requirements if set(r.columns or names) <= columns]
    k = policy.method.k or max((r.k for r in asked if isinstance(r, KAnonymity | AlphaKAnonymity)), default=None)
    if k is None:
        raise PolicyError.no_k()
    return KeySet(tuple(name for name in names if name in columns), tuple(asked), k)
