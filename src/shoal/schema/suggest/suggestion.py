"""Suggested role, kind and settings of every column, each with its reason; the data steward decides.

Values that are written like identifiers count first, then the name or label of a column, then its other values. A
column without evidence is suggested as a quasi-identifier, the cautious choice.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import pyarrow as pa

from shoal.errors import plural
from shoal.schema.column import Kind, Role
from shoal.schema.suggest import name_patterns
from shoal.schema.suggest.column_evidence import MANY, ColumnEvidence
from shoal.schema.suggest.known_orders import known_order
from shoal.schema.suggest.name_patterns import COMPOUND_PARTS, NAME_PATTERNS
from shoal.schema.suggest.value_patterns import identifying, is_time_of_day, prefixes
from shoal.schema.suggest.value_questions import value_questions

ROLE_NOTES: dict[Role, str] = {
    "weight": ", released unchanged",
    "sensitive": ", released unchanged",
}
FEW_VALUES = 12  # integers with at most this many distinct values are taken for codes or grades, not amounts
FEW_NAMES = 0.5  # share of distinct values below which names and numbers of places do not identify persons


@dataclass(frozen=True)
class Suggestion:
    """What is suggested for one column."""

    name: str
    role: Role
    kind: Kind
    reason: str
    settings: Mapping[str, Any] = field(default_factory=dict)
    """Further keys of the column in the policy, such as taxonomy or order."""
    questions: tuple[str, ...] = ()
    """What only the data steward can decide."""
    hints: tuple[str, ...] = ()
    """Further lines of comment."""
    is_named: bool = False
    """Whether its name or label says its role."""

    def with_role(self, role: Role, reason: str, **changes: Any) -> Suggestion:
        """The same column with a role that its name does not say."""
        return replace(self, role=role, reason=reason, is_named=False, **changes)

    def dropped(self, reason: str, question: str = "") -> Suggestion:
        """The same column as an identifier, which is not released."""
        questions = (*self.questions, question) if question else self.questions
        return self.with_role("identifier", reason, settings={}, questions=questions)


def suggestion(column: ColumnEvidence) -> Suggestion:
    """The suggestion for one column by itself."""
    name = column.name
    if not column.is_comparable:
        return Suggestion(name, "identifier", "nominal", "its cells are not single values, so they cannot be compared")
    if not column.n_known:
        return Suggestion(name, "identifier", "nominal", "it has no values, so there is nothing to release")
    role, role_reason, is_named = _role(column)
    kind, kind_reason = _kind(column)
    found = Suggestion(name, role, kind, _joined(role_reason, kind_reason), is_named=is_named)
    if column.date_format and column.n_misfits:
        question = (
            f"{column.n_misfits} cells are not written {column.date_format}: correct them, or declare them missing"
        )
        return found.dropped("dates of several forms", question)
    return replace(found, questions=value_questions(column))


def _joined(role_reason: str, kind_reason: str) -> str:
    """One short reason: that of the role, and of the kind where it is not obvious."""
    return f"{role_reason}; {kind_reason}" if kind_reason else role_reason


def _role(column: ColumnEvidence) -> tuple[Role, str, bool]:
    """The role, its reason, and whether the name or label says it."""
    if what := identifying(column):
        return "identifier", f"{what} identify persons", False
    role, reason = _named_role(column)
    if role is not None and not (column.is_constant and role == "quasi_identifier"):
        return role, reason, True
    return *_role_by_values(column), False


def _role_by_values(column: ColumnEvidence) -> tuple[Role, str]:
    if column.is_constant:
        return "other", "all records have the same value"
    if column.is_text and column.is_almost_distinct and not is_time_of_day(column) and not column.is_date:
        return "identifier", "nearly every record has a text of its own"
    if column.is_consecutive:
        return "identifier", "it numbers the records"
    return "quasi_identifier", "nothing suggests another role, and an intruder may know it"


def _named_role(column: ColumnEvidence) -> tuple[Role | None, str]:
    """The role that its name suggests, or its label where the name suggests none."""
    for what, text in (("name", column.name), ("label", column.label)):
        for role, hints in NAME_PATTERNS:
            if name_patterns.matches(hints, text) and _fits(role, column):
                role = _identifier_or_place(role, text, column)
                return role, f"its {what} suggests {role}" + ROLE_NOTES.get(role, "")
        for role, parts in COMPOUND_PARTS:
            if name_patterns.contains(parts, text):
                return role, f"its {what} suggests {role}" + ROLE_NOTES.get(role, "")
    return None, ""


def _fits(role: Role, column: ColumnEvidence) -> bool:
    """Whether the values agree with the role: weights are numbers without labels, units have several records."""
    if role == "weight":
        return column.is_number and not column.has_labels
    if role == "unit":
        return not (column.is_date or pa.types.is_floating(column.type) or column.has_labels)
    return True


def _identifier_or_place(role: Role, name: str, column: ColumnEvidence) -> Role:
    """A unit without repetition is an identifier; a number of persons that repeats is a unit; the name of a place that
    many records share is neither."""
    if role == "unit" and not column.repeats:
        return "identifier"
    if role == "identifier" and _numbers_persons(name, column):
        return "unit"
    is_known = name_patterns.matches(NAME_PATTERNS[-1][1], name)
    return "quasi_identifier" if role == "identifier" and is_known and _is_shared(column) else role


def _numbers_persons(name: str, column: ColumnEvidence) -> bool:
    is_number = name_patterns.matches(name_patterns.PERSON_KEYS, name) and _fits("unit", column)
    return is_number and column.repeats and column.n_values > MANY


def _is_shared(column: ColumnEvidence) -> bool:
    return column.n_values < FEW_NAMES * column.n_known


def _kind(column: ColumnEvidence) -> tuple[Kind, str]:
    n, type_ = column.n_values, column.type
    if column.has_labels:
        return _kind_of_labels(column)
    if column.is_date:
        return "date", f"dates written {column.date_format}" if column.date_format else ""
    if column.is_span or is_time_of_day(column):
        return "ordinal", "times of day or durations"
    if pa.types.is_dictionary(type_) and type_.ordered:
        return "ordinal", "ordered categories"
    if column.is_whole and column.measure == "nominal":
        return "nominal", "nominal in the file"
    if column.is_whole and column.measure == "ordinal":
        return "ordinal", "ordinal in the file"
    if column.is_whole and (column.says(name_patterns.CODES) or prefixes(column)):
        return "nominal", f"{n:,} different {plural(n, 'code')}, not amounts"
    if column.is_whole and n <= FEW_VALUES and column.measure != "scale":
        return "ordinal", f"{n} different whole {plural(n, 'number')}, taken for grades"
    if column.is_number:
        return "numeric", ""
    if column.is_text and known_order(column.texts.to_pylist()):
        return "ordinal", "its values have a known order"
    return "nominal", f"{n:,} different {plural(n, 'value')}"


def _kind_of_labels(column: ColumnEvidence) -> tuple[Kind, str]:
    """Labeled codes are categories: ordinal where the file says so, or where the labels in order of the codes are an
    order that is known."""
    texts = column.label_texts
    if column.measure == "ordinal" or (column.measure != "nominal" and known_order(texts) == texts):
        return "ordinal", "its codes have labels, in their order"
    return "nominal", "its codes have labels"
