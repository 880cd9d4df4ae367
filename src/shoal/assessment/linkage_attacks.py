"""Linkage attacks that are tried on every release, within limits on the work.

In large tables a random sample of persons is searched for, but always in the whole release, so that the same risk is
estimated and only its confidence interval widens. Of all attacks the strongest is the linkage risk of the release.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
import pyarrow as pa

from shoal import progress
from shoal.assessment.risk.attack import Attack
from shoal.assessment.risk.containment import link_by_extents
from shoal.assessment.risk.informed.household_linkage import HouseholdAttack
from shoal.assessment.risk.informed.informed_linkage import InformedAttack
from shoal.assessment.risk.informed.published_methods import PublishedMethods
from shoal.assessment.risk.regression_linkage import LearnedLinkage, RegressionAttack
from shoal.assessment.table_pair import AlignedTables
from shoal.errors import LinkageError
from shoal.findings import Findings, UnmeasuredFigure
from shoal.kernels import Labels, Vector
from shoal.linkage.blocking_options import BlockingOptions, all_pairs_notes, unknown_keys
from shoal.linkage.intruder import Intruder
from shoal.linkage.link_tables import as_quasi_identifiers, household_numbers, link_tables, person_weights
from shoal.linkage.linkage_risk import Linkage
from shoal.linkage.linkage_tables import check_single_values
from shoal.linkage.record_links import Links
from shoal.schema import Schema

MEASURES = ("distance", "probabilistic", "rank", "extents", "informed", "households", "regression")
MOST_PERSONS = 25_000
MOST_PAIRS = 20_000_000  # compared one by one
MOST_SEARCHED = 5_000_000_000  # persons times records, searched by a tree
MOST_COORDINATES = 200_000_000_000  # of these: with many categories a tree hardly helps, and every one is compared
MOST_CONTAINMENT_CHECKS = 50_000_000  # persons times classes, compared with each other
FEWEST_PERSONS = 100  # for a usable estimate; not tried where these need more than ten times MOST_PAIRS
SAMPLING_KEY = 1  # spawn key for the sample, from the seed of the intruder
INTRUDERS = {
    "distance": "somebody who takes the nearest record",
    "probabilistic": "somebody who weighs agreements and disagreements",
    "rank": "somebody who takes the record of the nearest ranks",
    "extents": "somebody who keeps the records that contain the person",
    "informed": "somebody who knows the method and its parameters",
    "households": "somebody who knows the method and sees which records belong together",
    "regression": "somebody who learns from the release which columns depend on others",
}
FURTHER_KNOWLEDGE = {
    "informed": ", and the policy",
    "households": ", who belongs together, and the policy",
    "regression": ", and their classes",
}
HIDDEN_GROUPS = "Informed linkage was not tried: groups depend on sensitive values or on the key."
TOO_LARGE = "{} linkage was not tried: the release is too large. Try shoal link --blocking."
HOUSEHOLDS_TOO_LARGE = (
    "Households linkage was not tried: too many are of the same size. The release shows which records belong together, "
    "so who compares whole households may find more persons than any linkage here."
)
DEPENDENT = (
    "Records that look alike can be distinguished, because released columns depend on quasi-identifiers "
    "({}): who learns this from the release finds more persons. Make them quasi-identifiers, or drop them."
)
NO_POLICY = UnmeasuredFigure("linked persons, informed", "not measured: needs --policy, which names the methods")


@dataclass(frozen=True)
class LinkageAttacks:
    linkages: Mapping[str, Linkage]  # by measure
    notes: tuple[str, ...] = ()
    regression: RegressionAttack | None = None  # where it was tried

    @property
    def findings(self) -> Findings:
        return Findings(
            tuple(
                replace(finding, name=f"{finding.name}, {by}")
                for by, linkage in self.linkages.items()
                for finding in linkage.findings
            )
        )

    @property
    def attacks(self) -> tuple[Attack, ...]:
        """One for every measure. Its figure is among the findings, too."""
        found = self.findings
        return tuple(
            Attack("linkage", INTRUDERS[by], _holds(by, linkage), found[f"linked persons, {by}"], is_over_all=True)
            for by, linkage in self.linkages.items()
        )


def _holds(by: str, linkage: Linkage) -> str:
    further = FURTHER_KNOWLEDGE.get(by, "")
    return f"{', '.join(linkage.columns)} of {len(linkage.persons):,} persons{further}"


def unmeasured_attack(columns: Sequence[str]) -> Attack:
    """The attack by an intruder who knows the methods, where no policy tells these."""
    return Attack("linkage", INTRUDERS["informed"], f"{', '.join(columns)}, and the policy", NO_POLICY)


def linkage_attacks(
    aligned: AlignedTables,
    intruder: Intruder,
    columns: Sequence[str],
    measures: Sequence[str] = MEASURES,
    most_persons: int = MOST_PERSONS,
    published: PublishedMethods | None = None,
    blocking: Sequence[BlockingOptions] = (),
) -> LinkageAttacks:
    """The attacks of an intruder who knows ``columns``; columns that distinguish nobody are left out. ``published``:
    how values were changed, for the intruder who knows it; None: not known here. ``blocking``: by which distance, rank
    and probabilistic linkage select the pairs that they compare; empty: all pairs."""
    for name in columns:
        if name not in aligned.schema:
            raise LinkageError.unknown_column(name, aligned.schema.names)
        check_single_values(name, aligned.original, aligned.single_valued)
    varying = [name for name in columns if _varies(aligned.original[name])]
    known = [name for name in varying if any(_is_comparable(aligned, name, by) for by in measures)]
    notes = [
        f"{name}: does not distinguish persons, so linkage leaves it out." for name in columns if name not in known
    ]
    if not known:
        return LinkageAttacks({}, (*notes, "Linkage was not tried: no column is left that an intruder could compare."))
    linkages, regression = {}, None
    persons = intruder.known_persons(len(aligned.original))
    for attempt in _attempts(aligned, intruder, (known, columns), measures, published, blocking):
        notes += attempt.notes
        limit = min(most_persons, attempt.most_persons)
        if not limit or attempt.link is None:
            notes.append(attempt.reason_untried)
            continue
        sampled = replace(intruder, columns=(), persons=tuple(_draw_persons(persons, limit, intruder.seed).tolist()))
        with progress.stage(f"{attempt.by} linkage", 0):
            found = attempt.link(sampled)
        regression = attempt.regression or regression
        if found is None:
            continue
        if limit < len(persons):
            notes.append(f"{attempt.title} was tried for {limit:,} persons drawn at random, who represent all.")
        linkages[attempt.by] = replace(found, n_population=len(persons))
        notes += [*_blocking_notes(attempt, found), *found.notes]
    return LinkageAttacks(linkages, tuple(notes), regression)


def _blocking_notes(attempt: _Attempt, linkage: Linkage) -> Iterator[str]:
    if linkage.blocking is not None and linkage.blocking.recall is not None:
        yield (
            f"{attempt.title} searched within the blocks of [linkage.blocking], which keep "
            f"{100 * linkage.blocking.recall:.4g} % of the true pairs: nobody else can be found so."
        )


@dataclass(frozen=True, eq=False)
class _Attempt:
    """A linkage that may be tried.

    most_persons    persons who can be searched for within the limits on work; 0: not tried
    reason_untried  what a note says then
    """

    by: str
    most_persons: int
    link: Callable[[Intruder], Linkage | None] | None
    reason_untried: str
    notes: tuple[str, ...] = ()
    regression: RegressionAttack | None = None

    @property
    def title(self) -> str:
        return f"{self.by.capitalize()} linkage"


def _attempts(
    aligned: AlignedTables,
    intruder: Intruder,
    names: tuple[Sequence[str], Sequence[str]],
    measures: Sequence[str],
    published: PublishedMethods | None,
    blocking: Sequence[BlockingOptions],
) -> Iterator[_Attempt]:
    """``names``: of the columns that distinguish persons, and of all that the intruder holds."""
    varying, held = names
    everybody = intruder.known_persons(len(aligned.original))
    informed: InformedAttack | None = None
    for by in measures:
        if by == "regression":
            yield from _regression_attempts(aligned, intruder, held, published, informed)
            continue
        known = [name for name in varying if _is_comparable(aligned, name, by)]
        if by == "extents":
            known = _contained_columns(aligned, known, intruder)
        if by == "informed":
            if known and published and published.add_knowledge(known):
                prepared = _informed_attack(aligned, intruder, known, held, published)
                informed = prepared if isinstance(prepared, InformedAttack) else None
                yield _informed_attempt(aligned, prepared)
            elif published and published.grouping == "hidden":
                yield _Attempt(by, 0, None, HIDDEN_GROUPS)
            continue
        if by == "households":
            if known and published and published.grouping != "hidden":
                prepared = informed or _informed_attack(aligned, intruder, known, held, published)
                yield from _household_attempts(aligned, intruder, prepared)
            continue
        if known:
            keys, untried = as_quasi_identifiers(aligned.schema, known), TOO_LARGE.format(by.capitalize())
            if by == "extents":
                yield _Attempt(by, _most_persons(by, aligned), partial(_link_by_extents, aligned, keys), untried)
                continue
            unknown = unknown_keys(blocking, known)
            link = partial(_link_by_values, aligned, keys, by, () if unknown else blocking, everybody)
            yield _Attempt(by, _most_persons(by, aligned, known), link, untried, all_pairs_notes(by, unknown))


def _contained_columns(aligned: AlignedTables, known: Sequence[str], intruder: Intruder) -> list[str]:
    """Those that an intruder compares by extents: not where all are released as they are, nor such a column of which
    they know numbers only roughly."""
    extents = [name for name in known if name in aligned.by_extents]
    return [name for name in known if name in extents or name not in intruder.precision] if extents else []


def _informed_attack(
    aligned: AlignedTables, intruder: Intruder, names: Sequence[str], held: Sequence[str], published: PublishedMethods
) -> InformedAttack | str:
    """The reason why it cannot be tried where there is one."""
    exact = not any(name in intruder.precision for name in names)
    return InformedAttack.of(aligned, published, names, held) if exact else "the intruder knows numbers only roughly"


def _informed_attempt(aligned: AlignedTables, attack: InformedAttack | str) -> _Attempt:
    if isinstance(attack, str):
        return _Attempt("informed", 0, None, f"Informed linkage was not tried: {attack}.")
    fits = 2 * attack.most_persons >= FEWEST_PERSONS
    limit = max(FEWEST_PERSONS, attack.most_persons) if fits else 0
    link = partial(_link_informed, aligned, attack)
    return _Attempt("informed", limit, link, "Informed linkage was not tried: the release is too large.", attack.notes)


def _household_attempts(
    aligned: AlignedTables, intruder: Intruder, informed: InformedAttack | str
) -> Iterator[_Attempt]:
    """For an intruder who knows everybody, and so who belongs together."""
    n = len(aligned.original)
    if isinstance(informed, str) or len(intruder.known_persons(n)) < n:
        return
    attack = HouseholdAttack.of(aligned, informed)
    if attack:
        fits = 10 * attack.most_persons >= FEWEST_PERSONS
        limit = max(FEWEST_PERSONS, attack.most_persons) if fits else 0
        link = partial(_link_informed, aligned, attack)
        yield _Attempt("households", limit, link, HOUSEHOLDS_TOO_LARGE, attack.notes)


def _regression_attempts(
    aligned: AlignedTables,
    intruder: Intruder,
    held: Sequence[str],
    published: PublishedMethods | None,
    informed: InformedAttack | None,
) -> Iterator[_Attempt]:
    """For an intruder who knows the quasi-identifiers of everybody exactly."""
    n, by = len(aligned.original), "regression"
    if intruder.precision or len(intruder.known_persons(n)) < n:
        return
    attack = RegressionAttack.of(aligned, held, published, informed)
    if attack:
        fits = attack.most_persons >= min(n, FEWEST_PERSONS // 2)
        limit = max(FEWEST_PERSONS, attack.most_persons) if fits else 0
        link = partial(_link_by_regression, aligned, attack)
        reason = "Regression linkage was not tried: too many records are possible for a person."
        yield _Attempt(by, limit, link, reason, regression=attack)


def _link_by_values(
    aligned: AlignedTables,
    known: Schema,
    by: str,
    blocking: Sequence[BlockingOptions],
    everybody: Labels,
    intruder: Intruder,
) -> Linkage:
    tables, rules = (aligned.original, aligned.single_valued, aligned.truth, aligned.schema), blocking or None
    return link_tables(*tables, known, intruder, by=by, blocking=rules, seed=intruder.seed, everybody=everybody)


def _link_by_extents(aligned: AlignedTables, known: Schema, intruder: Intruder) -> Linkage:
    return link_by_extents(aligned, intruder, known)


def _link_by_regression(aligned: AlignedTables, attack: RegressionAttack, intruder: Intruder) -> Linkage | None:
    """None where it finds no more than without the columns that depend on quasi-identifiers."""
    persons = intruder.known_persons(len(aligned.original))
    found = attack.links(persons)
    if found is None:
        return None
    facts = _facts(aligned, persons, aligned.schema.quasi_identifiers, found.links)
    linkage = LearnedLinkage(*facts, chances_without=found.chances_without, explained=found.explained)
    return replace(linkage, notes=(DEPENDENT.format(", ".join(linkage.dependent)),))


def _link_informed(aligned: AlignedTables, attack: InformedAttack | HouseholdAttack, intruder: Intruder) -> Linkage:
    persons = intruder.known_persons(len(aligned.original))
    facts = _facts(aligned, persons, attack.columns, attack.links(persons))
    return Linkage(*facts, notes=attack.link_notes(persons) if isinstance(attack, InformedAttack) else ())


Facts = tuple[Labels, Labels, Links, Vector, Labels | None, int, int, tuple[str, ...], None]  # the fields of a Linkage


def _facts(aligned: AlignedTables, persons: Labels, names: tuple[str, ...], links: Links) -> Facts:
    original, roles = aligned.original, aligned.schema
    weights, households = person_weights(original, roles, persons), household_numbers(original, roles, persons)
    return persons, aligned.truth[persons], links, weights, households, len(aligned.released), 1, names, None


def _varies(column: pa.ChunkedArray[Any]) -> bool:
    """Whether a column tells some persons from others."""
    return len(column.unique()) > 1 and column.null_count < len(column)


def _is_comparable(aligned: AlignedTables, name: str, by: str) -> bool:
    """Whether a measure can use a column: sets of several values cannot be compared, but contain a person or not."""
    if by == "extents" and name not in aligned.by_containment:
        return False
    as_released = by == "extents" or (by in ("informed", "households") and name in aligned.by_extents)
    released = (aligned.released if as_released else aligned.single_valued)[name]
    return released.null_count < len(released)


def _most_persons(by: str, aligned: AlignedTables, known: Sequence[str] = ()) -> int:
    """How many persons can be searched for by the columns ``known`` within the limits; 0 where these are too few for an
    estimate."""
    if by in ("distance", "rank"):
        n_coordinates = _n_coordinates(aligned, known) if by == "distance" else 1
        per_record = min(MOST_SEARCHED, MOST_COORDINATES // max(1, n_coordinates))
        return min(MOST_PERSONS, max(FEWEST_PERSONS, per_record // max(1, len(aligned.released))))
    if by == "extents":
        n_classes = 1 + int(aligned.classes_on(aligned.schema.quasi_identifiers).max(initial=0))
        return min(MOST_PERSONS, max(FEWEST_PERSONS, MOST_CONTAINMENT_CHECKS // n_classes))
    n_released = len(aligned.released)
    is_feasible = FEWEST_PERSONS * n_released <= 10 * MOST_PAIRS
    return max(FEWEST_PERSONS, MOST_PAIRS // n_released) if is_feasible else 0


def _n_coordinates(aligned: AlignedTables, known: Sequence[str]) -> int:
    """About: one for a number, one for every value of a category without order."""
    columns = [aligned.schema[name] for name in known]
    return sum(len(aligned.original[c.name].unique()) if c.kind == "nominal" else 1 for c in columns)


def _draw_persons(persons: Labels, limit: int, seed: int) -> Labels:
    if limit >= len(persons):
        return persons
    generator = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(SAMPLING_KEY,)))
    return np.sort(generator.choice(persons, limit, replace=False))
