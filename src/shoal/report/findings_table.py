"""Findings as a table: each figure with its meaning, baseline and goal."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from shoal.findings import Finding
from shoal.report.figure_families import figure_families
from shoal.report.text_nodes import Cell, Row, Table

ABSENT = "none"


def findings_table(findings: Iterable[Finding]) -> Table:
    """A row of every finding; pages show the worst of many columns."""
    listed = tuple(findings)
    table = Table(("Finding", "Estimate", "Baseline", "Goal"), tuple(map(_row, listed)), "lrrr")
    families = figure_families(listed)
    rows = (each.rows(table, _row(each.shown)) for each in families if isinstance(each.shown, Finding))
    return replace(table, families=tuple(rows))


def _row(finding: Finding) -> Row:
    return (
        Cell(finding.name, note=finding.meaning),
        Cell(finding.shown(finding.estimate), note=interval_text(finding)),
        Cell(finding.shown(finding.baseline) or ABSENT),
        Cell(finding.shown(finding.goal) or ABSENT),
    )


def interval_text(finding: Finding) -> str:
    """The 95 % confidence interval, with its caveat; empty where the figure was counted."""
    if finding.interval is None:
        return ""
    low, high = map(finding.shown, finding.interval)
    return f"{low} to {high}" + (f"; {finding.caveat}" if finding.caveat else "")
