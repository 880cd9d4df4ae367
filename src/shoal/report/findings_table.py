"""Findings as a table: each figure with its meaning, baseline and goal."""

from __future__ import annotations

from collections.abc import Iterable

from shoal.findings import Finding
from shoal.report.text_nodes import Cell, Table

ABSENT = "none"


def findings_table(findings: Iterable[Finding]) -> Table:
    return Table(("Finding", "Estimate", "Baseline", "Goal"), tuple(map(_row, findings)), "lrrr")


def _row(finding: Finding) -> tuple[Cell, ...]:
    return (
        Cell(finding.name, note=finding.meaning),
        Cell(finding.shown(finding.estimate), note=interval_text(finding)),
        Cell(finding.shown(finding.baseline) or ABSENT),
        Cell(finding.shown(finding.goal) or ABSENT),
    )


def interval_text(finding: Finding) -> str:
    """The 95 % confidence interval; empty where the figure was counted."""
    if finding.interval is None:
        return ""
    low, high = map(finding.shown, finding.interval)
    return f"{low} to {high}"
