"""Information loss: overall and by column."""

from __future__ import annotations

from shoal.assessment.assessment import Assessment
from shoal.assessment.utility.distributions import MISSING
from shoal.assessment.utility.subtotals import Subtotals
from shoal.errors import plural
from shoal.findings import Finding
from shoal.release.manifest import Manifest
from shoal.report.findings_table import findings_table
from shoal.report.outline_nodes import Section
from shoal.report.pictures.bar_chart import Chart, Series
from shoal.report.text_nodes import Cell, Paragraph, Table
from shoal.report.words import is_anatomy, isolate, name_list, number_of, rounded_percent

LOSS = "information loss"
LOSSES = (
    LOSS,
    "SSE / SST",
    "probabilistic loss",
    "mean variation",
    "IL1s",
    "suppressed records",
    "parted by blocks",
    "count queries",
    "total of",
    "weighted total of",
)
BLOCKS = "blocks"
COST = (
    "Protection has a cost: the quasi-identifiers of the release are less precise than those of the original. The loss "
    "is measured on the written release, record by record."
)
OF_ANATOMY = (
    "An anatomy releases the quasi-identifiers unchanged, so that analyses of these alone lose nothing. What is lost "
    "is their relation to the sensitive values, which are known only by group; that loss is not measured here."
)


def is_about_loss(finding: Finding) -> bool:
    """Whether a finding is about information loss; all others are about disclosure risk."""
    return finding.name.startswith(LOSSES) or finding.name == BLOCKS


def section(manifest: Manifest, assessment: Assessment) -> Section:
    text = Paragraph(OF_ANATOMY if is_anatomy(manifest.policy) else COST)
    overall = [f for f in assessment.findings if is_about_loss(f) and not f.name.startswith(f"{LOSS} of ")]
    chart = (loss_by_column(assessment.losses),) if assessment.losses else ()
    by_cell = subtotal_table(assessment.subtotals) if assessment.subtotals else ()
    return Section("lost", "Information loss", (text, findings_table(overall), *chart, *by_cell))


def subtotal_table(subtotals: Subtotals) -> tuple[Paragraph | Table, ...]:
    """The change of every subtotal; nothing where all cells are too small to be shown."""
    if not subtotals.cells:
        return ()
    what, shown = "weighted subtotal" if subtotals.weighted else "subtotal", subtotals.largest
    text = (
        f"By how much each {what} by {name_list([isolate(name) for name in subtotals.by])} changed at most, in percent "
        f"of the release, rounded up."
    )
    if subtotals.n_hidden:
        hidden = number_of(subtotals.n_hidden, "cell")
        text += f" {hidden} of fewer than {subtotals.k} records {plural(subtotals.n_hidden, 'is', 'are')} not shown."
    if len(shown) < len(subtotals.cells):
        text += f" The {len(shown)} cells of most records are shown, of {len(subtotals.cells):,}."
    head = (*subtotals.by, "records", *subtotals.names)
    rows = tuple(
        (
            *map(_cell, cell.values),
            Cell(f"{cell.n_records:,}"),
            *(Cell(f"{change:g}\u00a0%") for change in cell.changes),
        )
        for cell in shown
    )
    return Paragraph(text), Table(head, rows, "l" * len(subtotals.by) + "r" * (1 + len(subtotals.names)))


def _cell(value: str | None) -> Cell:
    return Cell(MISSING if value is None else value)


def loss_by_column(losses: dict[str, float]) -> Chart:
    """Bar chart of information loss by column, the greatest first."""
    names = sorted(losses, key=lambda name: -losses[name])
    most, least = names[0], names[-1]
    caption = f"The loss is largest for '{isolate(most)}' ({rounded_percent(losses[most])})"
    if len(names) > 1:
        caption += f" and smallest for '{isolate(least)}' ({rounded_percent(losses[least])})"
    return Chart(
        "bars",
        "Information loss by column",
        f"{caption}. At 0 %, nothing changed; at 100 %, all records are alike.",
        tuple(names),
        (Series("information loss", tuple(losses[name] for name in names)),),
        bin_title="column",
        measure="percent of the spread that is hidden",
    )
