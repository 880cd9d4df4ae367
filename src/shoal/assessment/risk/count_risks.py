"""Prosecutor risk from class sizes: an intruder who knows a person's quasi-identifiers finds their class and guesses.

The prosecutor knows that the person is in the file: the chance of a correct guess is 1 over the size of the class. The
baseline is a guess among all records.
"""

from __future__ import annotations

from shoal.assessment.risk.class_sizes import ClassSizes
from shoal.findings import Finding, Findings


def count_risks(original: ClassSizes, released: ClassSizes, k: int | None) -> Findings:
    """Findings from the class sizes before and after."""
    n_records = released.n_records
    if n_records == 0:
        return Findings()
    smallest = released.smallest
    unique_before = 100 * original.n_unique / original.n_records
    unique_after = 100 * released.n_unique / n_records
    return Findings(
        (
            Finding(
                "k reached",
                smallest,
                f"Every released record shares its quasi-identifiers with at least {smallest - 1} others.",
                baseline=original.smallest,
                goal=k,
            ),
            Finding(
                "highest prosecutor risk",
                100 / smallest,
                "The chance that an intruder who finds a person's class picks the right record, at worst.",
                baseline=100 / n_records,
                goal=None if k is None else 100 / k,
                unit="%",
            ),
            Finding(
                "mean prosecutor risk",
                100 * float(released.n_classes.sum()) / n_records,
                "The same chance, averaged over all records.",
                baseline=100 / n_records,
                unit="%",
            ),
            Finding(
                "unique records",
                unique_after,
                f"Share of records alone in their class; in the original it is {unique_before:.4g} %.",
                baseline=unique_before,
                goal=0,
                unit="%",
            ),
        )
    )
