"""What was released: the columns that the release has, their roles and how they are treated, without any value."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from shoal.policy.column_treatment import forms_groups, permutes_sensitive, perturbations_of, representation_of
from shoal.release.manifest import Manifest
from shoal.report.external.share_steps import ShareSteps
from shoal.report.outline_nodes import Section
from shoal.report.text_nodes import Cell, Paragraph, Table, facts
from shoal.report.words import isolate, number_of

ROLES = {
    "quasi_identifier": "quasi-identifier",
    "sensitive": "sensitive",
    "weight": "weight",
    "household": "household",
    "identifier": "identifier",
    "other": "other",
}
BY_REPRESENTATION = {
    "centroids": "replaced by a value that all records of a group share",
    "extents": "generalized to intervals, taxonomy nodes or sets that all records of a group share",
    "anatomy": "released unchanged, with a group number",
}
PERTURBATIONS = {
    "noise": "noise",
    "rank_swap": "rank swapping",
    "record_swap": "record swapping",
    "data_swap": "data swapping",
    "pram": "PRAM",
    "rounding": "rounding",
    "top_bottom_code": "top and bottom coding",
    "mic": "microaggregation of single columns",
    "lossy_image": "lossy image compression",
    "imputation": "imputation of missing values",
    "date_shift": "shifted dates",
}
OTHER_CHANGE = "another perturbation"
RECODED = "recoded to coarser values"
BLANKED = "some cells are blank"
UNCHANGED, PSEUDONYM, NEW_NUMBERS = "released unchanged", "replaced by a keyed pseudonym", "replaced by new numbers"
COUNTED, PERMUTED = "counted by group, in the sensitive table", "permuted among the records of a group"
NEW_WEIGHTS = {"rounded": "rounded to two digits", "stratum": "replaced by the mean weight of the stratum"}


def released_names(policy: Mapping[str, Any]) -> tuple[str, ...]:
    """The columns of the original that the release has, from the policy as stored in a manifest."""
    return tuple(name for name, rule in policy.get("columns", {}).items() if _is_released(rule, policy))


def _is_released(rule: Mapping[str, Any], policy: Mapping[str, Any]) -> bool:
    match rule["role"]:
        case "identifier":
            return bool(rule.get("pseudonym"))
        case "unit":
            return False
        case "household":
            return bool(policy.get("output", {}).get("household") != "unlinked")
        case role:
            return role in ROLES


def section(manifest: Manifest, steps: ShareSteps) -> Section:
    counts = manifest.counts
    suppressed = 100 * counts["n_suppressed"] / max(counts["n_records"], 1)
    dropped = f"Of the records of the original, {steps.up_to(suppressed)} were suppressed." if suppressed else ""
    text = Paragraph(f"The release has {number_of(manifest.output.n_records, 'record')}. {dropped}".strip())
    hashes = facts(("SHA-256 of the release", manifest.output.sha256), *_second_table(manifest))
    return Section("released", "What was released", (text, _columns(manifest), hashes))


def _second_table(manifest: Manifest) -> tuple[tuple[str, str], ...]:
    return tuple(("SHA-256 of the sensitive table", each.sha256) for each in manifest.files if each.what == "sensitive")


def _columns(manifest: Manifest) -> Table:
    policy, grouped = manifest.policy, dict[tuple[str, str], list[str]]()
    for name in released_names(policy):
        rule = policy["columns"][name]
        grouped.setdefault((ROLES[rule["role"]], _treatment(name, rule, policy)), []).append(isolate(name))
    rows = tuple((Cell(role), Cell(", ".join(names)), Cell(how)) for (role, how), names in grouped.items())
    return Table(("Role", "Columns", "In the release"), rows, "lll")


def _treatment(name: str, rule: Mapping[str, Any], policy: Mapping[str, Any]) -> str:
    """The steps in their order, without their parameters, which may be values."""
    match rule["role"]:
        case "identifier":
            return PSEUDONYM
        case "household":
            return NEW_NUMBERS
    names = [PERTURBATIONS.get(each["name"], OTHER_CHANGE) for each in perturbations_of(name, policy)]
    is_blanked = rule["role"] == "quasi_identifier" and policy.get("local_suppression") is not None
    steps = (RECODED * bool(rule.get("recode")), *names, _by_method(name, rule["role"], policy), BLANKED * is_blanked)
    return ", then ".join(step for step in steps if step) or UNCHANGED


def _by_method(name: str, role: str, policy: Mapping[str, Any]) -> str:
    representation = representation_of(policy)
    match role:
        case "quasi_identifier" if name not in policy.get("within", ()) and forms_groups(policy):
            return BY_REPRESENTATION[representation.name]
        case "weight":
            return NEW_WEIGHTS.get(policy.get("output", {}).get("weights", "kept"), "")
        case "sensitive" if representation.separates_sensitive:
            return COUNTED
        case "sensitive" if permutes_sensitive(policy):
            return PERMUTED
        case _:
            return ""
