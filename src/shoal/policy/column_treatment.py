"""What a policy does to each column, derived from the policy summary that manifests hold."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from shoal.plan.representation import CENTROIDS, REPRESENTATIONS, Representation
from shoal.schema.column import UNTOUCHED

Summary = Mapping[str, Any]
Perturbation = Mapping[str, Any]


def perturbations_of(name: str, summary: Summary) -> tuple[Perturbation, ...]:
    """The perturbations that change the column, in order of application."""
    return tuple(each for each in summary.get("perturbations", ()) if name in _changed_columns(each, summary))


def _changed_columns(perturbation: Perturbation, summary: Summary) -> tuple[str, ...]:
    if perturbation["name"] == "record_swap":
        return tuple(perturbation["columns"] or (perturbation["region"],))
    return tuple(perturbation["columns"] or columns_with_role(summary, "quasi_identifier"))


def columns_with_role(summary: Summary, role: str) -> tuple[str, ...]:
    return tuple(name for name, rule in summary.get("columns", {}).items() if rule["role"] == role)


def permutes_sensitive(summary: Summary) -> bool:
    """Whether sensitive values are permuted within groups: the policy says so and its method forms groups."""
    return bool(summary.get("output", {}).get("permute")) and forms_groups(summary)


def forms_groups(summary: Summary) -> bool:
    return bool(summary.get("method", {}).get("name") != "none")


def representation_of(summary: Summary) -> Representation:
    return REPRESENTATIONS[summary.get("representation", CENTROIDS.name)]


def is_released_unchanged(name: str, summary: Summary) -> bool:
    """Whether a column, not a quasi-identifier, shows its original values; imputation of missing values is ignored."""
    role = summary["columns"][name]["role"]
    hidden = role == "sensitive" and (representation_of(summary).separates_sensitive or permutes_sensitive(summary))
    changing = [each for each in perturbations_of(name, summary) if each["name"] != "imputation"]
    return role in UNTOUCHED and not hidden and not changing
