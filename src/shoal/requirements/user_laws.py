"""The laws of a requirement that a user wrote, and the search for counterexamples among random groups.

    monotone       of two groups that hold, the union holds
    alone          the answer for a group does not depend on the other groups
    least_records  no smaller group holds

The groups are drawn in batches of different sizes, numbers of values and skewness, always the same ones. That none is a
counterexample is no proof: a search that relies on these laws says so in its certificate.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from shoal.errors import RuleError
from shoal.kernels import Ints
from shoal.requirements.groups import Groups
from shoal.requirements.user_requirement import UserRequirement

N_GROUPS = 1_000  # random groups, each divided in two
BATCH = 50  # groups that are asked for together
SIZES = (4, 12, 40, 200, 2_000)  # largest sizes of parts
SKEWNESS = (0.3, 1.0, 10.0, 100.0)  # concentrations of the shares: from one value each to all alike
MOST_VALUES = 8


@dataclass(frozen=True)
class Mergers:
    """Groups that are each divided in two parts."""

    one: Groups
    other: Groups
    both: Groups


def random_mergers() -> Iterator[Mergers]:
    """``N_GROUPS`` groups in batches."""
    chance = np.random.default_rng(0)
    for at in range(N_GROUPS // BATCH):
        n_values = int(chance.integers(1, MOST_VALUES + 1))
        overall = chance.dirichlet(np.ones(n_values))
        skewness = SKEWNESS[at % len(SKEWNESS)]
        shares = chance.dirichlet(np.maximum(n_values * skewness * overall, 1e-3), 2 * BATCH)
        totals = chance.integers(1, SIZES[at % len(SIZES)] + 1, 2 * BATCH)
        known = totals - chance.binomial(totals, 0.1 * (at % 3 == 0))
        counts = chance.multinomial(known, shares)
        whole = counts.sum(axis=0) + chance.multinomial(10 * int(known.sum()), overall)
        yield Mergers(
            _groups(totals[:BATCH], counts[:BATCH], whole),
            _groups(totals[BATCH:], counts[BATCH:], whole),
            _groups(totals[:BATCH] + totals[BATCH:], counts[:BATCH] + counts[BATCH:], whole),
        )


def _groups(totals: Ints, counts: Ints, whole: Ints) -> Groups:
    from scipy.sparse import csr_array

    return Groups(totals, csr_array(counts), whole)


def check_laws(requirement: UserRequirement) -> None:
    """Raises RuleError with the first counterexample."""
    _check_statements(requirement)
    for mergers in random_mergers():
        some = mergers if requirement.column else _without_values(mergers)
        held = [_answer(requirement, groups) for groups in (some.one, some.other, some.both)]
        for groups, answer in zip((some.one, some.other, some.both), held, strict=True):
            _check_size(requirement, groups, answer)
            _check_alone(requirement, groups, answer)
        if requirement.monotone:
            _check_monotone(requirement, some, *held)


def _check_statements(requirement: UserRequirement) -> None:
    cls = type(requirement)
    if not isinstance(getattr(cls, "monotone", None), bool):
        raise RuleError.no_monotone(requirement.name, getattr(cls, "monotone", None))
    if requirement.reads not in ("counts", "order"):
        raise RuleError.cannot_read(requirement.name, requirement.reads)


def _without_values(mergers: Mergers) -> Mergers:
    return Mergers(*(Groups(groups.totals) for groups in (mergers.one, mergers.other, mergers.both)))


def _answer(requirement: UserRequirement, groups: Groups) -> NDArray[np.bool_]:
    where = f"{requirement.name}.holds"
    try:
        answer = requirement.holds(groups)
    except RuleError as error:
        if isinstance(error.__cause__, Exception):
            raise RuleError.failed(where, error.__cause__) from error.__cause__
        raise
    if not isinstance(answer, np.ndarray) or answer.dtype != np.bool_ or answer.shape != (groups.n_groups,):
        got = f"{answer.dtype} {answer.shape}" if isinstance(answer, np.ndarray) else type(answer).__name__
        raise RuleError.wrong_answer(where, f"a bool array ({groups.n_groups},), one for every group", got)
    return answer


def _check_size(requirement: UserRequirement, groups: Groups, held: NDArray[np.bool_]) -> None:
    least = requirement.least_records
    small = np.flatnonzero(held & (groups.totals < (least or 0)))
    if least is not None and small.size:
        raise RuleError.too_few_hold(requirement.name, least, _shown(groups, int(small[0])))


def _check_alone(requirement: UserRequirement, groups: Groups, held: NDArray[np.bool_]) -> None:
    """Every third of the groups in the other order: the same answers."""
    some = np.arange(groups.n_groups)[::-3]
    counts = None if groups.counts is None else groups.counts[some]
    if not np.array_equal(_answer(requirement, replace(groups, totals=groups.totals[some], counts=counts)), held[some]):
        raise RuleError.depends_on_others(f"{requirement.name}.holds", "a group")


def _check_monotone(
    requirement: UserRequirement,
    mergers: Mergers,
    one: NDArray[np.bool_],
    other: NDArray[np.bool_],
    both: NDArray[np.bool_],
) -> None:
    found = np.flatnonzero(one & other & ~both)
    if found.size:
        one_text, other_text, both_text = (
            _shown(groups, int(found[0])) for groups in (mergers.one, mergers.other, mergers.both)
        )
        whole = mergers.both.whole
        of_table = "" if whole is None else f", in a table with counts {whole.tolist()}"
        raise RuleError.not_monotone(requirement.name, one_text, other_text, both_text, of_table)


def _shown(groups: Groups, at: int) -> str:
    counts = "" if groups.counts is None else f" with counts {groups.counts[[at]].toarray()[0].tolist()}"
    n = int(groups.totals[at])
    return f"{n:,} {'record' if n == 1 else 'records'}{counts}"
