"""The laws of a requirement that a user wrote, and the search for counterexamples among random groups.

    monotone       of two groups that hold, the union holds
    alone          the answer for a group does not depend on the other groups
    least_records  no smaller group holds

The groups are drawn in batches of different sizes, numbers of values and skewness, always the same ones; all pairs of a
batch that hold are merged. That none is a counterexample is no proof: a search that relies on these laws says so in its
certificate.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from shoal.errors import RuleError
from shoal.kernels import Ints
from shoal.requirements.groups import Groups
from shoal.requirements.user_requirement import UserRequirement

N_GROUPS = 1_000  # random groups
BATCH = 50  # groups that are asked for together
SIZES = (4, 12, 40, 200, 2_000)  # largest sizes of groups
SKEWNESS = (0.3, 1.0, 10.0, 100.0)  # concentrations of the shares: from one value each to all alike
MOST_VALUES = 8


def random_groups() -> Iterator[Groups]:
    """``N_GROUPS`` groups in batches."""
    from scipy.sparse import csr_array

    chance = np.random.default_rng(0)
    for at in range(N_GROUPS // BATCH):
        n_values = int(chance.integers(1, MOST_VALUES + 1))
        overall = chance.dirichlet(np.ones(n_values))
        skewness = SKEWNESS[at % len(SKEWNESS)]
        shares = chance.dirichlet(np.maximum(n_values * skewness * overall, 1e-3), BATCH)
        totals = chance.integers(1, SIZES[at % len(SIZES)] + 1, BATCH)
        known = totals - chance.binomial(totals, 0.1 * (at % 3 == 0))
        counts = chance.multinomial(known, shares)
        whole = counts.sum(axis=0) + chance.multinomial(10 * int(known.sum()), overall)
        yield Groups(totals, csr_array(counts), whole)


def unions(groups: Groups, one: Ints, other: Ints) -> Groups:
    """(n_pairs,) the groups ``one[i]`` and ``other[i]`` merged."""
    counts = None if groups.counts is None else groups.counts[one] + groups.counts[other]
    return replace(groups, totals=groups.totals[one] + groups.totals[other], counts=counts)


def check_laws(requirement: UserRequirement) -> None:
    """Raises RuleError with the first counterexample."""
    _check_statements(requirement)
    for drawn in random_groups():
        groups = drawn if requirement.column else Groups(drawn.totals)
        held = _answer(requirement, groups)
        _check_size(requirement, groups, held)
        _check_alone(requirement, groups, held)
        if requirement.monotone:
            _check_monotone(requirement, groups, np.flatnonzero(held))


def _check_statements(requirement: UserRequirement) -> None:
    cls = type(requirement)
    if not isinstance(getattr(cls, "monotone", None), bool):
        raise RuleError.no_monotone(requirement.name, getattr(cls, "monotone", None))
    if requirement.reads not in ("counts", "order"):
        raise RuleError.cannot_read(requirement.name, requirement.reads)


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


def _check_monotone(requirement: UserRequirement, groups: Groups, holding: Ints) -> None:
    """All pairs of the groups that hold."""
    one, other = (holding[at] for at in np.triu_indices(len(holding), 1))
    if not one.size:
        return
    both = unions(groups, one, other)
    found = np.flatnonzero(~_answer(requirement, both))
    if found.size:
        at = int(found[0])
        whole = "" if groups.whole is None else f", in a table with counts {groups.whole.tolist()}"
        shown = [_shown(groups, int(one[at])), _shown(groups, int(other[at])), _shown(both, at)]
        raise RuleError.not_monotone(requirement.name, shown[0], shown[1], shown[2], whole)


def _shown(groups: Groups, at: int) -> str:
    counts = "" if groups.counts is None else f" with counts {groups.counts[[at]].toarray()[0].tolist()}"
    n = int(groups.totals[at])
    return f"{n:,} {'record' if n == 1 else 'records'}{counts}"
