"""Which likelihood belongs to which column, by the methods that the policy publishes for it.

A column is left out, and the reason said, where its method depends on more than the intruder holds or where several
random methods changed it one after the other.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial, singledispatch
from itertools import takewhile

import numpy as np

from shoal.assessment.risk.containment import Containment
from shoal.assessment.risk.informed.data_swap_likelihood import DataSwapLikelihood
from shoal.assessment.risk.informed.equality_likelihood import EqualityLikelihood
from shoal.assessment.risk.informed.exchange_likelihood import ExchangedColumn, ExchangeLikelihood
from shoal.assessment.risk.informed.extent_likelihood import ExtentLikelihood
from shoal.assessment.risk.informed.informed_tables import InformedTables
from shoal.assessment.risk.informed.likelihood import Likelihood, MissingCells
from shoal.assessment.risk.informed.noise_likelihood import NoiseLikelihood
from shoal.assessment.risk.informed.partner_chains import PartnerChains
from shoal.assessment.risk.informed.rank_swap_likelihood import RankSwapLikelihood
from shoal.assessment.risk.informed.record_swap_likelihood import RecordSwapLikelihood
from shoal.assessment.risk.informed.rounding_likelihood import RoundingLikelihood
from shoal.assessment.risk.informed.shift_likelihood import ShiftLikelihood
from shoal.assessment.risk.informed.transition_likelihood import TransitionLikelihood
from shoal.kernels import Labels
from shoal.methods.perturbation import DataSwap, DateShift, Noise, Pram, RankSwap, RecordSwap, Rounding
from shoal.methods.perturbation.perturbation_method import PerturbationMethod, nodes_under
from shoal.schema.time_unit import units_of_a_day

Found = tuple[Likelihood, ...]

SEVERAL_METHODS = "several methods changed it one after the other"
NOT_MODELED = "its method has no likelihood that an intruder could compute"
TOO_MANY_VALUES = "it has too many values for the matrix of every stratum"
PERTURBED_CLASSES = "values were changed at random before classes were formed"
REGROUPED = "its method reads values that were changed at random before"
NO_HOUSEHOLDS = "its method changed households as one, which the release does not show"
NOT_HELD = "its method reads columns that the intruder does not hold"


@dataclass(frozen=True, eq=False)
class LikelihoodChoice:
    likelihoods: Found
    left_out: Mapping[str, str]  # reasons, by column

    @property
    def columns(self) -> tuple[str, ...]:
        return tuple(name for likelihood in self.likelihoods for name in likelihood.columns)


def choose_likelihoods(tables: InformedTables, names: Sequence[str]) -> LikelihoodChoice:
    """Likelihoods of the quasi-identifiers ``names``, which the intruder holds."""
    choose = _of_values if tables.published.grouping == "none" else _of_classes
    chosen = choose(tables, names)
    found = (*_of_strata(tables), *chosen.likelihoods)
    return LikelihoodChoice((*found, *_of_exchanges(tables, found)), chosen.left_out)


def _of_exchanges(tables: InformedTables, found: Found) -> Found:
    """Of columns whose values were swapped between pairs of records; it comes last, since it asks all others. Partners
    of partners count where ranks limit who they are."""
    by_rank = [each.columns[0] for each in found if isinstance(each, RankSwapLikelihood)]
    at_random = [each.columns[0] for each in found if isinstance(each, DataSwapLikelihood)]
    if not by_rank and not at_random:
        return ()
    columns = [ExchangedColumn.of(tables, name) for name in (*by_rank, *at_random)]
    exchange = ExchangeLikelihood.of(columns, found, 1 if at_random else 2)
    chains = PartnerChains.of(columns, found)
    return tuple(each for each in (chains, exchange if exchange.exchanged else None) if each is not None)


def _of_strata(tables: InformedTables) -> Found:
    """A record of another stratum cannot be the person's. Its columns are not counted as known ones of their own."""
    if not tables.published.within:
        return ()
    persons, records = tables.strata
    return (EqualityLikelihood((), persons, np.where(records < 0, persons.max() + 1, records), _complete(tables)),)


def _of_classes(tables: InformedTables, names: Sequence[str]) -> LikelihoodChoice:
    """Of a release whose method forms classes: classes formed again, or else the extents that contain a value."""
    published, aligned = tables.published, tables.aligned
    random = {name: [m for m in published.applied_to(name) if not m.is_replayable] for name in names}
    if published.grouping == "replayable" and not any(random.values()):
        if not tables.holds_all(None):
            return LikelihoodChoice((), dict.fromkeys(names, NOT_HELD))
        return LikelihoodChoice((EqualityLikelihood(tuple(names), *tables.classes(names), _complete(tables)),), {})
    extents = [name for name in names if name in aligned.by_extents and not random[name]]
    left_out = {name: PERTURBED_CLASSES for name in names if name not in extents}
    found = tuple(
        ExtentLikelihood(
            (name,), Containment.of(tables.schema[name], tables.expected[name], aligned.released[name], aligned.truth)
        )
        for name in extents
    )
    return LikelihoodChoice(found, left_out)


def _of_values(tables: InformedTables, names: Sequence[str]) -> LikelihoodChoice:
    """Of a release that shows the value of every record."""
    found: list[Likelihood] = []
    reasons: dict[str, str] = {}
    of_methods: dict[tuple[PerturbationMethod, bool], list[str]] = {}
    for name in names:
        methods = tables.published.applied_to(name)
        reason = _reason_left_out(methods, tables)
        if reason:
            reasons[name] = reason
        elif method := next(iter(_random(methods)), None):
            of_methods.setdefault((method, tables.schema[name].level == "household"), []).append(name)
        else:
            found.append(EqualityLikelihood((name,), *tables.labels(name), tables.missing(name)))
    for (method, _), changed in of_methods.items():
        chosen = likelihoods_of(method, tables, changed)
        found += chosen
        reasons |= dict.fromkeys(set(changed) - {name for each in chosen for name in each.columns}, TOO_MANY_VALUES)
    return LikelihoodChoice(tuple(found), reasons)


def _random(methods: Iterable[PerturbationMethod]) -> list[PerturbationMethod]:
    return [method for method in methods if not method.is_replayable and not method.imputes]


def _reason_left_out(methods: Sequence[PerturbationMethod], tables: InformedTables) -> str:
    """The reason why a column is left out; empty where it is not. Methods that move values among records give the same
    result before and after single values are coded or rounded; for others, and after values were imputed, only rounding
    may follow."""
    random, imputing = _random(methods), [method for method in methods if method.imputes]
    if any(method.groups_columns and not tables.holds_all(method.columns) for method in methods):
        return NOT_HELD
    if not all(tables.holds_all(method.columns_read(tables.schema)) for method in methods):
        return NOT_HELD
    if not all(tables.shows_households_of(method) for method in methods):
        return NO_HOUSEHOLDS
    if any(method.groups_columns and _reads_random_values(method, tables) for method in methods):
        return REGROUPED
    if not random:
        later = methods[methods.index(imputing[0]) + 1 :] if imputing else ()
        return "" if all(method.rounds_values or method.imputes for method in later) else SEVERAL_METHODS
    if likelihoods_of.dispatch(type(random[0])) is likelihoods_of.dispatch(PerturbationMethod):
        return NOT_MODELED
    later = methods[methods.index(random[0]) + 1 :]
    fits = all(not m.groups_columns and (random[0].moves_values or m.rounds_values) for m in later)
    alone = len(random) == 1 and not imputing
    return "" if alone and fits else SEVERAL_METHODS


def _reads_random_values(method: PerturbationMethod, tables: InformedTables) -> bool:
    """Whether a column that the method reads was changed at random before it."""
    names = tables.schema.quasi_identifiers if method.columns is None else method.columns
    before = [takewhile(lambda other: other is not method, tables.published.applied_to(name)) for name in names]
    return any(not other.is_replayable for methods in before for other in methods)


def _complete(tables: InformedTables) -> MissingCells:
    """Of labels that are known for everybody."""
    n, n_released = len(tables.expected), len(tables.aligned.released)
    return MissingCells(np.zeros(n, dtype=np.bool_), np.zeros(n_released, dtype=np.bool_))


@singledispatch
def likelihoods_of(method: PerturbationMethod, tables: InformedTables, names: Sequence[str]) -> Found:
    """Of the columns ``names`` that a random method changed. None of a method that has no likelihood."""
    return ()


@likelihoods_of.register
def _(method: RankSwap, tables: InformedTables, names: Sequence[str]) -> Found:
    return tuple(RankSwapLikelihood.of(tables.numbers(name), method) for name in names)


@likelihoods_of.register
def _(method: Noise, tables: InformedTables, names: Sequence[str]) -> Found:
    return (NoiseLikelihood.of([tables.numbers(name) for name in names], method),)


@likelihoods_of.register
def _(method: Pram, tables: InformedTables, names: Sequence[str]) -> Found:
    of_column = partial(TransitionLikelihood.of, method=method, strata=tables.strata[0])
    found = (of_column(*tables.coded(name), column=tables.schema[name]) for name in names)
    return tuple(likelihood for likelihood in found if likelihood is not None)


@likelihoods_of.register
def _(method: DataSwap, tables: InformedTables, names: Sequence[str]) -> Found:
    return tuple(
        DataSwapLikelihood(
            (name,), method.rate, *tables.labels(name), _nodes(tables, name, method), tables.missing(name)
        )
        for name in names
    )


@likelihoods_of.register
def _(method: RecordSwap, tables: InformedTables, names: Sequence[str]) -> Found:
    return (RecordSwapLikelihood.of(tables, method, names),)


@likelihoods_of.register
def _(method: Rounding, tables: InformedTables, names: Sequence[str]) -> Found:
    return tuple(RoundingLikelihood.of(tables.numbers(name), method) for name in names)


@likelihoods_of.register
def _(method: DateShift, tables: InformedTables, names: Sequence[str]) -> Found:
    units = [units_of_a_day(tables.expected[name].type) for name in names]
    return (ShiftLikelihood.of([tables.numbers(name) for name in names], units, method),)


def _nodes(tables: InformedTables, name: str, method: DataSwap) -> Labels:
    """(n_labels,) the node within which each value is exchanged; one for all without a level."""
    if method.level is None:
        return np.zeros(max(int(labels.max(initial=0)) for labels in tables.labels(name)) + 1, dtype=np.int64)
    return nodes_under(method.name, tables.schema[name], tables.coded(name)[1], method.level).astype(np.int64)
