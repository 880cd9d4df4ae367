"""Linkage of whole households by an intruder who knows the method.

informed attack, households that the release shows -> Links

A released household number, or a pseudonym, shows which records belong together, and who holds the original knows
their households. What little each member tells adds up: a household is compared with all released ones of its size, by
the sum over all assignments of its members (`member_posterior.py`). Where everybody is searched for, a released
household belongs to one household only (`joint_posterior.py`). A person is linked to the record whose posterior, that
of the household times that of the member, is highest.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields
from functools import cached_property

import numpy as np

from shoal.assessment.risk.informed.candidate_pairs import BATCH_SIZE, TIE, CandidatePairs
from shoal.assessment.risk.informed.informed_linkage import MOST_COMPARED, MOST_KEPT, InformedAttack
from shoal.assessment.risk.informed.joint_posterior import MARGIN, joint_posterior
from shoal.assessment.risk.informed.likelihood import Likelihood
from shoal.assessment.risk.informed.member_posterior import MemberPosterior, Ratios
from shoal.assessment.risk.informed.shown_households import MOST_MEMBERS, HouseholdsOfSize, ShownHouseholds
from shoal.assessment.table_pair import AlignedTables
from shoal.kernels import Labels
from shoal.linkage.record_links import Links


@dataclass(frozen=True, eq=False)
class HouseholdAttack:
    """``shared``: likelihoods of columns in which all members of a household have one value, drawn once; ``are_units``:
    whether the households are those that methods change as one."""

    informed: InformedAttack
    households: ShownHouseholds
    shared: frozenset[Likelihood]
    are_units: bool

    @classmethod
    def of(cls, aligned: AlignedTables, informed: InformedAttack) -> HouseholdAttack | None:
        """None where the release does not show which records belong together."""
        households = ShownHouseholds.of(aligned)
        if households is None:
            return None
        shared = (
            each
            for each in informed.search.likelihoods
            if each.columns and all(aligned.schema[name].level == "household" for name in each.columns)
        )
        unit = aligned.schema.unit
        return cls(informed, households, frozenset(shared), unit is not None and unit.name == households.column)

    @property
    def columns(self) -> tuple[str, ...]:
        return self.informed.columns

    @property
    def most_persons(self) -> int:
        """Persons whose households can be compared within the limit on compared pairs."""
        by_size = self.households.by_size
        if sum(len(each.originals) * each.n_compared for each in by_size) <= MOST_COMPARED:
            return self.informed.n_original
        of_persons = sum(each.originals.size * each.n_compared for each in by_size) / self.informed.n_original
        return int(MOST_COMPARED / of_persons)

    @cached_property
    def notes(self) -> tuple[str, ...]:
        n, n_shown = self.informed.n_original, self.households.n_shown(self.informed.truth)
        if n_shown == n:
            return ()
        return (
            f"Households linkage does not find {n - n_shown:,} of {n:,} persons: the release does not show their "
            f"household ({self.households.column}) with the same members, or it has more than {MOST_MEMBERS}.",
        )

    def links(self, persons: Labels) -> Links:
        """``persons``: records of the original, ascending."""
        n = self.informed.n_original
        nobody = np.zeros(n, dtype=np.int64)
        found = Links(np.full(n, -1, dtype=np.int64), np.zeros(n), nobody, np.zeros(n))
        is_known = np.isin(np.arange(n), persons, assume_unique=True)
        for households in self.households.by_size:
            wanted = households.originals[is_known[households.originals].any(axis=1)]
            for members, pairs in self._matched(households, wanted, are_all=len(persons) == n):
                of_members = self._member_pairs(households, members, pairs).links(self.informed.truth[members.ravel()])
                for each in fields(Links):
                    getattr(found, each.name)[members.ravel()] = getattr(of_members, each.name)
        return Links(*(getattr(found, each.name)[persons] for each in fields(Links)))

    def _matched(
        self, households: HouseholdsOfSize, wanted: Labels, *, are_all: bool
    ) -> Iterator[tuple[Labels, CandidatePairs]]:
        """Households of the original, with the released ones that may hold the most likely record of a member: a member
        has one whose posterior is 1 / size or more, so no other household that is less likely by this factor does."""
        margin = float(np.log(households.size)) + TIE
        batches = self._batches(households, wanted)
        if are_all:
            kept = _within_limit(batch.taken(batch.are_near_best(MARGIN)) for _, batch in batches)
            if kept is not None:
                joint = joint_posterior(kept, len(households.released))
                yield from _cut(wanted, joint.taken(joint.are_near_best(margin)), households.size)
                return
            batches = self._batches(households, wanted)
        for members, batch in batches:
            yield from _cut(members, batch.taken(batch.are_near_best(margin)), households.size)

    def _batches(self, households: HouseholdsOfSize, wanted: Labels) -> Iterator[tuple[Labels, CandidatePairs]]:
        """``wanted`` piece by piece, each with all released households that it can be."""
        step, n_released = max(1, BATCH_SIZE // households.n_compared), len(households.released)
        for start in range(0, len(wanted), step):
            members = wanted[start : start + step]
            ours, theirs = (each.ravel() for each in np.indices((len(members), n_released)))
            ratios = MemberPosterior(self._ratios(members[ours], households.released[theirs])).log_sums
            possible = ratios > -np.inf
            yield members, CandidatePairs(ours[possible], theirs[possible], ratios[possible], len(members))

    def _member_pairs(self, households: HouseholdsOfSize, members: Labels, pairs: CandidatePairs) -> CandidatePairs:
        """Pairs of a member and a record, with the logarithm of the posterior, from pairs of households. Members are
        numbered as in the raveled ``members``."""
        ours, theirs, size = members[pairs.persons], households.released[pairs.records], households.size
        posteriors = MemberPosterior(self._ratios(ours, theirs)).posteriors
        numbers = pairs.persons[:, None, None] * size + np.arange(size)[:, None] + np.zeros(size, dtype=np.int64)
        records = np.broadcast_to(theirs[:, None, :], posteriors.shape)
        kept = np.flatnonzero(posteriors > 0)
        order = kept[np.argsort(numbers.ravel()[kept], kind="stable")]
        with np.errstate(divide="ignore"):
            logs = (pairs.log_ratios[:, None, None] + np.log(posteriors)).ravel()
        return CandidatePairs(numbers.ravel()[order], records.ravel()[order], logs[order], members.size)

    def _ratios(self, ours: Labels, theirs: Labels) -> Ratios:
        """(n_pairs, size, size) log ratios of all members and records of pairs of households. A value that a household
        shares counts once, not once for every member."""
        n, size = ours.shape
        persons, records = np.repeat(ours, size, axis=1).ravel(), np.tile(theirs, (1, size)).ravel()
        total = np.zeros((n, size, size))
        for likelihood in self.informed.search.likelihoods:
            ratios = likelihood.log_ratios(persons, records).reshape(total.shape)
            total += ratios / size if likelihood in self.shared else ratios
            fit = likelihood.members_fit(ours, theirs) if self.are_units else None
            if fit is not None:
                total[~fit] = -np.inf
        return total


def _within_limit(batches: Iterator[CandidatePairs]) -> CandidatePairs | None:
    """All batches as one; None where these are too many pairs."""
    kept, n_kept = list[CandidatePairs](), 0
    for batch in batches:
        kept.append(batch)
        n_kept += len(batch.persons)
        if n_kept > MOST_KEPT:
            return None
    return CandidatePairs.concat(kept) if kept else None


def _cut(members: Labels, pairs: CandidatePairs, size: int) -> Iterator[tuple[Labels, CandidatePairs]]:
    """Pairs of households in pieces of bounded memory; those of a household are in one piece."""
    ends = np.cumsum(np.bincount(pairs.persons, minlength=len(members)))  # (n_households,)
    start = done = 0
    while start < len(members):
        stop = max(start + 1, int(np.searchsorted(ends, done + BATCH_SIZE // size**2, "right")))
        piece = slice(done, int(ends[stop - 1]))
        within = pairs.persons[piece] - start, pairs.records[piece], pairs.log_ratios[piece]
        yield members[start:stop], CandidatePairs(*within, stop - start)
        start, done = stop, int(ends[stop - 1])
