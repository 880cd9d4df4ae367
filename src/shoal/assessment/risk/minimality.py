"""Minimality attack: what merging reveals to somebody who repeats the grouping.

The intruder knows the quasi-identifiers of everybody, the policy and the release, and forms the groups without the
requirements on sensitive values. They see from which parts a group was merged and conclude that parts failed: by cost,
a failing part was merged with its cheapest neighbor, and one whose neighbor was left alone did not fail. Of all ways to
assign ("deal") the values of the group to its records they keep those that explain the merger, and accuse the records
of a part where one value has become more likely than its share of the group. The figure is how often they are right;
the baseline is the confidence of somebody who reads only the class. Of records that were suppressed because their part
failed nothing is released, and the baseline is the share of the most frequent value.

Wong, Fu, Wang & Pei (2007), Minimality attack in privacy preserving data publishing, VLDB.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from shoal.confidence import mean_interval
from shoal.findings import Finding, UnmeasuredFigure
from shoal.kernels import Labels, Vector
from shoal.kernels.combinations import distinct_combinations
from shoal.rng import public_draws, sampled_places

Mask = NDArray[np.bool_]
Fails = Callable[[Labels, Labels], Mask]  # records whose values are dealt, the part of each -> (n_parts,) which fail
Choices = Callable[[Labels], Labels]  # parts -> the part each is merged with if it fails; -1: not known

N_DEALS = 100
MARGIN = 0.03  # of a probability: smaller differences are within the error of N_DEALS
MOST_GROUPS = 2000  # examined; of more, a random sample
MOST_RECORDS = 50_000  # of these groups
MOST_NUMBERS = 2**18  # of deals that are examined at once
MOST_CELLS = 2**22  # parts times different values of a group
FEWEST_PARTS = 30  # of fewer, a share of all or none would reveal their values
MINIMALITY, SUPPRESSED, BLANKED = "minimality", "minimality of the suppressed", "minimality of blanks"
FATES = {MINIMALITY: "merged", SUPPRESSED: "suppressed", BLANKED: "blanked"}


@dataclass(frozen=True)
class Replay:
    """What the intruder has reconstructed, and the true values. Groups consist of whole parts, numbered 0, 1, ..."""

    parts: Labels  # (n_records,) groups without the requirements on sensitive values
    groups: Labels  # (n_records,) groups of the release; -1: suppressed
    choices: Choices | None  # None: a part that fails is merged with its pair
    fails: Fails
    values: Mapping[str, Labels]  # column -> (n_records,) sensitive values; -1: missing

    def accusations(self, name: str, seed: int) -> Accusations | None:
        """Accusations of records of merged groups; None where these are too large or have too many values."""
        if not self.merged_members.size:
            return None if (self.parts_in_groups > 1).any() else NOBODY
        return _accuse_merged(self, self.values[name], np.random.default_rng(seed))

    def accusations_of_suppressed(self, name: str, seed: int) -> Accusations:
        """Each suppressed record is accused of the value that is most frequent in parts that fail."""
        values, known = self.values[name], self.values[name] >= 0
        suppressed, kept = (np.flatnonzero(known & which) for which in (self.groups < 0, self.groups >= 0))
        if not suppressed.size or not kept.size:
            return NOBODY
        part_numbers = np.unique(self.parts[suppressed], return_inverse=True)[1].astype(np.int64)
        examined = sampled_places(int(part_numbers.max()) + 1, MOST_GROUPS, "suppressed parts")
        parts = np.searchsorted(examined, part_numbers[np.isin(part_numbers, examined)])
        generator, tally = np.random.default_rng(seed), np.zeros(int(values.max()) + 1)
        for n_deals in deal_portions(parts.size):
            records = kept[(generator.random((n_deals, parts.size)) * kept.size).astype(np.int64)]
            failing = failing_parts(self.fails, records, parts)[:, parts]
            tally += np.bincount(values[records[failing]], minlength=tally.size)
        baseline = np.bincount(values[kept]).max() / kept.size
        is_correct = values[suppressed] == tally.argmax()
        return Accusations.of(part_numbers, is_correct, np.full(suppressed.size, baseline))

    @cached_property
    def group_of_part(self) -> Labels:
        """(n_parts,) the group that each part belongs to; -1: suppressed."""
        groups = np.full(int(self.parts.max()) + 1, -1, dtype=np.int64)
        groups[self.parts] = self.groups
        return groups

    @cached_property
    def parts_in_groups(self) -> Labels:
        """(n_groups,) number of parts of every group."""
        return np.bincount(self.group_of_part[self.group_of_part >= 0]).astype(np.int64)

    @cached_property
    def merged_members(self) -> Labels:
        """(n_members,) records of merged groups, group by group; of a sample of the groups where they are many."""
        merged = np.flatnonzero(self.parts_in_groups > 1)
        chosen = merged[public_draws("merged groups").permutation(merged.size)[:MOST_GROUPS]]
        sizes = np.bincount(self.groups[self.groups >= 0])
        chosen = chosen[sizes[chosen] <= MOST_RECORDS]
        chosen = chosen[np.cumsum(sizes[chosen]) <= MOST_RECORDS]
        members = np.flatnonzero(np.isin(self.groups, chosen))
        return members[np.argsort(self.groups[members], kind="stable")]

    @cached_property
    def choices_of_merged(self) -> Labels | None:
        """(n_parts,) the part that each part of these groups is merged with if it fails, the same for all columns."""
        return None if self.choices is None else self.choices(np.unique(self.parts[self.merged_members]))


@dataclass(frozen=True, eq=False)
class Accusations:
    """Result of an attack. ``baseline``: mean confidence of somebody who reads only the class. Records of a part are
    dependent, so the parts are the cases."""

    n_records: Labels  # (n_parts,) accused records of every part with any
    n_correct: Labels  # (n_parts,) those whose value was named
    baseline: float

    @classmethod
    def of(cls, parts: Labels, is_correct: Mask, baselines: Vector, n: Labels | None = None) -> Accusations:
        """From single accusations. ``parts``: (m,) the part of each; ``n``: (m,) accused records, by default one."""
        if not parts.size:
            return NOBODY
        weights = np.ones(parts.size, dtype=np.int64) if n is None else n
        own = np.unique(parts, return_inverse=True)[1]
        n_records, n_correct = (np.bincount(own, weights=each) for each in (weights, weights * is_correct))
        return cls(
            n_records.astype(np.int64), n_correct.astype(np.int64), float(np.average(baselines, weights=weights))
        )

    def finding(self, attack: str, name: str) -> Finding | UnmeasuredFigure:
        """``attack``: the attack on merged groups, on suppressed records, or on classes with further blanks."""
        intruder = (
            f"an intruder who repeats the grouping without the requirements on {name} and sees what was {FATES[attack]}"
        )
        if not self.n_records.size:
            return Finding(f"{attack}, {name}", 0.0, f"Nobody can be accused by {intruder}.", baseline=0, unit="%")
        if self.n_records.size < FEWEST_PARTS:
            reason = f"fewer than {FEWEST_PARTS} groups can be accused, and a share of so few could name their {name}."
            return UnmeasuredFigure(f"{attack}, {name}", f"not measured: {reason}", is_private=True)
        n = int(self.n_records.sum())
        low, high = mean_interval(self.n_correct / self.n_records, self.n_records.astype(np.float64))
        return Finding(
            f"{attack}, {name}",
            100 * int(self.n_correct.sum()) / n,
            f"How often {intruder} names the right value, for the {n:,} records that can be accused. "
            "The baseline is the confidence that the release itself gives for the same records.",
            interval=(100 * low, 100 * high),
            baseline=100 * self.baseline,
            unit="%",
        )


NOBODY = Accusations(np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64), 0.0)


def _accuse_merged(replay: Replay, all_values: Labels, generator: np.random.Generator) -> Accusations | None:
    """Accusations from the deals that explain the mergers; None where there are too many values."""
    members = replay.merged_members
    values, groups = all_values[members], np.unique(replay.groups[members], return_inverse=True)[1]
    part_names, parts = np.unique(replay.parts[members], return_inverse=True)
    value_numbers = number_within_groups(groups, values)  # (n_members,) -1: missing
    if part_names.size * (int(value_numbers.max()) + 1) > MOST_CELLS:
        return None
    group_of = np.unique(replay.group_of_part[part_names], return_inverse=True)[1]
    explains = _explanation(replay, part_names, group_of)
    tally = np.zeros((part_names.size, int(value_numbers.max()) + 1))
    for n_deals in deal_portions(max(members.size, tally.size)):
        deals = np.argsort(groups + generator.random((n_deals, members.size)))  # permuted within each group
        kept = [explains(failing)[group_of] for failing in failing_parts(replay.fails, members[deals], parts)]
        tally += tally_of_deals(parts, value_numbers[deals], tally.shape, np.array(kept))
    shares = tally / np.maximum(tally.sum(axis=1, keepdims=True), 1)
    classes = cross_tabulate(groups, value_numbers, (int(groups.max()) + 1, tally.shape[1]))
    baseline = (classes.max(axis=1) / np.maximum(classes.sum(axis=1), 1))[group_of]  # (n_parts,)
    chosen = (shares.max(axis=1) > baseline + MARGIN)[parts] & (value_numbers >= 0)
    is_correct = value_numbers == shares.argmax(axis=1)[parts]
    return Accusations.of(parts[chosen], is_correct[chosen], baseline[parts[chosen]])


def _explanation(replay: Replay, part_names: Labels, group_of: Labels) -> Callable[[Mask], Mask]:
    """A function: (n_parts,) which parts fail -> (n_groups,) whether that explains the merger."""
    n_groups = int(group_of.max()) + 1

    def some(of_parts: Mask) -> Mask:
        return np.bincount(group_of, weights=of_parts, minlength=n_groups) > 0

    choices = replay.choices_of_merged
    if choices is None:
        return some
    chosen_group = np.where(choices >= 0, replay.group_of_part[choices], -1)
    is_merged_with_choice = chosen_group == replay.group_of_part[part_names]
    was_left_alone = (chosen_group >= 0) & ~is_merged_with_choice & (replay.parts_in_groups[chosen_group] == 1)
    may_explain = is_merged_with_choice | ~some(is_merged_with_choice)[group_of]
    return lambda failing: some(failing & may_explain) & ~some(failing & was_left_alone)


def deal_portions(n_numbers: int) -> Iterator[int]:
    """All deals in portions of bounded memory; ``n_numbers``: that each needs."""
    size = min(N_DEALS, max(1, MOST_NUMBERS // max(1, n_numbers)))
    for start in range(0, N_DEALS, size):
        yield min(size, N_DEALS - start)


def failing_parts(fails: Fails, deals: Labels, parts: Labels) -> Mask:
    """(n_deals, n_parts) which parts fail. ``deals``: (n_deals, n_records) those whose values are dealt."""
    n_parts = int(parts.max()) + 1
    return fails(deals.ravel(), _parts_of_deals(parts, len(deals), n_parts)).reshape(len(deals), n_parts)


def tally_of_deals(parts: Labels, values: Labels, shape: tuple[int, int], kept: Mask) -> Vector:
    """(n_parts, n_values) how often each part is dealt each value. ``values``: (n_deals, n_records) the values dealt;
    ``kept``: (n_deals, n_parts) which deals count."""
    n_deals, (n_parts, n_values) = len(values), shape
    rows = _parts_of_deals(parts, n_deals, n_parts)
    of_deals = cross_tabulate(rows, values.ravel(), (n_deals * n_parts, n_values)).reshape(n_deals, *shape)
    tally: Vector = (of_deals * kept[:, :, None]).sum(axis=0)
    return tally


def _parts_of_deals(parts: Labels, n_deals: int, n_parts: int) -> Labels:
    """(n_deals * n_records,) the parts, numbered on from deal to deal."""
    return (np.arange(n_deals)[:, None] * n_parts + parts).ravel()


def number_within_groups(groups: Labels, values: Labels) -> Labels:
    """(n,) values numbered 0, 1, ... within every group; -1 for missing ones."""
    known = values >= 0
    rows, pair = distinct_combinations([groups[known], values[known]], int(known.sum()))
    first = np.searchsorted(groups[known][rows], groups[known])
    numbers = np.full(values.size, -1, dtype=np.int64)
    numbers[known] = pair - first
    return numbers


def cross_tabulate(rows: Labels, columns: Labels, shape: tuple[int, int]) -> Vector:
    """(rows, columns) how often they occur together; entries with a missing column are not counted."""
    known = columns >= 0
    flat = np.bincount(rows[known] * shape[1] + columns[known], minlength=shape[0] * shape[1])
    return flat.reshape(shape).astype(np.float64)
