"""Information loss of the external edition: of all quasi-identifiers together, and by column."""

from __future__ import annotations

from collections.abc import Collection

from shoal.assessment.assessment import Assessment
from shoal.report.external.share_steps import ShareSteps
from shoal.report.outline_nodes import Section
from shoal.report.pictures.bar_chart import Chart, Series
from shoal.report.text_nodes import Cell, Paragraph, Table

TITLE = "Information loss"
LOSS = "information loss"
TEXT = (
    "Protection has a cost: the quasi-identifiers of the release are less precise than those of the original. At "
    "100 %, all records are alike. Shares are rounded up."
)
FINDINGS = {
    "information loss": ("Information loss", "share of the variation of the quasi-identifiers that the release hides"),
    "IL1s": ("IL1s", "mean change of a number, in standard deviations, at most 100 % for every cell"),
    "count queries": ("Count queries", "mean relative error of counts by random conditions"),
    "suppressed records": ("Suppressed records", "share of the records that are not in the release"),
}


def section(assessment: Assessment, steps: ShareSteps, released: Collection[str]) -> Section | None:
    shown = [(name, words) for name, words in FINDINGS.items() if name in assessment.findings]
    if not shown:
        return None
    rows = tuple(
        (Cell(words[0], note=words[1]), Cell(steps.up_to(assessment.findings[name].estimate))) for name, words in shown
    )
    losses = {name: steps.at_most(loss) for name, loss in assessment.losses.items() if name in released}
    chart = (_by_column(losses),) if losses else ()
    return Section("lost", TITLE, (Paragraph(TEXT), Table(("Measure", "Loss"), rows, "lr"), *chart))


def _by_column(losses: dict[str, float]) -> Chart:
    names = tuple(sorted(losses, key=lambda name: -losses[name]))
    return Chart(
        "bars",
        "Information loss by column",
        "The loss of each quasi-identifier, rounded up.",
        names,
        (Series("loss", tuple(losses[name] for name in names)),),
        bin_title="column",
        measure="percent",
    )
