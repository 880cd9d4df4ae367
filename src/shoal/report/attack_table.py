"""Attacks as a table: who tries, what they hold, how often they are right."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import get_args

from shoal.assessment.assessment import Assessment
from shoal.assessment.linkage_attacks import INTRUDERS
from shoal.assessment.risk.attack import Attack, AttackSubject
from shoal.findings import UnmeasuredFigure
from shoal.report.figure_families import figure_families
from shoal.report.findings_table import ABSENT, interval_text
from shoal.report.text_nodes import Cell, Paragraph, Row, Table
from shoal.report.words import number_of, percent


def strongest_linkage_text(assessment: Assessment) -> tuple[Paragraph, ...]:
    """The linkage figure of the release: what the strongest attack finds, never a mean of weaker ones."""
    if assessment.strongest_linkage is None:
        return ()
    by, linkage = assessment.strongest_linkage
    figure = linkage.findings["linked persons"]
    ends = f" ({_ends(*figure.interval, figure.caveat)})" if figure.interval else ""
    return (
        Paragraph(
            f"The strongest linkage that was tried, by {INTRUDERS[by]}, finds {percent(100 * linkage.risk)} of "
            f"{number_of(len(linkage.persons), 'person')} in the release{ends}; drawing at random finds "
            f"{percent(100 * linkage.baseline)}."
        ),
    )


def _ends(low: float, high: float, caveat: str) -> str:
    return f"up to {percent(high)}: {caveat}" if caveat else f"95 % interval {percent(low)} to {percent(high)}"


def attack_table(attacks: Iterable[Attack]) -> Table:
    """The attacks in the order of their subjects; pages show the worst of many columns."""
    ordered = sorted(attacks, key=lambda attack: get_args(AttackSubject).index(attack.subject))
    table = Table(("Attack", "Intruder", "Right", "Baseline"), tuple(map(_row, ordered)), "llrr")
    families = figure_families((each.figure for each in ordered), [(each.intruder, each.holds) for each in ordered])
    rows = (each.rows(table, _row(replace(ordered[each.places[0]], figure=each.shown))) for each in families)
    return replace(table, families=tuple(rows))


def _row(attack: Attack) -> Row:
    figure = attack.figure
    intruder = Cell(attack.intruder, note=f"holds {attack.holds}")
    if isinstance(figure, UnmeasuredFigure):
        return Cell(figure.name, note=figure.reason), intruder, Cell("not measured"), Cell(ABSENT)
    return (
        Cell(figure.name, note=figure.meaning),
        intruder,
        Cell(figure.shown(figure.estimate), note=interval_text(figure)),
        Cell(figure.shown(figure.baseline) or ABSENT),
    )
