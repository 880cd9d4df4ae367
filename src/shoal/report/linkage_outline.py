"""What a record linkage found, for a notebook."""

from __future__ import annotations

from shoal.linkage.linkage_risk import Linkage
from shoal.report.findings_table import findings_table
from shoal.report.outline_nodes import Outline, Section
from shoal.report.text_nodes import Items, Paragraph
from shoal.report.words import name_list, number_of


def linkage_outline(linkage: Linkage) -> Outline:
    known = Paragraph(
        f"The intruder knows {name_list(linkage.columns)} of {number_of(len(linkage.persons), 'person')} and links "
        f"each of them to the most likely of {number_of(linkage.n_released, 'released record')}."
    )
    sections = [Section("found", "Persons found", (known, findings_table(linkage.findings)))]
    if linkage.notes:
        sections.append(Section("notes", "How it was measured", (Items(linkage.notes),)))
    subtitle = f"{100 * linkage.risk:.4g} % of the persons are found, by chance {100 * linkage.baseline:.4g} %"
    return Outline("Record linkage", subtitle, None, tuple(sections))
