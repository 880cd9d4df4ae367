"""A first guess at the role and kind of every column, each with its reason. The steward decides.

Names speak first, then values. What says nothing is taken for a quasi-identifier: the cautious mistake.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from shoal.schema.column import Kind, Role

# A word of the name, in any of its usual spellings, and the role it speaks for. The first match counts.
HINTS: tuple[tuple[Role, str], ...] = (
    ("household", r"household|hh|hhid|family id"),
    ("weight", r"weight|wgt|wt|fnlwgt|afnlwgt|expansion factor"),
    ("identifier", r"id|uuid|guid|ssn|nino|name|surname|firstname|lastname|email|mail|phone|telephone|mobile|iban"
                   r"|passport|licen[cs]e|address|street|identifier|record number|patient number|ip"),
    ("sensitive", r"disease|diagnosis|icd|condition|health|disability|hiv|drug|medication|treatment|religion|faith"
                  r"|politic\w*|party|vote|orientation|union|salary|income|wage|earnings|debt|benefit|conviction|crime"
                  r"|offen[cs]e"),
    ("quasi_identifier", r"age|birth\w*|dob|born|sex|gender|zip|zipcode|postcode|postal|region|state|county|city|town"
                         r"|municipality|country|nation\w*|race|ethnic\w*|marital|civil|education|degree|occupation"
                         r"|profession|job|workclass|employ\w*|industry|citizen\w*|language|date|year"),
)  # fmt: skip
MISSING_WORDS = frozenset({"NA", "N/A", "n/a", "NULL", "null", "None", "NaN", "nan", "?", "-", ".", "#N/A", "missing"})
FEW_VALUES = 12  # whole numbers with so few values are rather codes or grades than amounts


@dataclass(frozen=True)
class Suggestion:
    name: str
    role: Role
    kind: Kind
    reason: str


def suggest(table: pa.Table) -> list[Suggestion]:
    """One suggestion per column of a table with types."""
    return [_suggestion(name, table[name]) for name in table.column_names]


def missing_words(table: pa.Table) -> tuple[str, ...]:
    """Words in text columns that usually mean "not known"."""
    words = pa.array(sorted(MISSING_WORDS))
    found: set[str] = set()
    for column in table.columns:
        if pa.types.is_string(column.type):
            present: Any = column.filter(pc.is_in(column, value_set=words)).unique()
            found |= set(present.to_pylist())
    return tuple(sorted(found))


def _suggestion(name: str, values: pa.ChunkedArray[Any]) -> Suggestion:
    n_values = pc.count_distinct(values, mode="only_valid").as_py()
    kind, kind_reason = _kind(values, n_values)
    role, role_reason = _role(name, values, n_values)
    return Suggestion(name, role, kind, f"{role_reason}; {kind_reason}")


def _kind(values: pa.ChunkedArray[Any], n_values: int) -> tuple[Kind, str]:
    type_ = values.type
    if pa.types.is_temporal(type_):
        return "date", "dates"
    if pa.types.is_integer(type_) and n_values <= FEW_VALUES:
        return "ordinal", f"only {n_values} different whole numbers, taken for grades"
    if pa.types.is_integer(type_) or pa.types.is_floating(type_) or pa.types.is_decimal(type_):
        return "numeric", "numbers"
    if pa.types.is_dictionary(type_) and type_.ordered:
        return "ordinal", "ordered categories"
    return "nominal", f"{n_values} different values"


def _role(name: str, values: pa.ChunkedArray[Any], n_values: int) -> tuple[Role, str]:
    words = _words(name)
    for role, hints in HINTS:
        if re.search(rf"(?<!\w)({hints})(?!\w)", words):
            return role, f"its name speaks for {role}"
    if n_values == 0:
        return "identifier", "no value at all, so nothing to release"
    n_known = len(values) - values.null_count
    if n_values == n_known > 20 and not pa.types.is_floating(values.type):
        return "identifier", "a different value for every record"
    if n_values == 1:
        return "other", "the same value for every record"
    return "quasi_identifier", "nothing speaks against an intruder knowing it"


def _words(name: str) -> str:
    """birthDate, birth_date and BIRTH-DATE are all 'birth date'."""
    spaced = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name)
    return re.sub(r"[^a-z0-9]+", " ", spaced.lower()).strip()
