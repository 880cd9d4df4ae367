"""Plans of several key sets and strata beside each other: what they release together, and plans searched for that.

A plan holds by itself, but the records that another one suppresses are missing from its classes, and from the whole
that these are compared with. What all of them release together is therefore judged once more, until nothing changes.
Where too little is left, plans are searched in turn: each for the records that the others keep, and compared with
these. That is no search of all plans at once, so it may miss some; its number of searches is limited.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from shoal.encode.count_table import CountTable
from shoal.engines.protocol import F
from shoal.errors import PolicyError, RequirementError
from shoal.kernels import Labels
from shoal.methods.generalization.generalization_method import GeneralizationMethod
from shoal.pipeline.protect.fitted_table import FittedTable
from shoal.pipeline.protect.key_set_counts import KeySetCounts, by_column, joint_counts
from shoal.pipeline.protect.plan_report import Plan
from shoal.pipeline.protect.strata import GROUPS_OF_A_BLOCK, Strata
from shoal.plan import CutTree, Partition
from shoal.plan.limit import is_above, most_within
from shoal.requirements.judge import keep_until_stable, requirement_checker, sensitive_domains
from shoal.requirements.requirement import requirement_names
from shoal.schema import Schema

Planned = list[tuple[KeySetCounts, dict[int, Plan]]]  # for every key set: stratum -> its plan
Trees = Sequence[tuple[KeySetCounts, Mapping[int, CutTree]]]  # for every key set: stratum -> its cut tree
MOST_SEARCHES = 60  # in turn
N_ROUNDS = 2  # in each of which all plans are searched


def beside_each_other(
    original: FittedTable[F], method: GeneralizationMethod, strata: Strata, found: Planned
) -> Planned:
    """The plans with what they release together."""
    n_strata = strata.sizes.size
    is_whole = all(len(plans) == n_strata for _, plans in found)  # no stratum is left out
    if is_whole and all((plan.totals == plan.counted).all() for _, plans in found for plan in plans.values()):
        return found
    if len(found) == 1 == n_strata:
        return found
    counts = _joint_counts(original, method, strata, [key for key, _ in found])
    trees = [(key, {stratum: plan.tree for stratum, plan in plans.items()}) for key, plans in found]
    totals_of = released(counts, trees, strata.stratum_of(counts.combinations))
    together = [
        (key, {stratum: replace(plan, totals=totals[stratum]) for stratum, plan in plans.items()})
        for (key, plans), totals in zip(found, totals_of, strict=True)
    ]
    if method.issues_certificates:  # each says which blocks are suppressed
        for (key, alone), (_, plans) in zip(found, together, strict=True):
            if any(((plans[at].totals > 0) != (alone[at].totals > 0)).any() for at in plans):
                raise RequirementError.fail_together(requirement_names(key.key_set.requirements))
    return together


def _joint_counts(
    original: FittedTable[F], method: GeneralizationMethod, strata: Strata, keys: Sequence[KeySetCounts]
) -> CountTable:
    """Counts of the combinations of all columns that these key sets read."""
    if len(keys) == 1:
        return keys[0].counts
    by_unit = keys[0].unit is not None
    return joint_counts(original, [key.key_set for key in keys], method, strata, by_unit=by_unit)


def released(counts: CountTable, planned: Trees, stratum_of: Labels) -> Iterator[dict[int, Labels]]:
    """For every key set: stratum -> (n_blocks,) number of released records. A block is released entirely or not at all,
    but for what other key sets suppress. ``stratum_of``: (n_rows,) of each row of ``counts``."""
    kept, blocks = _kept(counts, planned, stratum_of)
    for (_, trees), number in zip(planned, blocks, strict=True):
        totals = dict[int, Labels]()
        for stratum, tree in trees.items():
            rows = np.flatnonzero(kept & (stratum_of == stratum))
            own = number[rows] - stratum * GROUPS_OF_A_BLOCK
            totals[stratum] = np.bincount(own, weights=counts.n[rows], minlength=tree.n_blocks).astype(np.int64)
        yield totals


def _kept(
    counts: CountTable, planned: Trees, stratum_of: Labels, waiting: Sequence[set[int]] = ()
) -> tuple[NDArray[np.bool_], list[Labels]]:
    """(n_rows,) The rows whose blocks hold beside each other, and for every key set (n_rows,) the blocks. ``waiting``:
    for every key set the strata without a plan that keep all records; other strata without a plan keep none."""
    checks, blocks, exempt = [], [], []
    among = np.ones(len(counts), dtype=bool)
    for at, (key_counts, trees) in enumerate(planned):
        about_records = [wanted for wanted in key_counts.key_set.requirements if wanted.reads != "extents"]
        whole, persons = key_counts.whole, counts.persons
        checker = requirement_checker(counts.combinations, about_records, whole, counts.n, persons=persons)
        number = np.full(len(counts), -1, dtype=np.int64)
        for stratum, tree in trees.items():
            rows = np.flatnonzero(stratum_of == stratum)
            number[rows] = stratum * GROUPS_OF_A_BLOCK + tree.block_of(counts.combinations.take(rows))
        exempt.append(np.isin(stratum_of, list(waiting[at])) if waiting else np.zeros(len(counts), dtype=bool))
        among &= (number >= 0) | exempt[-1]
        checks.append((checker, Partition(np.unique(number, return_inverse=True)[1])))
        blocks.append(number)
    return keep_until_stable(checks, len(counts), among, exempt), blocks


def in_turn(
    original: FittedTable[F],
    methods: Sequence[GeneralizationMethod],
    keys: Sequence[KeySetCounts],
    strata: Strata,
) -> Planned:
    """Plans of searches in turn: the first that the policy allows to release, else the last. ``methods``: of every key
    set. Which is searched first matters, so each is once, in as many tries as the number of searches allows."""
    parts = [(at, stratum) for at, key in enumerate(keys) for stratum, _ in key.by_stratum()]
    n_tries = min(len(parts), MOST_SEARCHES // (N_ROUNDS * max(len(parts), 1)))
    if not n_tries:
        raise RequirementError.fail_together(requirement_names(original.plan.requirements))
    counts = _joint_counts(original, methods[0], strata, keys)
    budgeted = [method.with_share(1 / (N_ROUNDS * n_tries)) for method in methods]
    limit, stratum_of = original.plan.suppression_limit, strata.stratum_of(counts.combinations)
    for first in range(n_tries):
        turns = _Turns(original.schema, counts, stratum_of, keys, budgeted, most_within(counts.n_records, limit))
        turns.waiting = [{stratum for of, stratum in parts if of == at} for at in range(len(keys))]
        for _ in range(N_ROUNDS):
            for at, stratum in (*parts[first:], *parts[:first]):
                turns.search(at, stratum)
            totals = list(released(counts, turns.planned, stratum_of))
            n_released = sum(int(each.sum()) for each in totals[0].values())
            if n_released and not is_above(counts.n_records - n_released, counts.n_records, limit):
                return turns.plans(totals)
    return turns.plans(totals)


@dataclass(eq=False)
class _Turns:
    """The cut trees so far, for every key set by stratum."""

    schema: Schema
    counts: CountTable  # of all key sets and strata
    stratum_of: Labels  # (n_rows,) of these
    keys: Sequence[KeySetCounts]
    methods: Sequence[GeneralizationMethod]
    most: int  # records that may be suppressed in all
    trees: list[dict[int, CutTree]] = field(init=False)
    waiting: list[set[int]] = field(init=False)  # strata that were not searched yet

    def __post_init__(self) -> None:
        self.trees = [{} for _ in self.keys]

    @property
    def planned(self) -> Trees:
        return list(zip(self.keys, self.trees, strict=True))

    def search(self, at: int, stratum: int) -> None:
        """Searches the plan of a key set and a stratum anew; none where no part of it holds."""
        key, counts = self.keys[at], self.counts
        self.trees[at].pop(stratum, None)
        self.waiting[at].add(stratum)
        kept, _ = _kept(counts, self.planned, self.stratum_of, self.waiting)
        self.waiting[at].discard(stratum)
        left = replace(counts, n=np.where(kept, counts.n, 0)).only(self.stratum_of == stratum)
        if not left.n_records:
            return
        left = left.by([name for name in key.counts.names if name not in key.strata.names])
        n_lost = counts.n_records - int(counts.n[kept].sum())
        method = self.methods[at]
        share = min(method.suppression, max(self.most - n_lost, 0) / left.n_records)
        whole = sensitive_domains(self.schema, key.key_set.requirements, by_column(counts, kept))
        with suppress(PolicyError):
            own = method.suppressing(share)
            self.trees[at][stratum] = own.cut(left, key.schema, key.key_set.requirements, whole)

    def plans(self, totals: Sequence[Mapping[int, Labels]]) -> Planned:
        """``totals``: for every key set by stratum, (n_blocks,) the released records."""
        return [
            (key, {at: Plan(of[at], own[at], each.of_records) for at, each in key.by_stratum() if at in of})
            for key, of, own in zip(self.keys, self.trees, totals, strict=True)
        ]
