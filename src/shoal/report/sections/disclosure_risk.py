"""Remaining disclosure risk: what an intruder could still learn from the release."""

from __future__ import annotations

from shoal.assessment.assessment import Assessment
from shoal.assessment.risk.determined_cells import DETERMINED
from shoal.findings import Finding, Findings
from shoal.release.manifest import Manifest
from shoal.report.class_size_nodes import class_sizes
from shoal.report.findings_table import findings_table
from shoal.report.outline_nodes import Section
from shoal.report.sections.information_loss import is_about_loss
from shoal.report.text_nodes import Paragraph
from shoal.report.words import columns_with_role, name_list, number_of, percent, quoted_name_list


def section(manifest: Manifest, assessment: Assessment) -> Section:
    risks = tuple(finding for finding in assessment.findings if not is_about_loss(finding))
    title = "What an intruder could still do"
    if not risks:
        return Section("intruder", title, (Paragraph("There is no record that an intruder could look for."),))
    chart = class_sizes(assessment.original_sizes, assessment.released_sizes, _asked_k(risks))
    told = (*_story(manifest, Findings(risks)), *_open_doors(manifest), *_given_back(risks))
    return Section("intruder", title, (*told, findings_table(risks), chart))


def _asked_k(risks: tuple[Finding, ...]) -> int | None:
    goals = (finding.goal for finding in risks if finding.name == "k reached")
    goal = next(goals, None)
    return None if goal is None else int(goal)


def _story(manifest: Manifest, risks: Findings) -> tuple[Paragraph, ...]:
    """The intruder, their knowledge, and their success."""
    known = columns_with_role(manifest.policy, "quasi_identifier")
    k, worst = risks["k reached"].estimate, risks["highest prosecutor risk"]
    return (
        Paragraph(
            "The intruder thought of here knows that a person is in the file and knows all of the person's "
            f"quasi-identifiers ({name_list(known)}), but not where the person's record is."
        ),
        Paragraph(
            f"In the release such an intruder finds {_found(manifest, int(k))}, "
            f"and picks the right one with a chance of at most {percent(worst.estimate)} (1 in {k:,.0f}). "
            "Somebody who knows nothing and picks any record is right with a chance of "
            f"{percent(worst.baseline or 0)}."
        ),
    )


def _found(manifest: Manifest, k: int) -> str:
    rule = manifest.policy.get("local_suppression") or {}
    if rule.get("blanks") == "wildcard":
        return f"at least {number_of(k, 'record')} that may be the person's, since a blank cell may be any value"
    return f"a class of at least {number_of(k, 'record')}, all alike"


def _open_doors(manifest: Manifest) -> tuple[Paragraph, ...]:
    """Sensitive columns without a requirement: a class discloses the value if all its records share it."""
    watched = {proved["column"] for proved in manifest.proof["verdicts"]}
    open_doors = [name for name in columns_with_role(manifest.policy, "sensitive") if name not in watched]
    if not open_doors:
        return ()
    return (
        Paragraph(
            f"The policy asks nothing of how the sensitive values of {quoted_name_list(open_doors)} are spread: where all "
            "records of a class share one, the intruder learns it without knowing which record is the right one."
        ),
    )


def _given_back(risks: tuple[Finding, ...]) -> tuple[Paragraph, ...]:
    """An explanation of determined cells, if they were measured."""
    if not any(finding.name.startswith(DETERMINED) for finding in risks):
        return ()
    return (
        Paragraph(
            "Another intruder looks for nobody: they take what the release tells of a class, and what everybody knows "
            "of a column, and compute which values fit. A cell is determined where only one does. A class that is too "
            "large to decide is never called safe."
        ),
    )
