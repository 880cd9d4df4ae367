"""What pages know of the policy: its text, what the text says, and what is wrong with it."""

from __future__ import annotations

from collections.abc import Mapping
from math import isfinite
from typing import Any

from shoal.policy.policy import Policy
from shoal.studio.answers import problem
from shoal.studio.sitting import Sitting


def policy_state(sitting: Sitting) -> dict[str, Any]:
    document, error, proposed = sitting.document, sitting.policy_error, sitting.work.proposed
    content = document.content
    policy = None if error else document.policy
    suggestions = proposed.suggestions if proposed else ()
    return {
        "revision": sitting.policy_revision,
        "text": document.text,
        "path": str(document.file),
        "saved": document.is_saved,
        "error": problem(error) if error else None,
        "content": None if content is None else _as_json(content),
        "suggestions": {
            each.name: {"role": each.role, "kind": each.kind, "reason": each.reason} for each in suggestions
        },
        "questions": list(proposed.questions) if proposed else [],
        "hints": list(proposed.hints) if proposed else [],
        "method": _method(policy, content or {}) if policy else None,
        "taxonomies": _taxonomies(policy) if policy else {},
        "columns": sitting.work.file.names,
    }


def _as_json(value: Any) -> Any:
    """Values of TOML that JSON does not have, such as dates and infinity, as texts."""
    match value:
        case Mapping():
            return {str(key): _as_json(each) for key, each in value.items()}
        case list():
            return [_as_json(each) for each in value]
        case str() | bool() | int():
            return value
        case float() if isfinite(value):
            return value
    return str(value)


def _method(policy: Policy, content: Mapping[str, Any]) -> dict[str, Any]:
    """The method in force, and why."""
    if "method" in content:
        reason = "The policy names it."
    elif policy.method.forms_classes:
        reason = "The policy names no method, so it is the default: groups of similar records lose least."
    else:
        reason = "The policy names no method, and what it perturbs or blanks needs none."
    return {"name": policy.method.name, "reason": reason, "k": policy.k, "is_default": "method" not in content}


def _taxonomies(policy: Policy) -> dict[str, Any]:
    return {
        name: {
            "from": next(key for key, value in rule.taxonomy if value is not None),
            "file": str(rule.taxonomy.file) if rule.taxonomy.file else None,
            "editable": rule.taxonomy.file is not None,
        }
        for name, rule in policy.columns.items()
        if rule.taxonomy is not None
    }
