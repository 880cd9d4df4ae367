"""The assessment of a release together with what earlier releases of the same persons reveal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from shoal.assessment.assessment import Assessment
from shoal.assessment.risk.earlier_releases import (
    BELOW_K,
    DEPARTED,
    FEWEST,
    JOINED,
    LINKED,
    NEW,
    PINNED,
    earlier_release_attacks,
)
from shoal.assessment.risk.earlier_summary import EarlierSummary, PersonShare
from shoal.findings import Finding
from shoal.gate.invariance import invariance_verdicts
from shoal.gate.person_records import ComparedReleases
from shoal.requirements.requirement import RepeatRequirement


def with_earlier_releases(
    assessment: Assessment,
    compared: ComparedReleases,
    k: int,
    sensitive: Sequence[str],
    invariances: Sequence[RepeatRequirement] = (),
) -> Assessment:
    """The assessment with these attacks, their summary, and a note on columns that change. ``sensitive``: the sensitive
    columns; ``invariances``: what the policy requires of several releases together."""
    shown = [name for name in sensitive if name in compared.new.other_columns]
    attacks = earlier_release_attacks(compared, k, shown)
    found = assessment.with_attacks(attacks)
    figures = [attack.figure for attack in attacks if isinstance(attack.figure, Finding)]
    summary = _summary(compared, figures, invariances)
    return replace(found, notes=(*found.notes, *_changing_notes(compared)), earlier=summary)


def _changing_notes(compared: ComparedReleases) -> Iterator[str]:
    """A note on columns that all releases show, but that change over time."""
    if not compared.are_persons_known or not compared.has_common_persons or compared.declared is not None:
        return
    changing = [name for name, share in compared.agreements.items() if name not in compared.stable]
    if changing:
        yield (
            f"{', '.join(changing)}: differs between the releases for more than one person in ten, so records of one "
            "person are not recognized by it."
        )


def _summary(
    compared: ComparedReleases, figures: Sequence[Finding], invariances: Sequence[RepeatRequirement]
) -> EarlierSummary:
    n, m = len(compared.earlier), min((each.m for each in invariances), default=None)
    if not compared.are_persons_known or not compared.has_common_persons:
        return EarlierSummary(n, m=m)
    below_k, pinned = _numbers_of_persons(compared)
    return EarlierSummary(
        n,
        next(int(figure.estimate) for figure in figures if figure.name == FEWEST),
        m,
        _holds(compared, invariances),
        tuple(_share(each, below_k[each.name]) for each in figures if each.name in below_k),
        tuple(_share(each, n) for each in figures for end, n in pinned.items() if each.name.endswith(end)),
    )


def _share(figure: Finding, n_persons: int) -> PersonShare:
    return PersonShare(figure.estimate, figure.baseline, n_persons)


def _holds(compared: ComparedReleases, invariances: Sequence[RepeatRequirement]) -> bool | None:
    """Whether all hold; None where a release does not have the column of one."""
    releases = (compared.new, *compared.earlier)
    if any(each.column not in release.other_columns for each in invariances for release in releases):
        return None
    columns, names = compared.new.class_columns, [each.name for each in compared.earlier]
    found = (invariance_verdicts(compared.candidates_by(each.column), each, columns, names) for each in invariances)
    return all(verdict.holds for verdicts in found for verdict in verdicts)


def _numbers_of_persons(compared: ComparedReleases) -> tuple[dict[str, int], dict[str, int]]:
    """Of how many persons figures are shares: of those below k, by name; of values pinned down, by its end."""
    candidates, n_new = compared.candidates, len(compared.new.records)
    n_known = int(np.count_nonzero(~candidates.is_new[candidates.joint_class]))
    n_both = int(np.count_nonzero(compared.places[-1] >= 0))
    n_departed = len(compared.earlier[-1].records) - n_both
    by_counts = {DEPARTED: n_departed, JOINED: n_new - n_both}
    return (
        {BELOW_K: n_known, LINKED: n_known, NEW: n_new - n_known},
        {f" {PINNED}": n_known, **{f" of {of_whom} pinned down": n for of_whom, n in by_counts.items()}},
    )
