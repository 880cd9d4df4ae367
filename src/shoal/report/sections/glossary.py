"""Glossary for readers of the report."""

from __future__ import annotations

from shoal.assessment.assessment import Assessment
from shoal.release.manifest import Manifest
from shoal.report.outline_nodes import Section
from shoal.report.text_nodes import Terms

WORDS = (
    ("record", "What the table says about one person or unit; one line of it."),
    ("quasi-identifier", "A column that an intruder may know from elsewhere, such as age or address."),
    ("sensitive", "A column that nobody should learn about a person, such as an illness."),
    ("class", "The records that are equal on all quasi-identifiers; an intruder cannot tell them apart."),
    ("k", "The number of records in the smallest class: everybody hides among at least k - 1 others."),
    ("l", "The number of different sensitive values that every class shows at least."),
    ("determined", "A value that can be computed back from what the release tells of its class."),
    ("intruder", "Somebody who tries to find a person in the release with what they know already."),
    ("risk", "The chance of the intruder to be right, beside the baseline."),
    ("baseline", "What the figure is without knowledge or effort: by a blind guess, or in the original."),
    ("goal", "What the policy asks for."),
    ("information loss", "The share of a column's spread that the release hides."),
    ("suppress", "Drop a record that could not be protected otherwise."),
    ("gate", "The check that reads the written release and proves, or refuses, what the policy asks for."),
)


def section(manifest: Manifest, assessment: Assessment) -> Section:
    return Section("glossary", "Words", (Terms(WORDS),))
