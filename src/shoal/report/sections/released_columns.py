"""Original and release, and the role and treatment of every column."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from shoal.assessment.assessment import Assessment
from shoal.policy.column_treatment import forms_groups, permutes_sensitive, perturbations_of, representation_of
from shoal.release.manifest import Content, Input, Manifest, PublicFile
from shoal.report.outline_nodes import Section
from shoal.report.perturbation_words import perturbations_text
from shoal.report.recoding_words import recoding_text
from shoal.report.text_nodes import Cell, Paragraph, Table, digest
from shoal.report.words import is_anatomy, number_of, plain_words

UNCHANGED = "released unchanged"
DROPPED, PSEUDONYM = "dropped", "replaced by a keyed pseudonym"
COUNTED = "dropped; requirements count its distinct values instead of records"
NEW_WEIGHTS = {"rounded": "rounded to two digits", "stratum": "replaced by the mean weight of the stratum"}
BY_REPRESENTATION = {
    "centroids": "replaced by a value that all records of a group share",
    "extents": "generalized to intervals, taxonomy nodes or sets that all records of a group share",
    "anatomy": "released unchanged, with a group number",
}


def section(manifest: Manifest, assessment: Assessment) -> Section:
    return Section(
        "released",
        "What was released",
        (_summary(manifest), *_second_table(manifest), _contents(manifest), _columns(manifest, assessment.reasons)),
    )


def _summary(manifest: Manifest) -> Paragraph:
    n_records, n_suppressed = manifest.counts["n_records"], manifest.counts["n_suppressed"]
    outcome = f"{n_suppressed:,} were suppressed" if n_suppressed else "all were released"
    return Paragraph(
        f"The original has {number_of(n_records, 'record')}; {outcome}. The proof applies only to the release with "
        "the hash below."
    )


def _second_table(manifest: Manifest) -> tuple[Paragraph, ...]:
    if not is_anatomy(manifest.policy):
        return ()
    return (
        Paragraph(
            "The release consists of two tables that are published together: the records, with unchanged "
            "quasi-identifiers and the number of a group, and the sensitive table, which counts the sensitive values "
            "of every group."
        ),
    )


def _contents(manifest: Manifest) -> Table:
    return Table(
        ("Table", "Records", "Columns", "SHA-256"),
        (
            _row("Original", manifest.input, Cell("not shown", note="its holder can confirm it with the private key")),
            _row("Release", manifest.output, digest(manifest.output.sha256), manifest.output.path or "in memory"),
            *(_file_row(file) for file in manifest.files if file.what == "sensitive"),
        ),
        "lrrl",
    )


def _row(name: str, content: Input | Content, sha256: Cell, location: str = "") -> tuple[Cell, ...]:
    return Cell(name, note=location), Cell(f"{content.n_records:,}"), Cell(f"{content.n_columns:,}"), sha256


def _file_row(file: PublicFile) -> tuple[Cell, ...]:
    """The second table of an anatomy, whose rows are no records."""
    return Cell("Sensitive table", note=file.path), Cell(""), Cell(""), digest(file.sha256)


def _columns(manifest: Manifest, reasons: Mapping[str, str]) -> Table:
    """Columns grouped by role, treatment and reason, so that a wide table needs few lines. Reasons are shown if the
    policy gives some."""
    grouped: dict[tuple[str, str, str], list[str]] = {}
    for name, rule in manifest.policy.get("columns", {}).items():
        key = rule["role"], _treatment(name, rule, manifest.policy), reasons.get(name, "")
        grouped.setdefault(key, []).append(name)
    rows = tuple(
        (Cell(plain_words(role)), Cell(", ".join(names)), Cell(treatment), *((Cell(reason),) if reasons else ()))
        for (role, treatment, reason), names in grouped.items()
    )
    head = ("Role", "Columns", "In the release", *(("Reason",) if reasons else ()))
    return Table(head, rows, "l" * len(head))


def _treatment(name: str, rule: dict[str, Any], policy: dict[str, Any]) -> str:
    """The treatment of a column in the order of the steps: recoding, perturbation, method, local suppression."""
    match rule["role"]:
        case "identifier":
            return PSEUDONYM if rule.get("pseudonym") else DROPPED
        case "unit":
            return COUNTED
        case "household":
            return "replaced by new numbers"
        case role:
            recoded = recoding_text(rule.get("recode"))
            perturbed = perturbations_text(perturbations_of(name, policy))
            by_method = _treatment_by_method(name, role, policy)
            is_blanked = role == "quasi_identifier" and policy.get("local_suppression") is not None
            treatment = ", then ".join(each for each in (recoded, perturbed, by_method) if each) or UNCHANGED
            return f"{treatment}, except for blanked cells" if is_blanked else treatment


def _treatment_by_method(name: str, role: str, policy: dict[str, Any]) -> str:
    """The change by the method; empty if it leaves the column unchanged."""
    representation = representation_of(policy)
    match role:
        case "quasi_identifier" if name not in policy.get("within", ()) and forms_groups(policy):
            return BY_REPRESENTATION[representation.name]
        case "weight":
            return NEW_WEIGHTS.get(policy.get("output", {}).get("weights", "kept"), "")
        case "sensitive" if representation.separates_sensitive:
            return "counted by group, in the sensitive table"
        case "sensitive" if permutes_sensitive(policy):
            return "permuted among the records of a group"
        case _:
            return ""
