"""Remaining disclosure risk: what an intruder could still learn from the release."""

from __future__ import annotations

from typing import Any

from shoal.assessment.assessment import Assessment
from shoal.assessment.risk.determined_cells import DETERMINED
from shoal.findings import Finding, Findings
from shoal.release.manifest import Manifest
from shoal.report.attack_table import attack_table, strongest_linkage_text
from shoal.report.class_size_nodes import class_sizes
from shoal.report.findings_table import findings_table
from shoal.report.outline_nodes import Section
from shoal.report.sections.information_loss import is_about_loss
from shoal.report.text_nodes import Paragraph
from shoal.report.verdict import reached_text
from shoal.report.words import (
    columns_with_role,
    is_anatomy,
    isolate,
    name_list,
    noun_counted,
    number_of,
    percent,
    quoted_name_list,
    requirement_words,
)


def section(manifest: Manifest, assessment: Assessment) -> Section:
    of_attacks = {attack.figure.name for attack in assessment.attacks}
    risks = tuple(f for f in assessment.findings if not is_about_loss(f) and f.name not in of_attacks)
    title = "Remaining disclosure risk"
    if not risks:
        return Section("intruder", title, (Paragraph("There is no record that an intruder could search for."),))
    k = None if is_anatomy(manifest.policy) else _required_k(risks)
    chart = class_sizes(assessment.original_sizes, assessment.released_sizes, k)
    text = (*_scenario(manifest, assessment.findings), *_uncovered_columns(manifest), *_determined_cells(risks))
    attacks = (attack_table(assessment.attacks),) if assessment.attacks else ()
    linked = strongest_linkage_text(assessment)
    return Section("intruder", title, (*text, *linked, findings_table(risks), *attacks, chart))


def _required_k(risks: tuple[Finding, ...]) -> int | None:
    goals = (finding.goal for finding in risks if finding.name == "k reached")
    goal = next(goals, None)
    return None if goal is None else int(goal)


def _scenario(manifest: Manifest, risks: Findings) -> tuple[Paragraph, ...]:
    """The intruder, their knowledge, and their success."""
    known = columns_with_role(manifest.policy, "quasi_identifier")
    intruder = Paragraph(
        "The intruder considered here knows that a person is in the file and knows all of the person's "
        f"quasi-identifiers ({name_list(known)}), but does not know which record is the person's."
    )
    if is_anatomy(manifest.policy):
        return intruder, *_anatomy_scenario(manifest, risks)
    k, worst = risks["k reached"].estimate, risks["highest prosecutor risk"]
    return (
        intruder,
        Paragraph(
            f"In the release, such an intruder finds {_candidates(manifest, int(k))} "
            f"and picks the right one with a probability of at most {percent(worst.estimate)} (1 in {k:,.0f}). "
            f"Someone who knows nothing and picks a {noun_counted(manifest.policy)} at random is right with a "
            f"probability of {percent(worst.baseline or 0)}."
        ),
    )


def _anatomy_scenario(manifest: Manifest, risks: Findings) -> tuple[Paragraph, ...]:
    """Whom the intruder finds in an anatomy, and what stays hidden."""
    k, noun = int(risks["k reached"].estimate), noun_counted(manifest.policy)
    proved = [_hidden_values(verdict) for verdict in manifest.proof["verdicts"] if verdict["column"]]
    shown = f" Proved of every group: {name_list(proved)}." if proved else ""
    return (
        Paragraph(
            "This release is an anatomy: quasi-identifiers are released unchanged, so that such an intruder finds a "
            "person's record as in the original, with a probability of up to "
            f"{percent(risks['highest prosecutor risk'].estimate)}. That a person is in the table is not hidden."
        ),
        Paragraph(
            "The record shows only the number of the person's group. The sensitive table shows how often each "
            f"sensitive value occurs among the {number_of(k, noun)} or more of the group, but not which value is "
            f"whose.{shown}"
        ),
    )


def _hidden_values(verdict: dict[str, Any]) -> str:
    words = requirement_words(verdict["requirement"])
    reached = reached_text(verdict["reached"])
    return f"{words.name} of '{isolate(verdict['column'])}' with {words.symbol} = {reached}"


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
