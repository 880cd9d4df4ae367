"""Columns before and after in the external edition: bins of at least k records, shares in steps of at least k."""

from __future__ import annotations

from collections.abc import Collection

from shoal.assessment.assessment import Assessment
from shoal.assessment.utility.distributions import Distribution
from shoal.report.external.share_steps import ShareSteps
from shoal.report.outline_nodes import Gallery, Section
from shoal.report.pictures.bar_chart import Chart, Series
from shoal.report.text_nodes import Paragraph

TITLE = "Columns before and after protection"
TEXT = (
    "Where the two bars of a bin have the same length, analyses of that column alone give the same result as before. "
    "Every bin is of many records, the outer bins are open-ended, rare values are merged, and shares are rounded."
)
CAPTION = "Shares are rounded."
OF_UNITS = (
    "Distributions are not shown: bins are of many records, but this release counts persons, firms or households with "
    "several records, and a bin may be of few of these."
)


def section(
    assessment: Assessment, steps: ShareSteps, released: Collection[str], *, counts_units: bool
) -> Section | None:
    shown = [each for each in assessment.distributions if each.column in released and len(each.bins) > 1]
    if counts_units:
        return Section("spread", TITLE, (Paragraph(OF_UNITS),))
    if not shown:
        return None
    return Section("spread", TITLE, (Paragraph(TEXT), Gallery(tuple(_chart(each, steps) for each in shown))))


def _chart(distribution: Distribution, steps: ShareSteps) -> Chart:
    before, after = (tuple(map(steps.nearest, shares)) for shares in (distribution.original, distribution.released))
    return Chart(
        "columns" if distribution.kind in ("numeric", "date") else "bars",
        distribution.column,
        CAPTION,
        distribution.bins,
        (Series("original", before), Series("release", after)),
        bin_title="date" if distribution.kind == "date" else "value",
        measure="percent of the records",
    )
