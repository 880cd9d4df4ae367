"""Attribute disclosure by an intruder who learns from the release how sensitive values depend on quasi-identifiers.

aligned tables -> attacks on sensitive columns

The classes of a release, or the groups of an anatomy, show which values occur among some persons, and not whose each
is. Where values depend on what is known of the persons, the intruder assigns them (`regression_posterior.py`), and
guesses the value, or the interval of a number, that is then most likely. The attack is stated where it is right more
often than the best guess of the class.

Of large releases a random sample of persons is guessed, each with everybody in their class: the same share is
estimated, with an interval. What is learned, is learned from the classes of these persons.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache

import numpy as np
import pyarrow as pa

from shoal.assessment.risk.attack import Attack
from shoal.assessment.risk.attribute_attacks import INTERVAL, RIGHT
from shoal.assessment.risk.attribute_disclosure import ClassValues
from shoal.assessment.risk.informed.candidate_pairs import CandidatePairs
from shoal.assessment.risk.informed.joint_posterior import scaled_posterior
from shoal.assessment.risk.informed.published_methods import PublishedMethods
from shoal.assessment.risk.learned_pairs import LearnedPairs
from shoal.assessment.risk.positions import positions_of
from shoal.assessment.risk.regression_candidates import ClassCandidates, PersonCandidates
from shoal.assessment.risk.regression_linkage import (
    MOST_NUMBERS,
    TYPICAL_WIDTH,
    RegressionAttack,
    classes_of,
    dependent_columns,
    shows_classes,
)
from shoal.assessment.risk.sensitive_distribution import SensitiveValues
from shoal.assessment.table_pair import AlignedTables
from shoal.confidence import is_beyond_chance, mean_interval
from shoal.encode.codes import has_codes
from shoal.encode.combination_counts import count_combinations
from shoal.findings import Finding, UnmeasuredFigure
from shoal.kernels import Labels, Vector

LEARNER = "somebody who learns from the release how values depend on others"
HOLDS = "the quasi-identifiers of everybody, and their classes"
FEWEST_PERSONS = 100  # for a usable estimate
MOST_PERSONS = 50_000  # whose values are guessed


def regression_attribute_attacks(
    aligned: AlignedTables,
    published: PublishedMethods | None,
    group: str | None = None,
    linkage: RegressionAttack | None = None,
) -> tuple[Attack, ...]:
    """``group``: the column of groups of an anatomy, in the release. ``linkage``: by the same columns, where it was
    tried."""
    names = [name for name in aligned.schema.sensitive if has_codes(aligned.original[name].type)]
    if not names or not (group or shows_classes(aligned, published)):
        return ()
    source = ClassCandidates(aligned.truth, classes_of(aligned, (group,) if group else None))
    most = source.most_persons(MOST_NUMBERS / (TYPICAL_WIDTH * len(names)))
    if most < FEWEST_PERSONS and most < len(aligned.original):
        return tuple(Attack("attribute", LEARNER, HOLDS, _unmeasured(name)) for name in names)
    released = np.flatnonzero(aligned.truth >= 0)
    drawn = np.random.default_rng(0).permutation(released)[: min(most, MOST_PERSONS)]
    persons = np.sort(drawn)
    if linkage and not group and len(drawn) == len(released):
        learned = linkage.of_everybody
        return tuple(_attacks(aligned, published, learned.chosen, persons, names, learned, separate=False))
    chosen = source.candidates(persons)
    return tuple(_attacks(aligned, published, chosen, persons, names, separate=group is not None))


def _attacks(
    aligned: AlignedTables,
    published: PublishedMethods | None,
    chosen: PersonCandidates,
    persons: Labels,
    names: Sequence[str],
    learned: LearnedPairs | None = None,
    *,
    separate: bool,
) -> Iterator[Attack]:
    """``learned``: by all dependent columns, where it is known. ``separate``: the sensitive columns are
    in a table of their own, in which those of one person are in one row."""
    schema, at = aligned.schema, np.searchsorted(chosen.persons, persons)
    other = [c.name for c in schema.columns if c.role == "other"] if separate else []
    before, as_read = (table.take(chosen.persons) for table in (aligned.original, aligned.as_read))
    linked = names if separate else dependent_columns(aligned, published)
    shown = _shown(aligned, (*linked, *names))
    after = shown.take(chosen.records)
    uniform = scaled_posterior(chosen.pairs, len(chosen.records))

    @cache
    def learned_by(columns: tuple[str, ...]) -> LearnedPairs:
        if learned is not None and columns == tuple(linked):
            return learned
        known = (*schema.quasi_identifiers, *other)
        true_places = positions_of(chosen.records, aligned.truth[chosen.persons])
        return LearnedPairs.of(chosen, (as_read, after), schema, (known, columns), true_places)

    for name in names:
        posteriors = learned_by(tuple(linked) if name in linked else (name,)).posteriors
        values = SensitiveValues.of(schema[name], count_combinations(shown, [name]))
        if not posteriors or values.n_values < 2:
            continue
        truth, codes = values.codes_of(before[name]), values.codes_of(after[name])
        without, *by_learning = (_right(values, each, codes, truth)[at] for each in (uniform, *posteriors))
        found = max(by_learning, key=lambda right: float(right.sum()))
        if is_beyond_chance(found - without):
            yield _attack(values, found, without, int((aligned.truth >= 0).sum()))


def _shown(aligned: AlignedTables, names: Sequence[str]) -> pa.Table:
    """Columns next to the records; sensitive ones of an anatomy as its second table shows them for their groups."""
    released = set(aligned.released.column_names)
    separate = {name: aligned.of_released(aligned.original[name]) for name in names if name not in released}
    return pa.table({name: separate[name] if name in separate else aligned.released[name] for name in names})


def _right(values: SensitiveValues, pairs: CandidatePairs, codes: Labels, truth: Labels) -> Vector:
    """(n_persons,) whether the most likely guess holds the person's value. ``codes``: of the records."""
    known = codes[pairs.records] >= 0
    persons, chances = pairs.persons[known], np.exp(pairs.log_ratios[known])
    guessed, firsts = ClassValues.of(persons, codes[pairs.records[known]], chances, values).best_guesses
    first = np.full(pairs.n_persons, values.n_values, dtype=np.int64)
    first[guessed] = firsts
    last = np.append(values.last_of_guess, -1)[first]
    right: Vector = ((truth >= first) & (truth <= last)).astype(np.float64)
    return right


def _attack(values: SensitiveValues, found: Vector, without: Vector, n_all: int) -> Attack:
    name, n = values.column.name, len(found)
    drawn = " drawn at random" if n < n_all else ""
    low, high = mean_interval(found, None, n_all)
    guess = INTERVAL if values.guesses_intervals else "one value"
    figure = Finding(
        f"{RIGHT} {name}, regression",
        100 * float(found.mean()),
        f"Share of {n:,} persons{drawn} whose {name} is guessed by naming {guess}, after learning from the release "
        f"how it depends on what is known of them; the class alone gives {100 * without.mean():.4g} %. The baseline "
        "is the same guess for the whole table.",
        interval=None if n == n_all else (100 * low, 100 * high),
        baseline=100 * float(values.prior.max()),
        unit="%",
    )
    return Attack("attribute", LEARNER, HOLDS, figure, is_over_all=True)


def _unmeasured(name: str) -> UnmeasuredFigure:
    return UnmeasuredFigure(f"{RIGHT} {name}, regression", "not measured: too many records are possible for a person")
