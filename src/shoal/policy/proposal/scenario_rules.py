"""What a scenario asks of single columns: recodings, and columns that must not be released."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Any

from shoal.policy.proposal.hierarchies import is_age, is_birth
from shoal.policy.scenarios import OLDEST_AGE, Scenario, ScenarioThreshold
from shoal.schema import Kind
from shoal.schema.suggest import name_patterns
from shoal.schema.suggest.column_evidence import ColumnEvidence
from shoal.schema.suggest.suggestion import Suggestion

UNRELEASED = ("identifier", "unit", "household")


def with_scenario(
    found: list[Suggestion], evidence: Mapping[str, ColumnEvidence], scenario: Scenario | None
) -> list[Suggestion]:
    if scenario is None:
        return found
    return [_ruled(each, evidence[each.name], scenario) for each in found]


def _ruled(found: Suggestion, column: ColumnEvidence, scenario: Scenario) -> Suggestion:
    """The column as the first threshold that concerns it asks."""
    if found.role in UNRELEASED:
        return found
    for threshold in scenario.thresholds:
        if recode := _recoding(threshold, found, column):
            questions = (f"{threshold.words}: merge those areas",) if threshold.recode == "prefix" else ()
            kind: Kind = "numeric" if "bottom" in recode and found.kind != "date" else found.kind
            return found.with_role(
                "quasi_identifier", f"{threshold.words} ({threshold.source})", kind=kind,
                settings={"recode": recode}, questions=(*found.questions, *questions),
            )  # fmt: skip
    for threshold in scenario.thresholds:
        if threshold.check == "absent" and column.says(threshold.hints):
            return found.dropped(f"{threshold.words} ({threshold.source})")
    return found


def _recoding(threshold: ScenarioThreshold, found: Suggestion, column: ColumnEvidence) -> dict[str, Any] | None:
    if threshold.recode == "prefix" and column.says(name_patterns.POSTAL) and found.kind == "nominal":
        return {"prefix": 3}
    if threshold.recode == "date_part" and found.kind == "date":
        return {"date_part": "year"}
    if threshold.recode == "month" and found.kind == "date":
        return {"date_part": "year" if is_birth(column) else "month"}
    if threshold.recode == "top" and is_age(column):
        return {"top": OLDEST_AGE}
    if threshold.recode == "top" and is_birth(column):
        part = {"date_part": "year"} if found.kind == "date" else {}
        return {**part, "bottom": date.today().year - OLDEST_AGE + 1}  # also right in the next year
    return None
