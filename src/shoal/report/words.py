"""Wording of counts, names, shares and requirements."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from shoal.errors.base import plural
from shoal.errors.visible import has_right_to_left, visible
from shoal.findings import four_digits
from shoal.gate.common_candidates import EARLIER
from shoal.gate.invariance import PERSONS
from shoal.policy.column_treatment import representation_of
from shoal.requirements import REQUIREMENTS

MOST_NAMED = 8  # most columns named in a sentence


@dataclass(frozen=True)
class RequirementWords:
    name: str
    symbol: str  # of its parameter


def requirement_words(name: str) -> RequirementWords:
    """Name and symbol of a requirement; an unknown one keeps its own name."""
    for requirement in REQUIREMENTS:
        if requirement.name == name:
            return RequirementWords(requirement.title, requirement.measure)
    return RequirementWords(name.replace("_", " "), "value")


def earlier_words(besides: Mapping[str, Any]) -> str:
    """With which earlier releases a verdict was reached, by which columns and for whom; nothing where it is about one
    release."""
    if EARLIER not in besides:
        return ""
    persons = f", {besides[PERSONS]} persons" if PERSONS in besides else ""
    stable = f" (stable = {visible(besides['stable'])})" if "stable" in besides else ""
    return f" with {visible(besides[EARLIER])}{stable}{persons}"


def number_of(n: int, one: str, many: str | None = None) -> str:
    """A number with its noun, such as: 1 record, 2 records, 3 classes."""
    return f"{n:,} {plural(n, one, many)}"


def percent(percentage: float) -> str:
    """A percentage with four significant digits and a nonbreaking space."""
    return f"{four_digits(percentage)}\u00a0%"


def rounded_percent(percentage: float) -> str:
    """A percentage with one decimal, for charts."""
    return f"{percentage:.1f}\u00a0%"


def utc_time(timestamp: str) -> str:
    """A time as: 2026-01-31 12:00:00 UTC"""
    return timestamp.replace("T", " ").replace("+00:00", " UTC")


def isolate(name: str) -> str:
    """The name in Unicode isolates if it is written right to left, so that the text around it keeps its order."""
    shown = visible(name)
    return f"\u2068{shown}\u2069" if has_right_to_left(shown) else shown


def name_list(names: Sequence[str]) -> str:
    """Such as: a, b and c; of many names the first ones and the number of the others."""
    shown = [isolate(name) for name in names[:MOST_NAMED]]
    if len(names) > MOST_NAMED:
        shown.append(f"{len(names) - MOST_NAMED} more")
    *others, last = shown or [""]
    return f"{', '.join(others)} and {last}" if others else last


def quoted_name_list(names: Sequence[str]) -> str:
    return name_list([f"'{name}'" for name in names])


def plain_words(name: str) -> str:
    """An identifier such as quasi_identifier as words of a sentence."""
    return "quasi-identifier" if name == "quasi_identifier" else name.replace("_", " ")


def noun_counted(policy: dict[str, Any]) -> str:
    """What k counts, from the policy as stored in a manifest: units where a column names them, otherwise records.

    With blanks that match any value, records are counted.
    """
    has_units = any(columns_with_role(policy, role) for role in ("household", "unit"))
    is_wildcard = (policy.get("local_suppression") or {}).get("blanks") == "wildcard"
    return "unit" if has_units and not is_wildcard else "record"


def is_anatomy(policy: dict[str, Any]) -> bool:
    """Whether sensitive values are released in a second table, from the policy as stored in a manifest."""
    return representation_of(policy).separates_sensitive


def proved_sets(policy: dict[str, Any]) -> tuple[str, str]:
    """What requirements are proved for, one and many: the groups of an anatomy, otherwise classes."""
    return ("group", "groups") if is_anatomy(policy) else ("class", "classes")


def columns_with_role(policy: dict[str, Any], role: str) -> tuple[str, ...]:
    """Columns of a role, from the policy as stored in a manifest."""
    return tuple(name for name, rule in policy.get("columns", {}).items() if rule["role"] == role)
