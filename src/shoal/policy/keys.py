"""Key sets: quasi-identifiers that are grouped together, and the requirements on them.

An intruder is assumed to know the columns of one set, but not of two; each set has groups of its own. Sets that share a
column are joined into one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from shoal.errors import ColumnError, PolicyError
from shoal.requirements import Requirement
from shoal.requirements.requirement import ReleaseRequirement, group_size, reads_numbers
from shoal.requirements.sufficient_sizes import with_sufficient_sizes
from shoal.schema import Schema

if TYPE_CHECKING:
    from shoal.policy.release_plan import ReleasePlan


@dataclass(frozen=True)
class KeySet:
    columns: tuple[str, ...]  # in the order of the table
    requirements: tuple[Requirement, ...]
    k: int  # 1 where no k-anonymity is required

    def only(self, schema: Schema) -> Schema:
        """The schema without the quasi-identifiers of other key sets."""
        return Schema(c for c in schema.columns if c.role != "quasi_identifier" or c.name in self.columns)


def key_sets(plan: ReleasePlan) -> tuple[KeySet, ...]:
    names = plan.quasi_identifiers
    for requirement in plan.requirements:
        if requirement.reads == "extents":
            _check_length(plan, str(requirement.column))
    sets = _join_overlapping([set(requirement.columns or names) for requirement in plan.requirements] or [set(names)])
    outside = [name for name in names if not any(name in columns for columns in sets)]
    if outside:
        raise PolicyError.in_no_key_set(outside)
    if len(sets) > 1 and plan.permutes:
        raise PolicyError.one_key_set("output.permute", len(sets))
    if len(sets) > 1 and plan.representation.separates_sensitive:
        raise PolicyError.one_key_set("output.representation", len(sets))
    for columns in sets if plan.method.forms_classes else ():
        if not any(plan.columns[name].weight for name in columns):
            raise ColumnError.no_weight([name for name in names if name in columns])
    return tuple(_key_set(plan, columns) for columns in sets)


def check_k(plan: ReleasePlan) -> None:
    """Raises PolicyError where nothing says which classes are too small: a method that forms groups needs a k, and one
    that cuts a requirement that a class can fail."""
    for key in plan.key_sets if plan.method.forms_classes else ():
        if key.k == 1 and plan.method.forms_groups:
            raise PolicyError.no_k_of_groups(plan.method.name)
        if key.k == 1 and plan.method.finds_cuts and all(isinstance(r, ReleaseRequirement) for r in key.requirements):
            raise PolicyError.no_class_fails([requirement.name for requirement in key.requirements])


def depends_on_sensitive(keys: Sequence[KeySet]) -> bool:
    """Whether sensitive values affect which groups are merged or suppressed; only considered for a single key set, and
    not where amounts do, too."""
    if len(keys) > 1 or adds_amounts(keys):
        return False
    return any(each.column and each.reads != "extents" for each in keys[0].requirements)


def adds_amounts(keys: Sequence[KeySet]) -> bool:
    """Whether amounts or weights affect which groups are merged or suppressed."""
    return any(reads_numbers(requirement.reads) for key in keys for requirement in key.requirements)


def _check_length(plan: ReleasePlan, name: str) -> None:
    if plan.blanks_cells:
        raise PolicyError.no_length_of_blanks(name)
    if not plan.method.finds_cuts or not plan.representation.releases_extents:
        raise PolicyError.no_extents(name)
    if not plan.columns[name].has_length:
        raise PolicyError.no_length(name)


def _join_overlapping(sets: Sequence[set[str]]) -> list[set[str]]:
    """The sets, with those that share a column joined."""
    joined: list[set[str]] = []
    for columns in sets:
        touching = [other for other in joined if other & columns]
        joined = [other for other in joined if not other & columns]
        joined.append(columns.union(*touching))
    return joined


def _key_set(plan: ReleasePlan, columns: set[str]) -> KeySet:
    names = plan.quasi_identifiers
    requirements = [r for r in plan.requirements if set(r.columns or names) <= columns]
    wanted = tuple(requirements) if plan.method.k else with_sufficient_sizes(requirements)
    k = plan.method.k or group_size(wanted) or 1
    return KeySet(tuple(name for name in names if name in columns), wanted, k)
