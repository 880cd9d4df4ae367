"""Attacks on the release, the most successful one of each subject, as shares of all records in steps of at least k."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from shoal.assessment.assessment import Assessment
from shoal.assessment.exposure import HOMOGENEOUS, Exposure, ExposureKind
from shoal.assessment.risk.attack import AttackSubject
from shoal.assessment.risk.attribute_attacks import OF_TWO, SIMILAR
from shoal.findings import Finding
from shoal.linkage.linkage_risk import NOT_COMPARED
from shoal.report.external.share_steps import ShareSteps
from shoal.report.outline_nodes import Section
from shoal.report.text_nodes import Cell, Paragraph, Table

TITLE = "Attacks on the release"
TEXT = (
    "How often an intruder is right who tries each attack on everybody, and how often without the release. Shares are "
    "rounded up to steps that stand for many records. Nothing here is about a single record."
)
NONE = "No attack was tried whose result is a share of all records."
NOT_KNOWN = "not measured"
MEAN_RISK = "mean prosecutor risk"
ATTACKS: dict[AttackSubject, tuple[str, str]] = {
    "identity": ("Find a person", "knows all quasi-identifiers of a person who is in the file"),
    "linkage": ("Link persons with records", "holds the quasi-identifiers of everybody"),
    "attribute": ("Learn a sensitive value", "finds the class of a person and guesses the most frequent value"),
    "interval": ("Learn a value to within an interval", "takes the released value for the true one"),
    "membership": ("Learn who is in the file", "holds a table of the population"),
    "partial knowledge": ("Find a person by few columns", "knows some of the quasi-identifiers of a person"),
    "outside columns": ("Find a person by columns released unchanged", "knows columns that no method changes"),
}
OF_FEW = (OF_TWO, SIMILAR, HOMOGENEOUS)  # figures that are shares of persons in classes of few values
FEW_VALUES = ("Narrow a sensitive value down", "finds a class that has at most two values, or only similar ones")
WARNINGS: dict[ExposureKind, str] = {
    "unique": "Records that are unique on columns released unchanged: {share}.",
    "dependent": "Persons found by those who learn how released columns depend on quasi-identifiers: {share}.",
    "homogeneous": "Records in classes that share one sensitive value: {share}.",
    "determined": "Values that can be computed from the release, or of which this is not known: {share}.",
}


def section(assessment: Assessment, steps: ShareSteps) -> Section:
    rows = tuple(_rows(assessment, steps))
    table = Table(("Attack", "Intruder", "Right", "Without the release"), rows, "llrr")
    return Section("attacks", TITLE, (Paragraph(TEXT), table) if rows else (Paragraph(NONE),))


def warnings(exposures: Iterable[Exposure], steps: ShareSteps) -> tuple[str, ...]:
    """What exceeds a limit of the policy, in words of this edition; other kinds are only counted by the verdict."""
    known = [each for each in exposures if each.kind in WARNINGS]
    return tuple(dict.fromkeys(WARNINGS[each.kind].format(share=steps.up_to(each.highest_share)) for each in known))


def _rows(assessment: Assessment, steps: ShareSteps) -> Iterable[tuple[Cell, ...]]:
    for subject, words in ATTACKS.items():
        note = _caveat(assessment) if subject == "linkage" else ""
        yield from _row(words, _figures(assessment, subject), steps, note)
        if subject == "attribute":
            yield from _row(FEW_VALUES, _shares(assessment, subject, of_few_values=True), steps)


def _row(
    words: tuple[str, str], figures: Sequence[tuple[float, float | None]], steps: ShareSteps, note: str = ""
) -> Iterable[tuple[Cell, ...]]:
    """The figure that the release adds most to; none without figures."""
    for right, chance in sorted(figures, key=lambda figure: (figure[0] - (figure[1] or 0.0), figure[0]))[-1:]:
        without = NOT_KNOWN if chance is None else steps.up_to(chance)
        yield *map(Cell, words), Cell(steps.up_to(right), note=note), Cell(without)


def _caveat(assessment: Assessment) -> str:
    """That a linkage compared only pairs within blocks, where one did."""
    return NOT_COMPARED if any(each.lost_pairs for each in assessment.linkages.values()) else ""


def _shares(assessment: Assessment, subject: AttackSubject, *, of_few_values: bool) -> list[tuple[float, float | None]]:
    """Rates of all attacks of a subject that are about all records, in percent, with their baselines; of classes of
    few values, or the others."""
    return [
        (max(attack.figure.interval or (attack.figure.estimate,)), attack.figure.baseline)
        for attack in assessment.attacks
        if attack.subject == subject and attack.is_over_all and _is_share(attack.figure)
        if isinstance(attack.figure, Finding) and attack.figure.name.startswith(OF_FEW) is of_few_values
    ]


def _figures(assessment: Assessment, subject: AttackSubject) -> list[tuple[float, float | None]]:
    """Those of a subject that are how often somebody is right."""
    found = _shares(assessment, subject, of_few_values=False)
    if subject == "linkage":
        found += [(100 * each.highest_risk, 100 * each.baseline) for each in assessment.linkages.values()]
    if subject == "identity" and MEAN_RISK in assessment.findings:
        mean = assessment.findings[MEAN_RISK]
        found.append((mean.estimate, mean.baseline))
    return found


def _is_share(figure: object) -> bool:
    return isinstance(figure, Finding) and figure.unit == "%"
