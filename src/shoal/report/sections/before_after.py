"""Distributions of the quasi-identifiers before and after protection."""

from __future__ import annotations

from shoal.assessment.assessment import Assessment
from shoal.assessment.utility.distributions import Distribution
from shoal.release.manifest import Manifest
from shoal.report.outline_nodes import Gallery, Section
from shoal.report.pictures.bar_chart import Chart, Series
from shoal.report.text_nodes import Paragraph
from shoal.report.words import isolate, rounded_percent

TITLE = "Columns before and after protection"


def section(manifest: Manifest, assessment: Assessment) -> Section:
    return distribution_section(assessment)


def distribution_section(assessment: Assessment) -> Section:
    shown = [each for each in assessment.distributions if any(each.original) or any(each.released)]
    if not shown:
        return Section("spread", TITLE, (Paragraph("There is no record to show."),))
    how_to_read = Paragraph(
        "Where the two bars of a bin have the same length, analyses of that column alone give the same result as "
        "before. No bin shows only a few persons: small bins are merged or left empty, and the outer bins are "
        "open-ended."
    )
    return Section("spread", TITLE, (how_to_read, Gallery(tuple(map(before_after, shown)))))


def before_after(distribution: Distribution) -> Chart:
    return Chart(
        "columns" if distribution.kind in ("numeric", "date") else "bars",
        distribution.column,
        _caption(distribution),
        distribution.bins,
        (Series("original", distribution.original), Series("release", distribution.released)),
        bin_title="date" if distribution.kind == "date" else "value",
        measure="percent of the records",
    )


def _caption(distribution: Distribution) -> str:
    pairs = list(zip(distribution.bins, distribution.original, distribution.released, strict=True))
    name, before, after = max(pairs, key=lambda pair: abs(pair[1] - pair[2]))
    if rounded_percent(before) == rounded_percent(after):
        return "No bin differs."
    return f"Largest difference at {isolate(name)}: {rounded_percent(before)} before, {rounded_percent(after)} after."
