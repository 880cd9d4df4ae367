"""Prosecutor risk from class sizes: an intruder who knows a person's quasi-identifiers finds their class and guesses.

The prosecutor knows that the person is in the file: the chance of a correct guess is 1 over the size of the class. The
baseline is a guess among all records. Where classes are counted in units, the intruder guesses among units, and the
baseline is a guess among all of them, each counted once.

An anatomy releases quasi-identifiers unchanged, so that persons are found as in the original; k is the size of the
groups in which their sensitive values are hidden.
"""

from __future__ import annotations

from shoal.assessment.risk.class_sizes import ClassSizes
from shoal.errors import plural
from shoal.findings import Finding, Findings

FOUND = (
    "The chance that an intruder who knows a person's quasi-identifiers picks the right {noun}, at worst. An anatomy "
    "releases them unchanged: it hides sensitive values, not persons."
)


def count_risks(
    original: ClassSizes, released: ClassSizes, k: int | None, groups: ClassSizes | None = None
) -> Findings:
    """Findings from the class sizes before and after. ``groups``: those of an anatomy, to which k applies."""
    n_records, noun = released.n_records, released.noun
    if n_records == 0:
        return Findings()
    smallest, by_chance = released.smallest, 100 / released.n_candidates
    unique_before = 100 * original.n_unique / original.n_records
    unique_after = 100 * released.n_unique / n_records
    picks = f"The chance that an intruder who finds a person's class picks the right {noun}, at worst."
    return Findings(
        (
            Finding(
                "k reached",
                smallest if groups is None else groups.smallest,
                _k_sentence(released) if groups is None else _group_sentence(groups),
                baseline=original.smallest,
                goal=k,
            ),
            Finding(
                "highest prosecutor risk",
                100 / smallest,
                picks if groups is None else FOUND.format(noun=noun),
                baseline=by_chance,
                goal=100 / k if k and groups is None else None,
                unit="%",
            ),
            Finding(
                "mean prosecutor risk",
                100 * float(released.n_classes.sum()) / n_records,
                f"The same chance, averaged over all {noun}s.",
                baseline=by_chance,
                unit="%",
            ),
            Finding(
                "unique records",
                unique_after,
                f"Share of {noun}s alone in their class; in the original it is {unique_before:.4g} %.",
                baseline=unique_before,
                goal=0 if groups is None else None,
                unit="%",
            ),
        )
    )


def _k_sentence(released: ClassSizes) -> str:
    if released.noun == "record":
        return f"Every released record shares its quasi-identifiers with at least {released.smallest - 1} others."
    return f"Every class of equal quasi-identifiers has records of at least {_size(released)}."


def _group_sentence(groups: ClassSizes) -> str:
    of = "" if groups.noun == "record" else "records of "
    return (
        f"Every group of the anatomy has {of}at least {_size(groups)}: which of their sensitive values is whose is not "
        "released."
    )


def _size(sizes: ClassSizes) -> str:
    return f"{sizes.smallest} {plural(sizes.smallest, sizes.noun)}"
