"""Suggested role, kind and settings of every column, each with its reason; the data steward decides.

Values that are written like identifiers count first, then the name or label of a column, then its other values. A
name is evidence only where the values agree (``NAME_RULES``): where they contradict it, it counts for nothing; where
they leave a doubt, what it says is kept if that protects more, and asked about. A column without evidence is suggested
as a quasi-identifier, the cautious choice.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from shoal.errors import plural
from shoal.schema.column import Kind, Role
from shoal.schema.suggest import name_patterns
from shoal.schema.suggest.column_evidence import FEW_VALUES, MANY, ColumnEvidence
from shoal.schema.suggest.known_orders import known_order
from shoal.schema.suggest.name_patterns import COMPOUND_PARTS, NAME_PATTERNS
from shoal.schema.suggest.value_patterns import FITS_MOST, identifying, is_time_of_day, prefixes
from shoal.schema.suggest.value_questions import DATE_FORMS, value_questions

ROLE_NOTES: dict[Role, str] = {
    "weight": ", released unchanged",
    "sensitive": ", released unchanged",
}
CONSEQUENCES: dict[Role, str] = {
    "identifier": ", so it is dropped",
    "unit": ", so that k counts its values",
    "household": ", so that k counts its values",
    "weight": ", so it is released unchanged",
}
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
        """The same column as an identifier, which is not released: no other question about it is open."""
        return self.with_role("identifier", reason, settings={}, questions=(question,) if question else ())


def suggestion(column: ColumnEvidence) -> Suggestion:
    """The suggestion for one column by itself."""
    name = column.name
    if not column.is_comparable:
        return Suggestion(name, "identifier", "nominal", "its cells are not single values, so they cannot be compared")
    if not column.n_known:
        return Suggestion(name, "identifier", "nominal", "it has no values, so there is nothing to release")
    role, role_reason, is_named, doubts = _role(column)
    kind, kind_reason = _kind(column)
    found = Suggestion(name, role, kind, _joined(role_reason, kind_reason), is_named=is_named)
    if column.date_format and column.n_misfits:
        question = (
            f"{column.n_misfits} cells are not written {column.date_format}: correct them, or declare them missing"
        )
        return found.dropped("dates of several forms", question)
    return replace(found, questions=(*doubts, *value_questions(column)))


def _joined(role_reason: str, kind_reason: str) -> str:
    """One short reason: that of the role, and of the kind where it is not obvious."""
    return f"{role_reason}; {kind_reason}" if kind_reason else role_reason


def _role(column: ColumnEvidence) -> tuple[Role, str, bool, tuple[str, ...]]:
    """The role, its reason, whether the name or label says it, and what is doubtful about that."""
    if what := identifying(column):
        return "identifier", f"{what} identify persons", False, ()
    role, reason, doubts = _named_role(column)
    if role is not None and not (column.is_constant and role == "quasi_identifier"):
        return role, reason, True, doubts
    return *_role_by_values(column), False, doubts


def _role_by_values(column: ColumnEvidence) -> tuple[Role, str]:
    if column.is_constant:
        return "other", "all records have the same value"
    if _has_own_texts(column):
        return "identifier", "nearly every record has a text of its own"
    if column.is_consecutive:
        return "identifier", "it numbers the records"
    return "quasi_identifier", "nothing suggests another role, and an intruder may know it"


def _has_own_texts(column: ColumnEvidence) -> bool:
    return column.is_text and column.is_almost_distinct and not is_time_of_day(column) and not column.is_date


def _named_role(column: ColumnEvidence) -> tuple[Role | None, str, tuple[str, ...]]:
    """The role that its name suggests, or its label where the name suggests none, unless the values contradict; and
    questions about it."""
    doubts: tuple[str, ...] = ()
    for what, text in (("name", column.name), ("label", column.label)):
        named = (role for role, hints in NAME_PATTERNS if name_patterns.matches(hints, text))
        compound = (role for role, parts in COMPOUND_PARTS if name_patterns.contains(parts, text))
        for role in (*named, *compound):
            rule = next((each for each in NAME_RULES if each.is_about(role, text)), None)
            if rule and not rule.is_possible(column):
                doubts = doubts or _maybe_units(role, column)
                continue
            role = _identifier_or_place(role, text, column)
            if rule and (doubt := rule.doubt(column)):
                kept = f"its {what} suggests {role}{CONSEQUENCES.get(role, '')}"
                doubts = (f"{kept}, but {doubt}: if it is something else, make it a quasi_identifier",)
            else:
                doubts = ()
            return role, f"its {what} suggests {role}" + ROLE_NOTES.get(role, ""), doubts
    return None, "", doubts or _maybe_weights(column)


@dataclass(frozen=True)
class NameRule:
    """What the values of a column must be like for its name to count."""

    roles: tuple[Role, ...]
    names: str
    """The names that it is about; all that suggest the role if it is empty."""
    is_possible: Callable[[ColumnEvidence], bool]
    """Whether the values may be that. If not, the name counts for nothing."""
    doubt: Callable[[ColumnEvidence], str] = lambda column: ""
    """Why they may be something else as well. The role of the name is then kept, and asked about."""

    def is_about(self, role: Role, text: str) -> bool:
        return role in self.roles and (not self.names or name_patterns.matches(self.names, text))


def _may_number(column: ColumnEvidence) -> bool:
    """Whether its values may number or name something: no dates, fractions, categories, nor yes and no."""
    is_yes_no = column.n_values <= 2 and column.repeats
    return not (is_yes_no or column.is_date or column.has_fractions or column.has_labels)


def _may_weigh(column: ColumnEvidence) -> bool:
    """Numbers without labels, more than two of them and none negative."""
    if not column.is_number or column.has_labels or column.n_values <= 2:
        return False
    least: Any = pc.min(column.plain)
    return bool(least.as_py() >= 0)


def _may_date(column: ColumnEvidence) -> bool:
    """Dates, or numbers such as years."""
    if column.is_number:
        return column.n_values > 2
    return column.is_date or column.fits("|".join(DATE_FORMS.values()), FITS_MOST)


def _few(column: ColumnEvidence) -> str:
    return f"{column.n_values:,} different values are few for {column.n_known:,} records"


def _few_units(column: ColumnEvidence) -> str:
    """Units are many, and each has few records: on average no more than there are units, and none has most of them."""
    is_few = column.n_values**2 < column.n_known or column.largest_count > column.n_known / 2
    return _few(column) if is_few else ""


def _few_or_sorted(column: ColumnEvidence) -> str:
    ascends = "ascending whole numbers may also be what the table is sorted by" if column.ascends else ""
    return _few_units(column) or ascends


def _few_or_numbers(column: ColumnEvidence) -> str:
    if not column.is_text:
        return "its values are numbers"
    return _few(column) if column.is_few else ""


UNITS: tuple[Role, ...] = ("household", "unit")
# The first rule for a role and a name counts. A word alone, such as case or id, says less than case_id.
NAME_RULES = (
    NameRule(UNITS, name_patterns.WORDS_ALONE, lambda c: _may_number(c) and not c.is_few, _few_or_sorted),
    NameRule(UNITS, "", _may_number, _few_units),
    NameRule(
        ("identifier",), name_patterns.NAMES, lambda c: _may_number(c) and (c.is_text or not c.is_few), _few_or_numbers
    ),
    NameRule(("identifier",), name_patterns.WORDS_ALONE, lambda c: _may_number(c) and not c.is_few, _few_or_sorted),
    NameRule(("identifier",), "", lambda c: _may_number(c) and not c.is_few, _few_units),
    NameRule(("weight",), name_patterns.WEIGHTS_ALONE, _may_weigh, lambda _: "it may also be what somebody weighs"),
    NameRule(("weight",), "", _may_weigh),
    NameRule(("sensitive",), "", lambda c: not _has_own_texts(c)),
    NameRule(("quasi_identifier",), name_patterns.DATES, _may_date),
)


def _maybe_units(role: Role, column: ColumnEvidence) -> tuple[str, ...]:
    """What is asked of a few values whose name may say that they number somebody."""
    if role not in (*UNITS, "identifier") or not _may_number(column):
        return ()
    return (f"it may number somebody, but {_few(column)}: if each is a person, household or firm, make it a unit",)


def _maybe_weights(column: ColumnEvidence) -> tuple[str, ...]:
    """What is asked of amounts that may weigh somebody, or the records of a sample."""
    if not (name_patterns.matches(name_patterns.MASSES, column.name) and _may_weigh(column)):
        return ()
    return ("it may weigh the records of a sample: if it says how many persons each stands for, make it a weight",)


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
    is_number = name_patterns.matches(name_patterns.PERSON_KEYS, name)
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
