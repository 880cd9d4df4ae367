"""Earlier releases in the external edition: how many were regarded, what they leave, the strongest attack; no names."""

from __future__ import annotations

from collections.abc import Iterable

from shoal.assessment.risk.earlier_summary import EarlierSummary, PersonShare
from shoal.report.external.share_steps import ShareSteps
from shoal.report.outline_nodes import Section
from shoal.report.text_nodes import Cell, Paragraph, Table, facts

TITLE = "Earlier releases"
TEXT = (
    "Who holds several releases of the same persons can compare them, and is left with the records that may be a "
    "person's in all of them. This intruder knows the quasi-identifiers of a person at the time of each release."
)
N_RELEASES = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
MORE = "more than ten"
NOT_MEASURED, NOT_REQUIRED, BELOW = "not measured", "not required", "fewer than k"
ATTACKS = ("Strongest attack", "Share of the persons attacked", "From this release alone")
FEW_LEFT = ("Find a person", "by comparing values or by linking all records of a person; fewer than k are left")
PINNED = ("Learn a sensitive value", "all records that are left have one value, or the counts leave one")


def section(summary: EarlierSummary | None, steps: ShareSteps) -> Section | None:
    """None where no earlier release was compared."""
    if summary is None:
        return None
    parts = (
        facts(
            ("Earlier releases that were regarded", _number(summary.n_releases)),
            ("Records left of a person at least, by comparing values", _left(summary, steps.k)),
            ("m-invariance, all releases together", _invariance(summary)),
        ),
        Table(ATTACKS, (_row(FEW_LEFT, summary.below_k, steps), _row(PINNED, summary.pinned, steps)), "lrr"),
    )
    return Section("earlier", TITLE, (Paragraph(TEXT), *parts))


def _number(n: int) -> str:
    """In words, since a number below k could be one of records."""
    return N_RELEASES[n - 1] if n <= len(N_RELEASES) else MORE


def _left(summary: EarlierSummary, k: int) -> str:
    if summary.left is None:
        return NOT_MEASURED
    return f"k = {summary.left}" if summary.left >= k else BELOW


def _invariance(summary: EarlierSummary) -> str:
    if summary.m is None:
        return NOT_REQUIRED
    outcome = {True: "holds", False: "fails", None: NOT_MEASURED}[summary.holds_m]
    return f"m = {summary.m} {outcome}"


def _row(what: tuple[str, str], shares: Iterable[PersonShare], steps: ShareSteps) -> tuple[Cell, ...]:
    """The strongest attack on at least k persons, in steps that stand for at least k of these persons."""
    known = [each for each in shares if each.n_persons >= steps.k]
    if not known:
        return Cell(what[0], note=what[1]), Cell(NOT_MEASURED), Cell(NOT_MEASURED)
    worst = max(known, key=lambda each: each.severity)
    of_these = ShareSteps(min(steps.n_records, worst.n_persons), steps.k)
    alone = NOT_MEASURED if worst.baseline is None else of_these.up_to(worst.baseline)
    return Cell(what[0], note=what[1]), Cell(of_these.up_to(worst.share)), Cell(alone)
