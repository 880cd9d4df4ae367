"""What a policy does to a column, from its summary as a manifest has it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from shoal.plan.representation import CENTROIDS, REPRESENTATIONS, Representation
from shoal.schema.column import UNTOUCHED

Summary = Mapping[str, Any]
Perturbation = Mapping[str, Any]


def perturbations_of(name: str, summary: Summary) -> tuple[Perturbation, ...]:
    """Those that change the column, in their order."""
    return tuple(each for each in summary.get("perturbations", ()) if name in _changed(each, summary))


def _changed(perturbation: Perturbation, summary: Summary) -> tuple[str, ...]:
    if perturbation["name"] == "record_swap":
        return tuple(perturbation["columns"] or (perturbation["region"],))
    return tuple(perturbation["columns"] or with_role(summary, "quasi_identifier"))


def with_role(summary: Summary, role: str) -> tuple[str, ...]:
    return tuple(name for name, rule in summary.get("columns", {}).items() if rule["role"] == role)


def is_permuted(summary: Summary) -> bool:
    """Sensitive values change places inside of groups, where there are groups."""
    return bool(summary.get("output", {}).get("permute")) and makes_groups(summary)


def makes_groups(summary: Summary) -> bool:
    return bool(summary.get("method", {}).get("name") != "none")


def representation_of(summary: Summary) -> Representation:
    return REPRESENTATIONS[summary.get("representation", CENTROIDS.name)]


def is_as_it_is(name: str, summary: Summary) -> bool:
    """Whether a column is no quasi-identifier and shows what the original has, where only gaps were filled also."""
    role = summary["columns"][name]["role"]
    hidden = role == "sensitive" and (representation_of(summary).separates_sensitive or is_permuted(summary))
    changing = [each for each in perturbations_of(name, summary) if each["name"] != "imputation"]
    return role in UNTOUCHED and not hidden and not changing
