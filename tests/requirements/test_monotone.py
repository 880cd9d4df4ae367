"""The law by which a search may prune: a group that fails has a failing part in every division.

The other way round: parts that all hold merge to a group that holds. Two parts are enough, more are merged one by one.
"""

from dataclasses import replace

import numpy as np
import pytest
from scipy.sparse import csr_array

import shoal
from reference.requirements import epsilon_holds
from requirement_examples import parameters
from shoal.requirements.groups import Groups

N_MERGERS = 20_000
N_VALUES = 5
TREE = np.array([[0, 0], [1, 0], [2, 1], [3, 1], [4, 1]])

REQUIREMENTS = parameters("mergers", lambda each: each.reads not in ("amounts", "weights", "sizes"))


def mergers(seed):
    """(parts, merged): part 2i and part 2i + 1 are merged to i. Few values and many, with gaps, in all sizes."""
    chance = np.random.default_rng(seed)
    most = chance.choice([2, 4, 12], (2 * N_MERGERS, 1))
    shown = chance.random((2 * N_MERGERS, N_VALUES)) < chance.choice([0.4, 0.8, 1.0], (2 * N_MERGERS, 1))
    counts = chance.integers(0, most + 1, (2 * N_MERGERS, N_VALUES)) * shown
    totals = counts.sum(axis=1) + chance.integers(0, 3, 2 * N_MERGERS)
    whole = chance.integers(1, 2000, N_VALUES)
    lengths = chance.integers(0, 12, 2 * N_MERGERS).astype(float)
    parts = Groups(totals, csr_array(counts), whole, TREE, {"age": lengths})
    pairs = lengths.reshape(-1, 2)
    longer = {
        "age": np.maximum(pairs.max(axis=1), chance.integers(0, 24, N_MERGERS))
    }  # together, and what lies between
    return parts, replace(
        parts,
        totals=totals.reshape(-1, 2).sum(axis=1),
        counts=csr_array(counts.reshape(-1, 2, N_VALUES).sum(axis=1)),
        extents=longer,
    )


@pytest.mark.gate(
    but=(
        "KAnonymity(k=6, columns=None, name='k_anonymity')",
        "DistinctLDiversity(l=3, column='s', columns=None, tolerance=None, name='distinct_l_diversity')",
        "EntropyLDiversity(l=1.5, column='s', columns=None, tolerance=None, name='entropy_l_diversity')",
    )
)
@pytest.mark.parametrize("requirement", REQUIREMENTS, ids=repr)
def test_what_holds_of_all_parts_holds_of_the_merger(requirement):
    assert requirement.monotone
    n_asked = 0
    for seed in range(3):
        parts, merged = mergers(seed)
        both = requirement.holds(parts).reshape(-1, 2).all(axis=1)
        assert requirement.holds(merged)[both].all()
        n_asked += int(both.sum())
    assert n_asked > 20  # the search found pairs that hold


@pytest.mark.parametrize("requirement", REQUIREMENTS[:2], ids=repr)
def test_of_k_and_distinct_l_every_part_of_a_failing_group_fails(requirement):
    parts, merged = mergers(0)
    either = requirement.holds(parts).reshape(-1, 2).any(axis=1)
    assert requirement.holds(merged)[either].all()


def test_epsilon_privacy_as_printed_is_not_monotone():
    """R2 with n(q) + b on its left takes five records with one value for private, twice, and not the ten together."""
    knowledge = {"epsilon": 3, "sigma": 4, "b": 2}
    five = ["flu"] * 5
    assert epsilon_holds(five, **knowledge, sign=+1)
    assert not epsilon_holds(five + five, **knowledge, sign=+1)
    assert not epsilon_holds(five, **knowledge)
    counts = Groups.of(np.zeros(1, dtype=np.int64), np.array([5]), np.zeros(1, dtype=np.int64))
    assert not shoal.EpsilonPrivacy(**knowledge, column="s").holds(counts).any()
