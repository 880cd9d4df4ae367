"""Attacks as a table: who tries, what they hold, how often they are right."""

from __future__ import annotations

from collections.abc import Iterable
from typing import get_args

from shoal.assessment.risk.attack import Attack, AttackSubject
from shoal.findings import UnmeasuredFigure
from shoal.report.findings_table import ABSENT, interval_text
from shoal.report.text_nodes import Cell, Table


def attack_table(attacks: Iterable[Attack]) -> Table:
    """The attacks in the order of their subjects."""
    ordered = sorted(attacks, key=lambda attack: get_args(AttackSubject).index(attack.subject))
    return Table(("Attack", "Intruder", "Right", "Baseline"), tuple(map(_row, ordered)), "llrr")


def _row(attack: Attack) -> tuple[Cell, ...]:
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
