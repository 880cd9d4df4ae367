"""Candidates: the same pairs in batches, in counts and in answers."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.linkage.candidates import Candidates, Runs
from shoal.linkage.linkage_blocking import blocking_quality


def pairs(candidates, **batch):
    found = [(int(a), int(b)) for one, other in candidates.batches(**batch) for a, b in zip(one, other, strict=True)]
    assert len(found) == len(set(found))
    return set(found)


@st.composite
def keyed(draw):
    """Keys of two files, for one to three passes."""
    chance = np.random.default_rng(draw(st.integers(0, 2**32)))
    n, m, passes = draw(st.integers(1, 12)), draw(st.integers(1, 12)), draw(st.integers(1, 3))
    return [(chance.integers(0, 4, n), chance.integers(0, 4, m)) for _ in range(passes)]


@pytest.mark.parametrize("batch", [1, 7, 1 << 20])
@given(keys=keyed())
def test_pairs_of_equal_keys_are_there_once(batch, keys):
    candidates = Candidates(tuple(Runs.of_keys(*both) for both in keys))
    expected = {
        (a, b)
        for a in range(candidates.n_original)
        for b in range(candidates.n_released)
        if any(one[a] == other[b] for one, other in keys)
    }
    assert pairs(candidates, n_pairs=batch) == expected
    assert candidates.n_pairs == len(expected) <= candidates.n_pairs_at_most
    a, b = (side.ravel() for side in np.indices((candidates.n_original, candidates.n_released)))
    assert candidates.contains(a, b).tolist() == [(x, y) in expected for x, y in zip(a, b, strict=True)]


@given(keyed(), st.data())
def test_some_records_have_their_share_of_the_pairs(keys, data):
    candidates = Candidates(tuple(Runs.of_keys(*both) for both in keys))
    first = data.draw(st.integers(0, candidates.n_original))
    last = data.draw(st.integers(first, candidates.n_original))
    some = {(int(a), int(b)) for one, other in candidates.batches(first, last) for a, b in zip(one, other, strict=True)}
    assert some == {(a, b) for a, b in pairs(candidates) if first <= a < last}


def test_quality():
    candidates = Candidates((Runs.of_keys(np.array([0, 0, 1, 2]), np.array([0, 1, 1, 5])),))
    quality = blocking_quality(candidates, np.array([0, 1, 2, -1]))
    assert (quality.recall, quality.n_pairs, quality.largest_block) == (2 / 3, 4, 2)
    assert quality.reduction_ratio == 1 - 4 / 16
    assert blocking_quality(candidates, np.full(4, -1)).recall is None


def test_without_blocking_every_pair_is_a_candidate():
    everything = Candidates.all_pairs(3, 5)
    assert pairs(everything) == {(a, b) for a in range(3) for b in range(5)}
    assert blocking_quality(everything, np.arange(3)).reduction_ratio == 0
