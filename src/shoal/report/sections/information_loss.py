"""Information loss: overall and by column."""

from __future__ import annotations

from shoal.assessment.assessment import Assessment
from shoal.findings import Finding
from shoal.release.manifest import Manifest
from shoal.report.findings_table import findings_table
from shoal.report.outline_nodes import Section
from shoal.report.pictures.bar_chart import Chart, Series
from shoal.report.text_nodes import Paragraph
from shoal.report.words import is_anatomy, isolate, rounded_percent

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
    return Section("lost", "Information loss", (text, findings_table(overall), *chart))


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
