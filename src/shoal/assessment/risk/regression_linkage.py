"""Linkage by an intruder who learns from the release how columns released as they are depend on quasi-identifiers.

aligned tables -> Links

k-anonymity says that a class shows k records, and not which is whose. A column that depends on a quasi-identifier, such
as the year of birth on the age, an income on age and education, or a weight on the stratum, tells the records of a
class apart, although its values are shared by many and nobody needs to know them. The dependence is learned from the
release alone (`regression_posterior.py`). The attack is told where it finds more than drawing from the classes would.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from shoal.assessment.risk.informed.candidate_pairs import CandidatePairs
from shoal.assessment.risk.informed.published_methods import PublishedMethods
from shoal.assessment.risk.regression_coordinates import regression_coordinates
from shoal.assessment.risk.regression_posterior import regression_posterior
from shoal.assessment.table_pair import AlignedTables
from shoal.encode.codes import has_codes, to_codes
from shoal.kernels import Labels, Vector
from shoal.kernels.combinations import number_combinations
from shoal.linkage.record_links import Links

MOST_NUMBERS = 6_000_000  # pairs of a person and a record times coordinates
N_DEVIATIONS = 3  # above the mean of drawing from the classes, from which the attack is told
TYPICAL_WIDTH = 2  # coordinates of a column that depends on others


@dataclass(frozen=True, eq=False)
class RegressionAttack:
    """The attack, prepared. ``dependent``: the columns that may depend on the quasi-identifiers."""

    aligned: AlignedTables
    dependent: tuple[str, ...]
    class_of: Labels  # (n_original,) of the record that a person became; -1 where suppressed

    @classmethod
    def of(
        cls, aligned: AlignedTables, held: Sequence[str], published: PublishedMethods | None
    ) -> RegressionAttack | None:
        """None where the release has no classes in which an intruder who holds the columns ``held`` finds a person, or
        shows nothing else."""
        dependent = tuple(_dependent_columns(aligned))
        if not dependent or not set(held).issuperset(aligned.schema.quasi_identifiers):
            return None
        return cls(aligned, dependent, _classes(aligned)) if _shows_classes(aligned, published) else None

    @cached_property
    def sizes(self) -> Labels:
        """Persons of every class."""
        return np.bincount(self.class_of[self.class_of >= 0])

    @property
    def most_persons(self) -> int:
        """Persons whose classes can be searched within the limit on work."""
        most_pairs = MOST_NUMBERS / (TYPICAL_WIDTH * len(self.dependent))
        sizes = self.sizes.astype(np.float64)
        n_pairs, n_released = (sizes**2).sum(), max(1.0, sizes.sum())
        return len(self.class_of) if n_pairs <= most_pairs else int(most_pairs / ((sizes**3).sum() / n_released))

    def links(self, persons: Labels) -> Links:
        """``persons``: records of the original. Everybody in their classes is known to the intruder."""
        chosen = np.unique(self.class_of[persons])
        members = np.flatnonzero(np.isin(self.class_of, chosen[chosen >= 0]))
        records = self.aligned.truth[members]
        found = self._posterior(members, records).links(np.arange(len(members)))
        place = np.searchsorted(members, persons)
        is_member = self.class_of[persons] >= 0
        at = np.where(is_member, place, 0)
        linked = np.where(is_member, records[found.records[at]], -1)
        return Links(linked, found.measures[at], found.n_ties[at], np.where(is_member, found.chances[at], 0.0))

    def exceeds_classes(self, persons: Labels, links: Links) -> bool:
        """Whether more are found than by drawing one record of the class of each, beyond what chance explains."""
        of_persons = self.class_of[persons]
        drawn: Vector = np.where(of_persons >= 0, 1 / self.sizes[np.maximum(of_persons, 0)], 0.0)
        deviation = float(np.sqrt((drawn * (1 - drawn)).sum()))
        return float(links.chances.sum() - drawn.sum()) > N_DEVIATIONS * max(deviation, 1e-9)

    def _posterior(self, members: Labels, records: Labels) -> CandidatePairs:
        """Of pairs within a class; persons and records are numbered alike, in the order of ``members``."""
        schema = self.aligned.schema
        known = self.aligned.original.take(members), schema.quasi_identifiers
        shown = self.aligned.released.take(records), self.dependent
        of_persons = regression_coordinates(known[0], schema, known[1], ranks=True)
        of_records = regression_coordinates(shown[0], schema, shown[1])
        return regression_posterior(_pairs_within(self.class_of[members]), of_persons, of_records)


def _shows_classes(aligned: AlignedTables, published: PublishedMethods | None) -> bool:
    """Whether an intruder finds the class of a person. Where it is not known how values were changed, extents and
    unchanged values must contain the person."""
    names = aligned.schema.quasi_identifiers
    if published is None:
        return bool(aligned.by_extents) and set(aligned.by_containment).issuperset(names)
    is_drawn = any(published.applied_to(name) for name in names)
    return published.grouping != "none" and not is_drawn and not published.blanks


def _dependent_columns(aligned: AlignedTables) -> list[str]:
    """Columns besides quasi-identifiers that show the values of their person, and weights however they are rounded."""
    released = set(aligned.released.column_names)
    shown = [c for c in aligned.schema.columns if c.name in released and has_codes(aligned.released[c.name].type)]
    return [
        column.name
        for column in shown
        if column.role == "weight" or (column.role in ("other", "sensitive") and aligned.is_unchanged(column.name))
    ]


def _classes(aligned: AlignedTables) -> Labels:
    codes = [to_codes(name, aligned.released[name]).codes for name in aligned.schema.quasi_identifiers]
    classes = number_combinations(codes, len(aligned.released))
    return np.where(aligned.truth >= 0, classes[aligned.truth], -1).astype(np.int64)


def _pairs_within(classes: Labels) -> CandidatePairs:
    """All pairs of places with the same class, sorted by the first."""
    order = np.argsort(classes, kind="stable")
    _, of_place, sizes = np.unique(classes, return_inverse=True, return_counts=True)
    starts, n_partners = (np.cumsum(sizes) - sizes)[of_place], sizes[of_place]
    persons = np.repeat(np.arange(len(classes)), n_partners)
    within = np.arange(len(persons)) - np.repeat(np.cumsum(n_partners) - n_partners, n_partners)
    records = order[np.repeat(starts, n_partners) + within]
    return CandidatePairs(persons, records, np.zeros(len(persons)), len(classes))
