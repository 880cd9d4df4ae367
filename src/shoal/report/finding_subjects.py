"""Findings by subject, in the order in which a board asks: who can be found, what can be learned, what is lost."""

from __future__ import annotations

from collections.abc import Iterable

from shoal.assessment.exposure import HOMOGENEOUS
from shoal.assessment.risk.determined_cells import DETERMINED
from shoal.assessment.score import BOUNDED_SCORE
from shoal.findings import Finding
from shoal.report.sections.information_loss import is_about_loss

IDENTITY, ATTRIBUTE, LOSS, SCORE = (
    "Identity disclosure: can a person be found?",
    "Attribute disclosure: can a value be learned?",
    "Information loss",
    "Score",
)
ATTRIBUTES = (HOMOGENEOUS, DETERMINED, "interval disclosure")  # names of findings begin so
SUBJECTS = (IDENTITY, ATTRIBUTE, LOSS, SCORE)


def by_subject(findings: Iterable[Finding]) -> dict[str, list[Finding]]:
    """The findings of every subject that has some, otherwise in their order."""
    found: dict[str, list[Finding]] = {subject: [] for subject in SUBJECTS}
    for finding in findings:
        found[_subject(finding)].append(finding)
    return {subject: listed for subject, listed in found.items() if listed}


def _subject(finding: Finding) -> str:
    if is_part_of_score(finding.name):
        return SCORE
    if finding.name.startswith(ATTRIBUTES):
        return ATTRIBUTE
    return LOSS if is_about_loss(finding) else IDENTITY


def is_part_of_score(name: str) -> bool:
    return name in ("score", BOUNDED_SCORE) or name.endswith(" of the score")
