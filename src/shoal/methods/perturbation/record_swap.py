"""Targeted record swapping: households at risk are exchanged with similar households of another region.

arrays of one block -> the region of every record

Shlomo, Tudor & Groom (2010), "Data swapping for protecting census tables", Privacy in Statistical Databases.

A household is at risk if a member shares its values on the keys with fewer than ``k`` persons of its region, itself
included. Households at risk, the rarest first, exchange their region with a household of another region that has as
many members and agrees on the ``similar`` columns, drawn with equal probability among those not yet swapped. If there
is none, the search is repeated without the last similar column, and so on; the number of members always agrees. At
least a share ``rate`` of all households is swapped; those not at risk are drawn at random.

So every region keeps its number of households of every size, and of persons; no other values change.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import ClassVar, Literal

import numpy as np
import pyarrow as pa
from numpy.typing import ArrayLike, NDArray

from shoal import kernels
from shoal.encode.codes import to_codes
from shoal.errors import PerturbationError, PolicyError
from shoal.kernels import Ints, Labels
from shoal.kernels.combinations import number_combinations
from shoal.methods.microaggregation.household_groups import HouseholdGroups
from shoal.methods.perturbation.perturbation_method import (
    EVERY,
    PerturbationMethod,
    as_codes,
    rng_from_seed,
    take_values,
)
from shoal.rng import RandomStream, Rng
from shoal.schema import Schema


@dataclass(frozen=True)
class RecordSwaps:
    """The swaps that were made.

    source      the record whose region each record receives, (n_records,)
    at_risk     whether the household of the record was at risk, (n_records,)
    n_unpaired  households at risk without a partner in another region
    """

    source: Ints
    at_risk: NDArray[np.bool_]
    n_unpaired: int


def record_swap(
    regions: ArrayLike,
    households: ArrayLike,
    keys: Sequence[ArrayLike],
    *,
    similar: Sequence[ArrayLike] = (),
    k: int = 3,
    rate: float = 0.0,
    seed: int = 0,
) -> RecordSwaps:
    """Swaps between regions. All columns are codes; ``source`` is the record whose region each record receives."""
    rule = RecordSwap(region="region", k=k, rate=rate)
    codes = [as_codes(column) for column in (regions, households, *keys, *similar)]
    for column in codes[1:]:
        if len(column) != len(codes[0]):
            raise PerturbationError.other_lengths("regions", len(codes[0]), "another column", len(column))
    keyed, same_profile = codes[2 : 2 + len(keys)], codes[2 + len(keys) :]
    return rule.swaps(
        codes[0], HouseholdGroups.of(codes[1]), keyed, same_profile, rng_from_seed(seed).for_purpose(rule.name)
    )


@dataclass(frozen=True)
class RecordSwap(PerturbationMethod):
    """Targeted record swapping as the method of a policy.

    region   the column with the region of a household
    columns  what the two exchange; if omitted, the region alone. List finer geography too: it must move with the region
    keys     what an intruder may know about a member; if omitted, the quasi-identifiers that are not exchanged
    similar  columns, taken from the first member, on which the two agree if possible
    k        a member is at risk if fewer than k persons of the region share its keys
    rate     minimum share of the households that is swapped
    """

    region: str = ""
    keys: tuple[str, ...] | None = None
    similar: tuple[str, ...] = ()
    k: int = 3
    rate: float = 0.0
    name: Literal["record_swap"] = "record_swap"

    applies_to: ClassVar = EVERY
    differs_by_record: ClassVar = False

    def __post_init__(self) -> None:
        if not self.region:
            raise PerturbationError.nothing_to_do(self.name, ["region"])
        if self.k < 1:
            raise PerturbationError.outside("record_swap.k", "1 or more", self.k)
        if not 0 <= self.rate <= 1:
            raise PerturbationError.outside("record_swap.rate", "a share from 0 to 1", self.rate)

    def gives_values(self, name: str) -> bool:
        return name in self.swapped_columns

    @property
    def swapped_columns(self) -> tuple[str, ...]:
        return self.columns or (self.region,)

    def key_columns(self, schema: Schema) -> tuple[str, ...]:
        others = (name for name in schema.quasi_identifiers if name not in (*self.swapped_columns, self.region))
        return self.keys or tuple(others)

    def columns_read(self, schema: Schema) -> tuple[str, ...]:
        return (self.region, *self.key_columns(schema))

    def perturb(self, table: pa.Table, schema: Schema, rng: Rng) -> pa.Table:
        source = self.swaps_of(table, schema, rng).source
        for name in self.swapped_columns:
            table = take_values(table, name, source)
        return table

    def swaps_of(self, table: pa.Table, schema: Schema, rng: Rng) -> RecordSwaps:
        """The swaps of a table, by its region, keys and similar columns and its households."""
        keys = self.key_columns(schema)
        for name in (self.region, *self.swapped_columns, *keys, *self.similar):
            if name not in table.column_names:
                raise PolicyError.unknown_column("method record_swap", name, table.column_names)
        households = [column.name for column in schema.with_role("household")]
        own = to_codes(households[0], table[households[0]]).codes if households else np.arange(len(table))
        region, *others = (to_codes(name, table[name]).codes for name in (self.region, *keys, *self.similar))
        draws = rng.for_purpose(self.name)
        return self.swaps(region, HouseholdGroups.of(own), others[: len(keys)], others[len(keys) :], draws)

    def swaps(
        self,
        regions: Ints,
        households: HouseholdGroups,
        keys: Sequence[Ints],
        similar: Sequence[Ints],
        draws: RandomStream,
    ) -> RecordSwaps:
        """The swaps of all households; one whose region is missing takes no part."""
        n, head = len(regions), households.first
        _check_regions(regions, households, head)
        crowd = number_combinations([regions, *keys], n)
        rarest = np.full(len(head), n)
        np.minimum.at(rarest, households.unit_of, np.bincount(crowd)[crowd])
        places = _Places(regions[head], households.members, [column[head] for column in similar])
        at_risk = (rarest < self.k) & (regions[head] >= 0)
        first = np.flatnonzero(at_risk)
        places.pair(first[np.lexsort((draws.random(len(first)), rarest[first]))], len(head), draws)
        n_unpaired = int((at_risk & (places.partner < 0)).sum())
        lacking = math.ceil(self.rate * len(head)) - int((places.partner >= 0).sum())
        rest = np.flatnonzero((places.partner < 0) & ~at_risk)
        rest = rest[draws.permutation(len(rest))]
        places.pair(rest, (lacking + 1) // 2, draws)
        partner = np.where(places.partner < 0, np.arange(len(head)), places.partner)
        swapped = places.partner[households.unit_of] >= 0
        source = np.where(swapped, head[partner][households.unit_of], np.arange(n))
        return RecordSwaps(source, at_risk[households.unit_of], n_unpaired)


@dataclass
class _Places:
    """Households with region, size and similar columns, and the partner with which each was swapped."""

    regions: Ints  # (n_units,)
    members: Ints  # (n_units,)
    similar: list[Ints]
    partner: Ints = field(init=False)  # (n_units,) -1 for none

    def __post_init__(self) -> None:
        self.partner = np.full(len(self.regions), -1, dtype=np.int64)

    def pair(self, visits: Ints, most: int, draws: RandomStream) -> None:
        """Finds partners for ``visits``, in this order; with fewer and fewer similar columns where there is none."""
        for n_similar in range(len(self.similar), -1, -1):
            left = visits[self.partner[visits] < 0]
            profile = number_combinations([self.members, *self.similar[:n_similar]], len(self.members))
            most -= self._pair_alike(left, profile, most, draws)

    def _pair_alike(self, visits: Ints, profile: Labels, most: int, draws: RandomStream) -> int:
        """Finds partners with the same profile; returns the number of pairs."""
        place = number_combinations([profile, self.regions], len(profile))
        order = np.argsort(place, kind="stable")  # sorted by profile, then region
        at = np.empty_like(order)
        at[order] = np.arange(len(order))
        same_profile, own = profile[order], place[order]
        found = kernels.pair_up(
            active=np.ascontiguousarray(((self.partner < 0) & (self.regions >= 0))[order]),
            visits=at[visits],
            windows=np.column_stack(
                [
                    np.searchsorted(same_profile, same_profile, side="left"),
                    np.searchsorted(own, own, side="left"),
                    np.searchsorted(own, own, side="right"),
                    np.searchsorted(same_profile, same_profile, side="right"),
                ]
            ),
            max_pairs=most,
            seed=draws.integer(),
        )
        paired = found >= 0
        self.partner[order[paired]] = order[found[paired]]
        return int(paired.sum()) // 2


def _check_regions(regions: Ints, households: HouseholdGroups, head: Ints) -> None:
    elsewhere = regions != regions[head][households.unit_of]
    if elsewhere.any():
        raise PerturbationError.two_regions(len(np.unique(households.unit_of[elsewhere])))
