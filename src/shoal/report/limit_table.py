"""Risk limits as a table: what was asked, what was reached, whether it is met."""

from __future__ import annotations

from collections.abc import Sequence

from shoal.assessment.risk_limits import LimitCheck
from shoal.report.findings_table import interval_text
from shoal.report.text_nodes import Cell, Paragraph, Table
from shoal.report.words import percent

LIMIT_WORDS = {
    "linked_persons": "persons found by the strongest linkage",
    "prosecutor_risk": "highest chance of a correct guess in a class",
    "attribute_disclosure": "how much more often sensitive values are guessed right",
    "suppressed": "suppressed records",
}
RULE = "A figure with an interval meets a limit if the upper end of the interval does. Limits refuse nothing."


def limit_parts(checks: Sequence[LimitCheck]) -> tuple[Paragraph, Table] | tuple[()]:
    """Whether the limits of a policy are met; nothing where it has none."""
    if not checks:
        return ()
    table = Table(("Limit", "At most", "Reached", "Met"), tuple(map(_row, checks)), "lrrl")
    return Paragraph(f"The policy sets risk limits, which shoal compare recommends by. {RULE}"), table


def _row(check: LimitCheck) -> tuple[Cell, ...]:
    figure = check.figure
    reached = Cell("not measured") if figure is None else Cell(percent(figure.estimate), note=interval_text(figure))
    return Cell(check.name, note=LIMIT_WORDS[check.name]), Cell(percent(check.most)), reached, Cell(met_word(check))


def met_word(check: LimitCheck) -> str:
    if check.is_met:
        return "yes"
    return "not certain" if check.is_open else "no"


def limit_sentence(check: LimitCheck) -> str:
    """Such as: limit linked_persons, at most 5 %: 7.2 % (no)"""
    reached = "not measured" if check.figure is None else percent(check.figure.estimate)
    interval = f", {interval_text(check.figure)}" if check.figure and check.figure.interval else ""
    return f"limit {check.name}, at most {percent(check.most)}: {reached}{interval} ({MET[met_word(check)]})"


MET = {"yes": "met", "no": "not met", "not certain": "not certainly met"}
