"""Glossary for readers of the report."""

from __future__ import annotations

from shoal.assessment.assessment import Assessment
from shoal.release.manifest import Manifest
from shoal.report.outline_nodes import Section
from shoal.report.text_nodes import Terms
from shoal.report.words import is_anatomy

WORDS = (
    ("record", "One row of the table: the data about one person or unit."),
    (
        "unit",
        "A person, firm or household to which several records may belong; where the policy names it, k counts units.",
    ),
    (
        "quasi-identifier",
        "A column that an intruder may know from elsewhere, such as age or address; also called key variable.",
    ),
    ("sensitive", "A column whose value nobody should learn about a person, such as an illness."),
    (
        "class",
        "The equivalence class: records that are equal on all quasi-identifiers; an intruder cannot distinguish them.",
    ),
    ("sample frequency", "The number of records of a class; the population frequency is estimated from weights."),
    (
        "direct identifier",
        "A column that names a person, such as a name or a number; dropped or replaced by a pseudonym.",
    ),
    ("local suppression", "Single cells released as missing, because the record would be rare otherwise."),
    ("PRAM", "The post-randomization method: categories are replaced by others with known probabilities."),
    ("k", "The number of records, or units, in the smallest class: everybody is hidden among at least k - 1 others."),
    ("l", "The number of distinct sensitive values that every class has at least."),
    ("determined", "Said of a value that can be computed from what the release shows about its class."),
    ("intruder", "Someone who uses what they already know to find a person in the release."),
    ("risk", "The probability that the intruder is right; compare it with the baseline."),
    ("baseline", "The figure without knowledge or effort: for a random guess, or in the original."),
    ("goal", "The value that the policy requires."),
    ("information loss", "The share of a column's variation that the release hides."),
    ("suppress", "To drop a record that could not be protected otherwise."),
    ("gate", "The check that reads the written release and proves, or refuses, the requirements of the policy."),
)

OF_ANATOMY = (
    ("anatomy", "A release in two tables, linked only by the numbers of groups: quasi-identifiers, sensitive values."),
    ("group", "Records whose sensitive values are counted together; requirements hold for every group, with its k."),
)


def section(manifest: Manifest, assessment: Assessment) -> Section:
    words = (*WORDS, *OF_ANATOMY) if is_anatomy(manifest.policy) else WORDS
    return Section("glossary", "Glossary", (Terms(words),))
