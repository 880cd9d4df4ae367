"""Roles that depend on other columns: one household or unit, one weight, names of units, values of a household."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from shoal.schema.column import Role
from shoal.schema.suggest import name_patterns
from shoal.schema.suggest.column_evidence import ALMOST, MANY, ColumnEvidence
from shoal.schema.suggest.suggestion import Suggestion

Suggestions = Sequence[Suggestion]
SHARED_ROLES: tuple[Role, ...] = ("quasi_identifier", "sensitive")  # of columns that a household may share
N_TRIED = 10_000  # records that are looked at before the whole table
SINGLE_ROLES: tuple[tuple[Role, ...], ...] = (("household", "unit"), ("weight",))  # a table has one of each


def with_single_roles(found: Suggestions, evidence: Mapping[str, ColumnEvidence]) -> list[Suggestion]:
    """At most one household or unit and one weight, a valid one; numbers of household members are released."""
    settled = [_checked_weight(each, evidence[each.name]) for each in found]
    settled = [_amount_of_firm(each, evidence[each.name]) for each in settled] if is_of_firms(evidence) else settled
    settled = [_member_number(each, settled, evidence) for each in settled]
    for roles in SINGLE_ROLES:
        settled = _only_first(roles, settled, evidence)
    settled = [_name_of_unit(each, settled, evidence) for each in settled]
    return [_shared_in_household(each, settled, evidence) for each in settled]


def _only_first(
    roles: tuple[Role, ...], found: Suggestions, evidence: Mapping[str, ColumnEvidence]
) -> list[Suggestion]:
    """Keeps the first column of the first of these roles that occurs; the others are dropped, to be cautious. Of
    numbers of persons the one of fewest values counts: a patient has several cases."""

    def place(each: Suggestion) -> tuple[int, bool, int]:
        if each.role != "unit":
            return roles.index(each.role), False, 0
        is_firm = name_patterns.matches(name_patterns.FIRM_NUMBERS, each.name)
        return roles.index(each.role), is_firm, evidence[each.name].n_values

    candidates = sorted((each for each in found if each.role in roles), key=place)
    reason = f"another column already has the role {candidates[0].role}" if candidates else ""
    return [each.dropped(reason) if each in candidates[1:] else each for each in found]


def _checked_weight(found: Suggestion, column: ColumnEvidence) -> Suggestion:
    if found.role != "weight":
        return found
    fit: Any = pc.fill_null(pc.greater(column.plain, pa.scalar(0)), False)
    unfit: Any = pc.sum(pc.invert(fit)).as_py()
    if not unfit:
        return found
    question = (
        f"its name suggests weight, but {unfit} weights are missing or zero, so it is protected like other columns: "
        f"correct them and make it a weight"
    )
    reason = "an intruder may know it, and not all of it are weights"
    return found.with_role("quasi_identifier", reason, questions=(question,))


def _member_number(found: Suggestion, all_: Suggestions, evidence: Mapping[str, ColumnEvidence]) -> Suggestion:
    """The number of a person within a household says nothing about the person beyond its place in the list."""
    household = next((each.name for each in all_ if each.role == "household"), None)
    column = evidence[found.name]
    if household is None or not name_patterns.matches(name_patterns.MEMBER_NUMBERS, found.name) or not column.is_whole:
        return found
    if _n_pairs(evidence[household], column) < len(column.cells) or not column.repeats:
        return found
    return found.with_role("other", "it numbers the members of a household", kind="ordinal", settings={}, questions=())


def _name_of_unit(found: Suggestion, all_: Suggestions, evidence: Mapping[str, ColumnEvidence]) -> Suggestion:
    """A text that nearly every unit has for itself names the unit, however often it occurs."""
    unit = next((evidence[each.name] for each in all_ if each.role in ("household", "unit")), None)
    column = evidence[found.name]
    if unit is None or found.role != "quasi_identifier" or not column.is_text or unit.n_values <= MANY:
        return found
    if column.n_values < ALMOST * unit.n_values or _n_pairs(unit, column) > unit.n_values / ALMOST:
        return found
    return found.dropped("nearly every unit has a text of its own")


def _n_pairs(one: ColumnEvidence, other: ColumnEvidence) -> int:
    """Number of different pairs of values; missing is a value, too."""
    pairs = pa.table({"one": one.plain, "other": other.plain})
    return len(pairs.group_by(["one", "other"]).aggregate([]))


def _amount_of_firm(found: Suggestion, column: ColumnEvidence) -> Suggestion:
    """Amounts of firms are known to competitors: they are never released unchanged."""
    if found.kind != "numeric" or found.role not in ("sensitive", "quasi_identifier"):
        return found
    if found.role == "quasi_identifier" and not column.says(name_patterns.FIRM_AMOUNTS):
        return found
    return found.with_role("quasi_identifier", "competitors may know amounts of firms")


def is_of_firms(evidence: Mapping[str, ColumnEvidence]) -> bool:
    """Whether the table has amounts of firms and nothing that only persons have."""
    columns = evidence.values()
    if any(column.says(name_patterns.PERSON_COLUMNS) for column in columns):
        return False
    return any(column.says(name_patterns.FIRM_AMOUNTS) and column.is_number for column in columns)


def _shared_in_household(found: Suggestion, all_: Suggestions, evidence: Mapping[str, ColumnEvidence]) -> Suggestion:
    """``level = "household"`` where all members of every household have the same value."""
    household = next((evidence[each.name] for each in all_ if each.role == "household"), None)
    column = evidence[found.name]
    if household is None or found.role not in SHARED_ROLES or not household.repeats or household.cells.null_count:
        return found
    if not _is_shared(household, column):
        return found
    return replace(found, settings={**found.settings, "level": "household"})


def _is_shared(household: ColumnEvidence, column: ColumnEvidence) -> bool:
    """Whether no household has several values; the first records refute it for most columns."""
    first = household.head(N_TRIED), column.head(N_TRIED)
    return _n_pairs(*first) == first[0].n_values and _n_pairs(household, column) == household.n_values
