"""Findings by subject, in the order in which a board asks: who can be found, what can be learned, what is lost."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from shoal.assessment.exposure import HOMOGENEOUS
from shoal.assessment.risk.attack import Attack, AttackSubject
from shoal.assessment.risk.determined_cells import DETERMINED
from shoal.assessment.score import BOUNDED_SCORE
from shoal.findings import Finding
from shoal.report.sections.information_loss import is_about_loss

IDENTITY, ATTRIBUTE, MEMBERSHIP, PARTIAL, EARLIER, LOSS, SCORE = (
    "Identity disclosure: can a person be found?",
    "Attribute disclosure: can a value be learned?",
    "Membership: is a person in the file?",
    "Partial knowledge: do a few columns single persons out?",
    "Earlier releases: what do several releases reveal together?",
    "Information loss",
    "Score",
)
SUBJECTS = (IDENTITY, ATTRIBUTE, MEMBERSHIP, PARTIAL, EARLIER, LOSS, SCORE)
ATTRIBUTES = (HOMOGENEOUS, DETERMINED, "interval disclosure")  # names of findings begin so
OF_ATTACKS: Mapping[AttackSubject, str] = {
    "identity": IDENTITY,
    "linkage": IDENTITY,
    "attribute": ATTRIBUTE,
    "interval": ATTRIBUTE,
    "membership": MEMBERSHIP,
    "partial knowledge": PARTIAL,
    "outside columns": PARTIAL,
    "earlier releases": EARLIER,
}


def by_subject(findings: Iterable[Finding], attacks: Iterable[Attack] = ()) -> dict[str, list[Finding]]:
    """The findings of every subject that has some, otherwise in their order. A finding of an attack has its subject."""
    of_attacks = {attack.figure.name: OF_ATTACKS[attack.subject] for attack in attacks}
    found: dict[str, list[Finding]] = {subject: [] for subject in SUBJECTS}
    for finding in findings:
        found[of_attacks.get(finding.name) or _subject(finding)].append(finding)
    return {subject: listed for subject, listed in found.items() if listed}


def _subject(finding: Finding) -> str:
    if is_part_of_score(finding.name):
        return SCORE
    if finding.name.startswith(ATTRIBUTES):
        return ATTRIBUTE
    return LOSS if is_about_loss(finding) else IDENTITY


def is_part_of_score(name: str) -> bool:
    return name in ("score", BOUNDED_SCORE) or name.endswith((" of the score", " of the bounded score"))
