"""Wording of perturbations: their names, and their parameters in the policy."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from shoal.report.words import isolate, plain_words

NAMES = {"pram": "PRAM", "top_bottom_code": "top and bottom coding"}
NOT_PARAMETERS = ("name", "columns")


def perturbations_text(perturbations: Sequence[Mapping[str, Any]]) -> str:
    """Such as: changed by noise (alpha = 0.1), then by rounding (base = 5); empty without perturbations."""
    changes = [_perturbation_text(each) for each in perturbations if each["name"] != "imputation"]
    filled = [f"gaps filled by {_perturbation_text(each)}" for each in perturbations if each["name"] == "imputation"]
    return ", ".join([*filled, *([f"changed by {', then by '.join(changes)}"] if changes else [])])


def _perturbation_text(perturbation: Mapping[str, Any]) -> str:
    name = perturbation["name"]
    parameters = {
        key: value for key, value in perturbation.items() if key not in NOT_PARAMETERS and value not in (None, [])
    }
    values = ", ".join(f"{key} = {_value(value)}" for key, value in parameters.items())
    return f"{NAMES.get(name, plain_words(name))}{f' ({values})' if values else ''}"


def _value(value: Any) -> str:
    match value:
        case bool():
            return "yes" if value else "no"
        case float():
            return f"{value:g}"
        case list() | tuple():
            return f"[{', '.join(map(_value, value))}]"
        case _:
            return isolate(str(value))
