"""Subtotals as a table: by how much each changed at most."""

from __future__ import annotations

from shoal.assessment.utility.distributions import MISSING
from shoal.assessment.utility.subtotals import Subtotals
from shoal.errors import plural
from shoal.report.text_nodes import Cell, Items, Paragraph, Table
from shoal.report.words import isolate, name_list, number_of


def subtotal_parts(subtotals: Subtotals) -> tuple[Paragraph | Items | Table, ...]:
    """The change of every subtotal, and which are not measured."""
    unmeasured = tuple(map(str, subtotals.not_measured))
    return *subtotal_table(subtotals), *((Items(unmeasured),) if unmeasured else ())


def subtotal_table(subtotals: Subtotals) -> tuple[Paragraph | Table, ...]:
    """The change of every subtotal; nothing where none was measured."""
    if not subtotals.names:
        return ()
    if not subtotals.cells:
        return (Paragraph(f"No subtotal is shown: every cell is of fewer than {subtotals.k} records."),)
    what, shown = "weighted subtotal" if subtotals.weighted else "subtotal", subtotals.largest
    text = (
        f"By how much each {what} by {name_list([isolate(name) for name in subtotals.by])} changed at most, in percent "
        f"of the release, rounded up."
    )
    if subtotals.n_hidden:
        hidden = number_of(subtotals.n_hidden, "cell")
        text += f" {hidden} of fewer than {subtotals.k} records {plural(subtotals.n_hidden, 'is', 'are')} not shown."
    if len(shown) < len(subtotals.cells):
        text += f" The {len(shown)} cells of most records are shown, of {len(subtotals.cells):,}."
    head = (*subtotals.by, "records", *subtotals.names)
    rows = tuple(
        (
            *map(_cell, cell.values),
            Cell(f"{cell.n_records:,}"),
            *(Cell(f"{change:g}\u00a0%") for change in cell.changes),
        )
        for cell in shown
    )
    return Paragraph(text), Table(head, rows, "l" * len(subtotals.by) + "r" * (1 + len(subtotals.names)))


def _cell(value: str | None) -> Cell:
    return Cell(MISSING if value is None else value)
