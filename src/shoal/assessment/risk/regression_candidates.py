"""The records that a person can be, before columns that depend on quasi-identifiers tell them apart.

persons -> PersonCandidates
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np

from shoal.assessment.risk.informed.candidate_pairs import CandidatePairs
from shoal.assessment.risk.informed.informed_linkage import InformedAttack
from shoal.kernels import Labels


@dataclass(frozen=True, eq=False)
class PersonCandidates:
    """Pairs of places among ``persons``, records of the original, and among ``records`` of the release."""

    persons: Labels
    records: Labels
    pairs: CandidatePairs


class CandidateSource(Protocol):
    def most_persons(self, most_pairs: float) -> int:
        """Persons who can be searched for with so many pairs; 0 where these are too few."""
        ...

    def candidates(self, persons: Labels) -> PersonCandidates:
        """Of ``persons``, and of all whom they are compared with."""
        ...


@dataclass(frozen=True, eq=False)
class ClassCandidates:
    """All records of the class that a person is in. The intruder knows everybody in it."""

    truth: Labels  # (n_original,) the released record of every original one; -1 where there is none
    class_of: Labels  # (n_original,) of the record that a person became; -1 where there is none

    @cached_property
    def _sizes(self) -> Labels:
        return np.bincount(self.class_of[self.class_of >= 0])

    def most_persons(self, most_pairs: float) -> int:
        sizes = self._sizes.astype(np.float64)
        if (sizes**2).sum() <= most_pairs:
            return len(self.class_of)
        return int(most_pairs / ((sizes**3).sum() / sizes.sum()))  # pairs of the class of a person, on average

    def candidates(self, persons: Labels) -> PersonCandidates:
        chosen = np.unique(self.class_of[persons])
        members = np.flatnonzero(np.isin(self.class_of, chosen[chosen >= 0]))
        return PersonCandidates(members, self.truth[members], pairs_within(self.class_of[members]))


@dataclass(frozen=True, eq=False)
class InformedCandidates:
    """The records that the published methods can have produced from the values of a person."""

    attack: InformedAttack
    n_released: int

    def most_persons(self, most_pairs: float) -> int:
        pairs = self.attack.everybody
        return self.attack.n_original if pairs and len(pairs.persons) <= most_pairs else 0

    def candidates(self, persons: Labels) -> PersonCandidates:
        pairs = self.attack.everybody
        assert pairs is not None
        return PersonCandidates(np.arange(self.attack.n_original), np.arange(self.n_released), pairs)


def pairs_within(classes: Labels) -> CandidatePairs:
    """All pairs of places with the same class, sorted by the first."""
    order = np.argsort(classes, kind="stable")
    _, of_place, sizes = np.unique(classes, return_inverse=True, return_counts=True)
    starts, n_partners = (np.cumsum(sizes) - sizes)[of_place], sizes[of_place]
    persons = np.repeat(np.arange(len(classes)), n_partners)
    within = np.arange(len(persons)) - np.repeat(np.cumsum(n_partners) - n_partners, n_partners)
    records = order[np.repeat(starts, n_partners) + within]
    return CandidatePairs(persons, records, np.zeros(len(persons)), len(classes))
