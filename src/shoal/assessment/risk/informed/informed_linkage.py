"""Linkage by an intruder who holds the quasi-identifiers of the original and knows the published methods.

aligned tables, published methods -> Links

For every person the records that the methods cannot have produced are excluded; of the others the most likely is
chosen. An intruder who holds everybody also knows that a record belongs to one person only (`joint_posterior.py`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from functools import cached_property

import numpy as np

from shoal.assessment.risk.informed.candidate_pairs import CandidatePairs, CandidateSearch
from shoal.assessment.risk.informed.exchange_likelihood import ExchangeLikelihood
from shoal.assessment.risk.informed.informed_tables import InformedTables
from shoal.assessment.risk.informed.joint_posterior import MARGIN, joint_posterior
from shoal.assessment.risk.informed.likelihood_choice import choose_likelihoods
from shoal.assessment.risk.informed.likely_pairs import NARROWEST, likely_pairs
from shoal.assessment.risk.informed.noise_likelihood import NoiseLikelihood
from shoal.assessment.risk.informed.partner_chains import PartnerChains
from shoal.assessment.risk.informed.published_methods import PublishedMethods
from shoal.assessment.table_pair import AlignedTables
from shoal.kernels import Labels
from shoal.linkage.linkage_by_distance import nearest_links
from shoal.linkage.metric import WeightedPoints
from shoal.linkage.record_links import Links

MOST_COMPARED = 20_000_000  # pairs of persons and records, compared by at least one column
MOST_KEPT = 3_000_000  # pairs of which a joint posterior is computed
ONE_BY_ONE = (
    "Informed linkage searched for persons one by one: there are too many likely pairs to use that a record belongs to "
    "one person only. An intruder who uses it may find more."
)
WIDE = 0.6  # share of the records that are possible for a person, from which the likelihoods of partners tell little


@dataclass(frozen=True, eq=False)
class InformedAttack:
    """The attack, prepared: what was published about the ``columns`` that the intruder holds."""

    search: CandidateSearch
    columns: tuple[str, ...]
    n_original: int
    truth: Labels  # (n_original,)
    notes: tuple[str, ...]  # on columns left out, and on true pairs that the published methods exclude

    @classmethod
    def of(
        cls, aligned: AlignedTables, published: PublishedMethods, names: Sequence[str], held: Sequence[str] = ()
    ) -> InformedAttack | str:
        """The reason why it cannot be tried where there is one. ``names``: the columns that are compared; ``held``:
        those that the intruder holds besides, which distinguish nobody."""
        tables = InformedTables.of(aligned, published, (*names, *held))
        if tables is None:
            return "the release does not show the strata in which values were changed"
        choice = choose_likelihoods(tables, names)
        columns = tuple(name for name in names if name in choice.columns)
        left_out = tuple(f"Informed linkage leaves out {name}: {why}." for name, why in choice.left_out.items())
        if not columns:
            return next(iter(choice.left_out.values()))
        n_original, n_released = len(aligned.original), len(aligned.released)
        search = CandidateSearch.of(choice.likelihoods, n_original, n_released)
        notes = (*left_out, *_unfollowed(search), *_contradiction(search, aligned.truth))
        return cls(search, columns, n_original, aligned.truth, notes)

    @property
    def most_persons(self) -> int:
        """Persons who can be searched for within the limit on compared pairs; all where a tree finds the nearest."""
        return self.n_original if self._nearest else int(MOST_COMPARED / self._window_size)

    @property
    def _window_size(self) -> float:
        return max(1.0, self.search.window.mean_size)

    @property
    def _nearest(self) -> NoiseLikelihood | None:
        """The likelihood of all columns together, if the most likely record is the nearest one."""
        first = self.search.likelihoods[0]
        alone = len(self.search.likelihoods) == 1 and isinstance(first, NoiseLikelihood) and first.is_complete
        return first if alone and isinstance(first, NoiseLikelihood) else None

    @property
    def _exchange(self) -> ExchangeLikelihood | None:
        """That of columns whose values were swapped, if there are some."""
        return next((each for each in self.search.likelihoods if isinstance(each, ExchangeLikelihood)), None)

    @cached_property
    def everybody(self) -> CandidatePairs | None:
        """The pairs of all persons with the logarithm of their joint posterior; None where there are too many."""
        can_search = self.n_original * self._window_size <= MOST_COMPARED  # else it would take too long to narrow
        batches = self.search.batches(np.arange(self.n_original))
        kept = likely_pairs(batches, MOST_KEPT, MARGIN, NARROWEST if can_search else MARGIN)
        return joint_posterior(kept, len(self.search.window.order), self._exchange) if kept else None

    def links(self, persons: Labels) -> Links:
        """``persons``: records of the original, ascending."""
        truth, done = self.truth[persons], 0
        nearest = self._nearest_if_many(persons)
        if nearest:
            points = WeightedPoints.unscaled(nearest.white_persons[persons], nearest.white_records)
            return nearest_links(points, truth)
        joint = self.everybody if len(persons) == self.n_original else None
        if joint:
            return joint.links(truth)
        single = list[Links]()
        for batch in self.search.batches(persons):
            single.append(batch.links(truth[done : done + batch.n_persons]))
            done += batch.n_persons
        return _joined(single)

    def link_notes(self, persons: Labels) -> tuple[str, ...]:
        """A note where everybody is searched for, but not all together."""
        if len(persons) < self.n_original or (not self._nearest_if_many(persons) and self.everybody):
            return ()
        return (ONE_BY_ONE,)

    def _nearest_if_many(self, persons: Labels) -> NoiseLikelihood | None:
        return self._nearest if len(persons) * self._window_size > MOST_COMPARED else None


def _joined(parts: Sequence[Links]) -> Links:
    """Links of different persons, one part after the other."""
    return Links(*(np.concatenate([getattr(part, each.name) for part in parts]) for each in fields(Links)))


def _unfollowed(search: CandidateSearch) -> tuple[str, ...]:
    """A note where values were swapped over most of a column in a file too large for chains of partners."""
    kinds = {type(each) for each in search.likelihoods}
    is_wide = search.window.mean_size > WIDE * len(search.window.order)
    if ExchangeLikelihood not in kinds or PartnerChains in kinds or not is_wide:
        return ()
    return (
        "Informed linkage: values may have been swapped over most of a column, and the file is too large to follow "
        "chains of partners. An intruder who follows them may find nearly everybody.",
    )


def _contradiction(search: CandidateSearch, truth: Labels) -> tuple[str, ...]:
    """A note where a method cannot have produced the record that is said to be the person's."""
    persons = np.flatnonzero(truth >= 0)
    total = sum((each.log_ratios(persons, truth[persons]) for each in search.likelihoods), np.zeros(len(persons)))
    n = int(np.count_nonzero(np.isneginf(total)))
    if not n:
        return ()
    return (
        f"Informed linkage: {n:,} of {len(persons):,} true pairs cannot come from the published methods. Is this the "
        "policy of the release?",
    )
