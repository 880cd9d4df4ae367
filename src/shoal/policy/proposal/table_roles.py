"""What depends on several columns: one household or unit, one weight, columns shared by a household, strata."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from shoal.policy.proposal import name_patterns
from shoal.policy.proposal.column_evidence import ColumnEvidence
from shoal.policy.proposal.suggestion import Suggestion
from shoal.schema.column import Role

Suggestions = Sequence[Suggestion]
SINGLE_ROLES: tuple[tuple[Role, ...], ...] = (("household", "unit"), ("weight",))  # a table has one of each


def with_single_roles(found: Suggestions, evidence: Mapping[str, ColumnEvidence]) -> list[Suggestion]:
    """At most one household or unit and one weight, a valid one; numbers of household members are released."""
    settled = [_checked_weight(each, evidence[each.name]) for each in found]
    settled = [_member_number(each, settled, evidence) for each in settled]
    for roles in SINGLE_ROLES:
        settled = _only_first(roles, settled)
    return [_shared_in_household(each, settled, evidence) for each in settled]


def _only_first(roles: tuple[Role, ...], found: Suggestions) -> list[Suggestion]:
    """Keeps the first column of the first of these roles that occurs; the others are dropped, to be cautious."""
    candidates = sorted((each for each in found if each.role in roles), key=lambda each: roles.index(each.role))
    reason = f"another column already has the role {candidates[0].role}" if candidates else ""
    return [each.dropped(reason) if each in candidates[1:] else each for each in found]


def _checked_weight(found: Suggestion, column: ColumnEvidence) -> Suggestion:
    if found.role != "weight":
        return found
    unfit: Any = pc.sum(pc.invert(pc.fill_null(pc.greater(column.plain, 0), False))).as_py()
    if not unfit:
        return found
    question = f"{unfit} weights are missing, zero or negative, so it is released without weighting by it: correct them"
    return replace(found, role="other", reason="its name suggests weight", questions=(question,))


def _member_number(found: Suggestion, all_: Suggestions, evidence: Mapping[str, ColumnEvidence]) -> Suggestion:
    """The number of a person within a household says nothing about the person beyond its place in the list."""
    household = next((each.name for each in all_ if each.role == "household"), None)
    column = evidence[found.name]
    if household is None or not name_patterns.matches(name_patterns.MEMBER_NUMBERS, found.name) or not column.is_whole:
        return found
    pairs = pa.table({"household": evidence[household].plain, "number": column.plain}).group_by(["household", "number"])
    if len(pairs.aggregate([])) < len(column.cells) or not column.repeats:
        return found
    return replace(found, role="other", kind="ordinal", reason="it numbers the members of a household", settings={})


def _shared_in_household(found: Suggestion, all_: Suggestions, evidence: Mapping[str, ColumnEvidence]) -> Suggestion:
    """``level = "household"`` where all members of every household have the same value."""
    household = next((evidence[each.name] for each in all_ if each.role == "household"), None)
    column = evidence[found.name]
    if household is None or found.role != "quasi_identifier" or not household.repeats or household.cells.null_count:
        return found
    pairs = pa.table({"household": household.plain, "value": column.plain}).group_by(["household", "value"])
    if len(pairs.aggregate([])) > household.n_values:
        return found
    return replace(found, settings={**found.settings, "level": "household"})


@dataclass(frozen=True)
class Strata:
    """A column whose totals matter, and whether all of its values have k records."""

    name: str
    what: str
    n_small: int  # values of fewer than k records

    @property
    def is_possible(self) -> bool:
        return self.n_small == 0


def strata(found: Suggestions, evidence: Mapping[str, ColumnEvidence], k: int) -> Strata | None:
    """The industry, or else the region, of a table of firms with amounts; None for other tables."""
    if any(column.says(name_patterns.PERSON_COLUMNS) for column in evidence.values()):
        return None
    if not any(column.says(name_patterns.FIRM_AMOUNTS) and column.is_number for column in evidence.values()):
        return None
    candidates = [each for each in found if each.role == "quasi_identifier" and each.kind == "nominal"]
    for what, hints in (("industry", name_patterns.INDUSTRY), ("region", name_patterns.REGION)):
        for each in candidates:
            if evidence[each.name].says(hints):
                return Strata(each.name, what, _n_small(evidence[each.name], k))
    return None


def _n_small(column: ColumnEvidence, k: int) -> int:
    """Values of fewer than k records; missing is a value, too."""
    n_missing = column.cells.null_count
    assert column.counts is not None
    return int(pc.sum(pc.less(column.counts[1], k)).as_py() or 0) + (0 < n_missing < k)
