"""Known blocks: who knows every record of a block but one computes the release for each category of the last one.

The intruder knows the groups, how categories are chosen, and all records but the target. Without random choices they
keep the categories with which the computed numbers of groups are the released ones. With random choices, of which they
have no key, they repeat the release with keys of their own, and weigh every category by three chances: that totals
differ as much from its shares as the released ones do, that an assignment is as much dearer than the least for its
totals, and that the groups of a kind are dealt the categories they show.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import gammaln

from shoal.release.controlled_categories import (
    CategoryPairs,
    GroupKinds,
    _numbers,
    controlled_categories,
    random_shares,
)
from shoal.rng import Rng

N_REPEATED = 60  # releases with other keys
Codes = NDArray[np.int64]


@dataclass(frozen=True)
class KnownBlock:
    """Groups and released categories, and all codes, of which one at a time is not known."""

    groups: Codes  # (n_records,)
    codes: Codes  # (n_records,)
    n_codes: int
    shown: Codes  # (n_groups,)

    @property
    def shares(self) -> Any:
        return np.bincount(self.codes, minlength=self.n_codes) / self.codes.size

    def with_code(self, target: int, code: int) -> KnownBlock:
        codes = self.codes.copy()
        codes[target] = code
        return KnownBlock(self.groups, codes, self.n_codes, self.shown)

    def kinds(self) -> GroupKinds:
        ones = np.ones(self.codes.size)
        return GroupKinds.of(CategoryPairs.of(self.groups, self.codes, ones), np.bincount(self.groups).astype(float))

    def shown_numbers(self, kinds: GroupKinds) -> Codes:
        """(n_kinds, n_codes) groups of a kind that show a category."""
        found = np.zeros((kinds.n.size, self.n_codes), dtype=np.int64)
        np.add.at(found, (kinds.kind_of, self.shown), 1)
        return found

    @property
    def moved(self) -> Any:
        """(n_codes,) groups by which the totals differ from the shares."""
        return np.bincount(self.shown, minlength=self.n_codes) - self.shares * self.shown.size

    def excess(self, kinds: GroupKinds) -> float:
        """Records by which the categories shown are dearer than the least for their totals."""
        shown, costs = self.shown_numbers(kinds), kinds.pairs.costs(is_ordered=False)
        least = _numbers(kinds, shown.sum(axis=0) / self.shown.size, costs)
        return float((costs * (shown[kinds.pairs.groups, kinds.pairs.codes] - least)).sum())

    def may_be_shown(self, kinds: GroupKinds) -> bool:
        """Whether every category occurs in the groups that show it."""
        occurs = np.zeros((kinds.n.size, self.n_codes), dtype=bool)
        occurs[kinds.pairs.groups, kinds.pairs.codes] = True
        return bool(occurs[kinds.kind_of, self.shown].all())


def computed(block: KnownBlock) -> float:
    """0, the logarithm of 1, where the program without random choices gives what is shown."""
    kinds = block.kinds()
    if not block.may_be_shown(kinds):
        return -np.inf
    shown = block.shown_numbers(kinds)[kinds.pairs.groups, kinds.pairs.codes]
    found = _numbers(kinds, block.shares, kinds.pairs.costs(is_ordered=False))
    return 0.0 if np.array_equal(found, shown) else -np.inf


@dataclass(frozen=True)
class Repeated:
    """What the releases of a block with other keys look like."""

    inverse: Any  # (n_codes, n_codes) of the covariance of totals around their shares
    excesses: Any  # (n_repeated,) records by which they are dearer than the least

    @classmethod
    def of(cls, block: KnownBlock) -> Repeated:
        """Of a block in which the target has any category."""
        kinds, moved, excesses = block.kinds(), [], []
        sizes = np.bincount(block.groups).astype(float)
        pairs = CategoryPairs.of(block.groups, block.codes, np.ones(block.codes.size))
        for seed in range(N_REPEATED):
            draws = Rng(b"another key", seed).for_purpose("repeated")
            shares = random_shares(block.shares, sizes.size, draws)
            again = replace(block, shown=controlled_categories(pairs, sizes, shares, draws))
            moved.append(again.moved)
            excesses.append(again.excess(kinds))
        return cls(np.linalg.pinv(np.cov(np.array(moved).T) + 0.1 * np.eye(block.n_codes)), np.array(excesses))

    def weigh(self, block: KnownBlock) -> float:
        """The logarithm of how likely what is shown is, up to a factor."""
        kinds = block.kinds()
        if not block.may_be_shown(kinds):
            return -np.inf
        shown, excess = block.shown_numbers(kinds), block.excess(kinds)
        as_dear = (np.count_nonzero(np.abs(self.excesses - excess) < 0.6) + 0.3) / self.excesses.size
        dealt = gammaln(shown + 1).sum() - gammaln(kinds.n + 1).sum()
        return float(np.log(as_dear) + dealt - block.moved @ self.inverse @ block.moved / 2)


def most_frequent(block: KnownBlock) -> float:
    """0 where the categories shown are the modes, the first one on ties."""
    counts = np.zeros((block.shown.size, block.n_codes))
    np.add.at(counts, (block.groups, block.codes), 1)
    return 0.0 if np.array_equal(counts.argmax(axis=1), block.shown) else -np.inf


def posterior(block: KnownBlock, target: int, likelihood: Callable[[KnownBlock], float]) -> Any:
    """(n_codes,) chances of the target's category, from the shares of the block and what is shown."""
    found = np.array([likelihood(block.with_code(target, code)) for code in range(block.n_codes)])
    if np.isneginf(found).all():
        return block.shares
    chances = block.shares * np.exp(found - found.max())
    return chances / chances.sum()
