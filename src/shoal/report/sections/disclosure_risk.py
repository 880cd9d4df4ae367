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
from shoal.report.words import columns_with_role, name_list, noun_counted, number_of, percent, quoted_name_list


def section(manifest: Manifest, assessment: Assessment) -> Section:
    risks = tuple(finding for finding in assessment.findings if not is_about_loss(finding))
    title = "Remaining disclosure risk"
    if not risks:
        return Section("intruder", title, (Paragraph("There is no record that an intruder could search for."),))
    chart = class_sizes(
        assessment.original_sizes, assessment.released_sizes, _required_k(risks), noun_counted(manifest.policy)
    )
    text = (*_scenario(manifest, Findings(risks)), *_uncovered_columns(manifest), *_determined_cells(risks))
    return Section("intruder", title, (*text, findings_table(risks), chart))


def _required_k(risks: tuple[Finding, ...]) -> int | None:
    goals = (finding.goal for finding in risks if finding.name == "k reached")
    goal = next(goals, None)
    return None if goal is None else int(goal)


def _scenario(manifest: Manifest, risks: Findings) -> tuple[Paragraph, ...]:
    """The intruder, their knowledge, and their success."""
    known = columns_with_role(manifest.policy, "quasi_identifier")
    k, worst = risks["k reached"].estimate, risks["highest prosecutor risk"]
    return (
        Paragraph(
            "The intruder considered here knows that a person is in the file and knows all of the person's "
            f"quasi-identifiers ({name_list(known)}), but does not know which record is the person's."
        ),
        Paragraph(
            f"In the release, such an intruder finds {_candidates(manifest, int(k))} "
            f"and picks the right one with a probability of at most {percent(worst.estimate)} (1 in {k:,.0f}). "
            f"Someone who knows nothing and picks a {noun_counted(manifest.policy)} at random is right with a "
            f"probability of {percent(worst.baseline or 0)}."
        ),
    )


def _candidates(manifest: Manifest, k: int) -> str:
    rule = manifest.policy.get("local_suppression") or {}
    if rule.get("blanks") == "wildcard":
        return (
            f"at least {number_of(k, 'record')} that may be the person's, because a blank cell may stand for any value,"
        )
    return f"a class of at least {number_of(k, noun_counted(manifest.policy))} with the same quasi-identifiers"


def _uncovered_columns(manifest: Manifest) -> tuple[Paragraph, ...]:
    """Sensitive columns without a requirement: a class discloses the value if all its records share it."""
    covered = {proved["column"] for proved in manifest.proof["verdicts"]}
    uncovered = [name for name in columns_with_role(manifest.policy, "sensitive") if name not in covered]
    if not uncovered:
        return ()
    return (
        Paragraph(
            f"The policy sets no requirement on the sensitive values of {quoted_name_list(uncovered)}. Where all "
            "records of a class share one value, the intruder learns it without knowing which record is the person's."
        ),
    )


def _determined_cells(risks: tuple[Finding, ...]) -> tuple[Paragraph, ...]:
    """An explanation of determined cells, if they were measured."""
    if not any(finding.name.startswith(DETERMINED) for finding in risks):
        return ()
    return (
        Paragraph(
            "Another kind of intruder does not search for a particular person: they combine what the release shows "
            "about a class with what is generally known about a column, and compute which values are possible. A cell "
            "is determined if only one value is possible. A class that is too large to decide is never reported as "
            "safe."
        ),
    )
