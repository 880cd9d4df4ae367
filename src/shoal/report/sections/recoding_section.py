"""Global recoding by hand: what was done to each column, what it cost, and why."""

from __future__ import annotations

from shoal.assessment.assessment import Assessment
from shoal.assessment.recoding_summary import RecodingSummary
from shoal.release.manifest import Manifest
from shoal.report.outline_nodes import Section
from shoal.report.recoding_words import recoding_text
from shoal.report.text_nodes import Cell, Items, Paragraph, Table
from shoal.report.words import isolate, percent, quoted_name_list

NOT_MEASURED = "not measured"


def section(manifest: Manifest, assessment: Assessment) -> Section | None:
    if not assessment.recodings:
        return None
    text = Paragraph(
        "These columns were recoded before anything else was done: every value was replaced by a coarser one. The "
        "information loss compares the release with the values before recoding. The charts below, and linkage, "
        "compare recoded values: an intruder who knows a value can recode it, too."
    )
    unused = tuple(_unused_text(each) for each in assessment.recodings if each.unused)
    return Section(
        "recoding",
        "Global recoding",
        (text, _table(manifest, assessment), *((Items(unused),) if unused else ())),
    )


def _table(manifest: Manifest, assessment: Assessment) -> Table:
    """What was done to every column and what it cost. Reasons are shown if the policy gives any."""
    columns, reasons = manifest.policy.get("columns", {}), assessment.reasons
    has_reasons = any(reasons.get(each.column) for each in assessment.recodings)
    head = ("Column", "Recoding", "Values before", "Values after", "Records changed", "Information loss")
    rows = tuple(
        (
            Cell(isolate(each.column)),
            Cell(recoding_text(columns.get(each.column, {}).get("recode"))),
            Cell(f"{each.n_before:,}"),
            Cell(f"{each.n_after:,}"),
            Cell(percent(each.changed)),
            Cell(NOT_MEASURED if each.loss is None else percent(each.loss)),
            *((Cell(reasons.get(each.column, "")),) if has_reasons else ()),
        )
        for each in assessment.recodings
    )
    return Table((*head, "Reason"), rows, "llrrrrl") if has_reasons else Table(head, rows, "llrrrr")


def _unused_text(recoding: RecodingSummary) -> str:
    words = quoted_name_list(recoding.unused)
    return f"{isolate(recoding.column)}: the policy merges {words}, which the column does not hold. Is it spelled so?"
