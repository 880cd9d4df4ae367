"""Original and release, and the role and treatment of every column."""

from __future__ import annotations

from typing import Any

from shoal.assessment.assessment import Assessment
from shoal.policy.column_treatment import forms_groups, permutes_sensitive, perturbations_of, representation_of
from shoal.release.manifest import Content, Input, Manifest
from shoal.report.outline_nodes import Cell, Paragraph, Section, Table, digest
from shoal.report.perturbation_words import changed_by
from shoal.report.words import counted, spaced

AS_IT_IS = "released as it is"
DROPPED, PSEUDONYM = "dropped", "replaced by a keyed pseudonym"
COUNTED = "dropped; requirements count its values and not records"
ALIKE = {
    "centroids": "changed, so that records are alike",
    "extents": "told by intervals, groups of values or sets, so that records are alike",
    "anatomy": "released as it is, with the number of a group",
}


def section(manifest: Manifest, assessment: Assessment) -> Section:
    return Section("released", "What was released", (_told(manifest), _contents(manifest), _columns(manifest)))


def _told(manifest: Manifest) -> Paragraph:
    n_records, n_suppressed = manifest.counts["n_records"], manifest.counts["n_suppressed"]
    fate = f"{n_suppressed:,} were suppressed" if n_suppressed else "all were released"
    return Paragraph(
        f"Of the {counted(n_records, 'record')} of the original {fate}. The proof is of the release with the "
        "hash below and of no other."
    )


def _contents(manifest: Manifest) -> Table:
    return Table(
        ("Table", "Records", "Columns", "SHA-256"),
        (
            _row("Original", manifest.input, Cell("known by its holder", note="by the private key")),
            _row("Release", manifest.output, digest(manifest.output.sha256), manifest.output.path or "in memory"),
        ),
        "lrrl",
    )


def _row(name: str, content: Input | Content, known_by: Cell, kept: str = "") -> tuple[Cell, ...]:
    return Cell(name, note=kept), Cell(f"{content.n_records:,}"), Cell(f"{content.n_columns:,}"), known_by


def _columns(manifest: Manifest) -> Table:
    """Columns grouped by role and treatment, so that a wide table needs few lines."""
    together: dict[tuple[str, str], list[str]] = {}
    for name, rule in manifest.policy.get("columns", {}).items():
        together.setdefault((rule["role"], _fate(name, rule, manifest.policy)), []).append(name)
    rows = tuple((Cell(spaced(role)), Cell(", ".join(names)), Cell(fate)) for (role, fate), names in together.items())
    return Table(("Role", "Columns", "In the release"), rows, "lll")


def _fate(name: str, rule: dict[str, Any], policy: dict[str, Any]) -> str:
    """The treatment of a column in the order of the steps: perturbation, method, local suppression."""
    match rule["role"]:
        case "identifier":
            return PSEUDONYM if rule.get("pseudonym") else DROPPED
        case "unit":
            return COUNTED
        case "household":
            return "given new numbers"
        case role:
            own, changed = _by_the_method(name, role, policy), changed_by(perturbations_of(name, policy))
            is_blanked = role == "quasi_identifier" and policy.get("local_suppression") is not None
            told = ", then ".join(each for each in (changed, own) if each) or AS_IT_IS
            return f"{told}, but for cells that were blanked" if is_blanked else told


def _by_the_method(name: str, role: str, policy: dict[str, Any]) -> str:
    """The change by the method; empty if it leaves the column unchanged."""
    representation = representation_of(policy)
    match role:
        case "quasi_identifier" if name not in policy.get("within", ()) and forms_groups(policy):
            return ALIKE[representation.name]
        case "sensitive" if representation.separates_sensitive:
            return "counted by group, in a table of its own"
        case "sensitive" if permutes_sensitive(policy):
            return "dealt anew among the records of a group"
        case _:
            return ""
