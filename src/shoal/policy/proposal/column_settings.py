"""Further keys of a column in a draft: its order, a taxonomy, a recoding; and hints about codes for missing values."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from shoal.encode.embedding import MAX_VALUES
from shoal.policy.proposal.hierarchies import prefix_within_limit, taxonomy
from shoal.policy.proposal.missing_codes import labeled_missing, missing_codes
from shoal.schema.column import Kind, Role
from shoal.schema.suggest.column_evidence import ColumnEvidence
from shoal.schema.suggest.known_orders import known_order
from shoal.schema.suggest.suggestion import Suggestion


def with_settings(found: Suggestion, column: ColumnEvidence, missing_remedy: str) -> Suggestion:
    """The suggestion with everything that its values say about the policy. ``missing_remedy``: what to do about a code
    that means "missing"."""
    settings = {**_settings(column, found.role, found.kind), **found.settings}
    return _with_hints(_within_limits(replace(found, settings=settings), column), column, missing_remedy)


def _settings(column: ColumnEvidence, role: Role, kind: Kind) -> dict[str, Any]:
    """Order and taxonomy, where they are known."""
    if role not in ("quasi_identifier", "sensitive"):
        return {}
    if kind == "ordinal" and column.is_text and (order := known_order(column.texts.to_pylist())):
        return {"order": list(order)}
    found = taxonomy(column, kind) if role == "quasi_identifier" or kind == "nominal" else None
    return {"taxonomy": found} if found else {}


def _within_limits(found: Suggestion, column: ColumnEvidence) -> Suggestion:
    """A quasi-identifier of more nominal values than distances allow is recoded to prefixes, or dropped."""
    if found.role != "quasi_identifier" or found.kind != "nominal" or column.n_values <= MAX_VALUES:
        return found
    if length := prefix_within_limit(column):
        return replace(found, settings={"recode": {"prefix": length}})
    question = (
        f"{column.n_values:,} different values are too many to be compared, so it is dropped: release coarser values, "
        f"or declare a taxonomy and a method of generalization"
    )
    return found.dropped("too many different values", question)


def _with_hints(found: Suggestion, column: ColumnEvidence, remedy: str) -> Suggestion:
    if found.role not in ("quasi_identifier", "sensitive", "weight", "other"):
        return found
    labeled = labeled_missing(column)
    apart = {code: share for code, share in missing_codes(column).items() if code not in labeled}
    hints = (
        *(_hint(code, share, "has the label of a missing value", remedy) for code, share in labeled.items()),
        *(_hint(code, share, "stands apart", remedy) for code, share in apart.items()),
    )
    return replace(found, hints=hints)


def _hint(code: int, share: str, why: str, remedy: str) -> str:
    return f"{code} ({share} of its values) {why}: if it means 'missing', {remedy.format(code=code)}"
