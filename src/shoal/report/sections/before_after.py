"""Distributions of the quasi-identifiers before and after protection."""

from __future__ import annotations

from shoal.assessment.assessment import Assessment
from shoal.assessment.utility.distributions import Distribution
from shoal.release.manifest import Manifest
from shoal.report.outline_nodes import Gallery, Section
from shoal.report.pictures.bar_chart import Chart, Series
from shoal.report.text_nodes import Paragraph
from shoal.report.words import isolate, rounded_percent

TITLE = "How the columns look before and after"


def section(manifest: Manifest, assessment: Assessment) -> Section:
    return distribution_section(assessment)


def distribution_section(assessment: Assessment) -> Section:
    shown = [spread for spread in assessment.distributions if any(spread.original) or any(spread.released)]
    if not shown:
        return Section("spread", TITLE, (Paragraph("There is no record to show."),))
    how_to_read = Paragraph(
        "Where the two bars of a bin are equally long, analyses of the column alone come out as before. No bin "
        "shows a few persons: small ones are merged or left empty, and the outer ones are open."
    )
    return Section("spread", TITLE, (how_to_read, Gallery(tuple(map(before_after, shown)))))


def before_after(spread: Distribution) -> Chart:
    return Chart(
        "columns" if spread.kind in ("numeric", "date") else "bars",
        spread.column,
        _caption(spread),
        spread.bins,
        (Series("original", spread.original), Series("release", spread.released)),
        bin_title="date" if spread.kind == "date" else "value",
        measure="percent of the records",
    )


def _caption(spread: Distribution) -> str:
    pairs = list(zip(spread.bins, spread.original, spread.released, strict=True))
    name, before, after = max(pairs, key=lambda pair: abs(pair[1] - pair[2]))
    if rounded_percent(before) == rounded_percent(after):
        return "No bin differs."
    return f"Largest difference at {isolate(name)}: {rounded_percent(before)} before, {rounded_percent(after)} after."
