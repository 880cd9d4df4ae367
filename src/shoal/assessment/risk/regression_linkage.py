"""Linkage by an intruder who learns from the release how other columns depend on quasi-identifiers.

aligned tables -> LearnedLinks

k-anonymity says that a class shows k records, and not which is whose; a perturbed value says roughly whose. A column
that depends on a quasi-identifier, such as the year of birth on the age, an income on age and education, or a weight on
the stratum, tells such records apart, although its values are shared by many and nobody needs to know them. The
dependence is learned from the release alone, by a regression (`regression_posterior.py`) and by tables
(`value_tables.py`); the stronger attack counts, and is stated where it finds more than the same intruder without these
columns. Rounding or a little noise of such a column does not hide what it tells, so changed columns are used as well.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cached_property

import numpy as np

from shoal.assessment.risk.informed.informed_linkage import InformedAttack
from shoal.assessment.risk.informed.published_methods import PublishedMethods
from shoal.assessment.risk.learned_pairs import LearnedPairs
from shoal.assessment.risk.positions import positions_of
from shoal.assessment.risk.regression_candidates import CandidateSource, ClassCandidates, InformedCandidates
from shoal.assessment.risk.ridge_regression import explained_share
from shoal.assessment.table_pair import AlignedTables
from shoal.confidence import is_beyond_chance
from shoal.encode.codes import has_codes
from shoal.kernels import Labels, Vector
from shoal.linkage.linkage_risk import Linkage
from shoal.linkage.record_links import Links

MOST_NUMBERS = 6_000_000  # pairs of a person and a record times coordinates
LEAST_EXPLAINED = 0.02  # share of the variance of a column that is said to depend on quasi-identifiers
TYPICAL_WIDTH = 2  # coordinates of a column that depends on others
ROLES = ("other", "sensitive", "weight")  # of columns that may depend on quasi-identifiers


@dataclass(frozen=True, eq=False)
class LearnedLinks:
    links: Links
    chances_without: Vector  # (n_persons,) of the same persons to be found without the dependent columns
    explained: Mapping[str, float]  # share of the variance of each of these that quasi-identifiers explain, most first


@dataclass(frozen=True, eq=False, kw_only=True)
class LearnedLinkage(Linkage):
    """Linkage by an intruder who learned how columns depend on quasi-identifiers; see ``LearnedLinks``."""

    chances_without: Vector
    explained: Mapping[str, float]

    @property
    def risk_without(self) -> float:
        """Share of the known persons who are found without the dependent columns."""
        return float((self.weights * self.chances_without).sum() / self.weights.sum())

    @property
    def dependent(self) -> tuple[str, ...]:
        """The columns that depend on quasi-identifiers more than a little, the most dependent first."""
        return tuple(name for name, share in self.explained.items() if share >= LEAST_EXPLAINED) or tuple(
            self.explained
        )


@dataclass(frozen=True, eq=False)
class RegressionAttack:
    """The attack, prepared. ``dependent``: the columns that may depend on the quasi-identifiers."""

    aligned: AlignedTables
    dependent: tuple[str, ...]
    source: CandidateSource

    @classmethod
    def of(
        cls,
        aligned: AlignedTables,
        held: Sequence[str],
        published: PublishedMethods | None,
        informed: InformedAttack | None = None,
    ) -> RegressionAttack | None:
        """By an intruder who holds the columns ``held``; None where there is nothing to learn. ``informed``: that on a
        release without classes."""
        dependent = tuple(dependent_columns(aligned, published))
        if not dependent or not set(held).issuperset(aligned.schema.quasi_identifiers):
            return None
        if shows_classes(aligned, published):
            return cls(aligned, dependent, ClassCandidates(aligned.truth, classes_of(aligned)))
        if informed and published and published.grouping == "none":
            return cls(aligned, dependent, InformedCandidates(informed, len(aligned.released)))
        return None

    @property
    def most_persons(self) -> int:
        """Persons who can be searched for within the limit on work."""
        return self.source.most_persons(MOST_NUMBERS / (TYPICAL_WIDTH * len(self.dependent)))

    @cached_property
    def of_everybody(self) -> LearnedPairs:
        return self._learned(np.flatnonzero(self.aligned.truth >= 0))

    def _learned(self, persons: Labels) -> LearnedPairs:
        chosen, aligned = self.source.candidates(persons), self.aligned
        tables = aligned.as_read.take(chosen.persons), aligned.released.take(chosen.records)
        names = aligned.schema.quasi_identifiers, self.dependent
        truth = positions_of(chosen.records, aligned.truth[chosen.persons])
        return LearnedPairs.of(chosen, tables, aligned.schema, names, truth)

    def links(self, persons: Labels) -> LearnedLinks | None:
        """None where no more are found than without the dependent columns, beyond what chance explains. ``persons``:
        records of the original."""
        is_everybody = len(persons) == len(self.aligned.original)
        learned = self.of_everybody if is_everybody else self._learned(persons)
        if not learned.posteriors:
            return None
        chosen, truth = learned.chosen, learned.truth
        without = chosen.pairs.links(truth)
        found = max((each.links(truth) for each in learned.posteriors), key=lambda links: float(links.chances.sum()))
        at = positions_of(chosen.persons, persons)
        chances, chances_without = (np.where(at >= 0, each.chances[at], 0.0) for each in (found, without))
        if not is_beyond_chance(chances - chances_without):
            return None
        explained = self._explained(learned)
        return LearnedLinks(_of_persons(found, at, chosen.records), chances_without, explained)

    def _explained(self, learned: LearnedPairs) -> Mapping[str, float]:
        """What the quasi-identifiers explain of each dependent column, by the true pairs; most first."""
        paired = np.flatnonzero(learned.truth >= 0)
        known = learned.persons.only(paired).coordinates(self.aligned.schema.quasi_identifiers, ranks=True)
        shown = learned.records.only(learned.truth[paired])
        shares = {name: explained_share(known, shown.coordinates([name])) for name in self.dependent}
        for table in learned.tables:
            shares[table.column] = max(shares[table.column], table.explained)
        return dict(sorted(shares.items(), key=lambda item: -item[1]))


def _of_persons(found: Links, at: Labels, records: Labels) -> Links:
    """The links of the persons at some places, to records of the release; at -1 nobody is found."""
    taken = Links(*(getattr(found, each.name)[at] for each in fields(Links)))
    linked = np.where((at >= 0) & (taken.records >= 0), records[taken.records], -1)
    return Links(linked, taken.measures, taken.n_ties, np.where(at >= 0, taken.chances, 0.0))


def shows_classes(aligned: AlignedTables, published: PublishedMethods | None) -> bool:
    """Whether an intruder finds the class of a person. Where it is not known how values were changed, extents and
    unchanged values must contain the person."""
    names = aligned.schema.quasi_identifiers
    if published is None:
        return bool(aligned.by_extents) and set(aligned.by_containment).issuperset(names)
    is_drawn = any(published.applied_to(name) for name in names)
    return not is_drawn and not published.blanks


def dependent_columns(aligned: AlignedTables, published: PublishedMethods | None) -> list[str]:
    """Columns besides quasi-identifiers that show something of their person, however they were changed: all but those
    whose values were permuted within classes."""
    shown = set(aligned.released.column_names) - set(published.permuted if published else ())
    return [
        column.name
        for column in aligned.schema.columns
        if column.name in shown and column.role in ROLES and has_codes(aligned.released[column.name].type)
    ]


def classes_of(aligned: AlignedTables, names: Sequence[str] | None = None) -> Labels:
    """(n_original,) the class of the record that a person became, by columns of the release (default: the
    quasi-identifiers); -1 where there is none."""
    classes = aligned.classes_on(aligned.schema.quasi_identifiers if names is None else names)
    return np.where(aligned.truth >= 0, classes[aligned.truth], -1).astype(np.int64)
