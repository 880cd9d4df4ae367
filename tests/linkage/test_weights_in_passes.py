"""Probabilistic weights within a blocking of several passes: chosen pairs must not change what agreement means."""

import numpy as np
import pytest

from shoal.linkage.linkage_tables import encode_linkage_arrays
from shoal.linkage.probabilistic_linkage import probabilistic_linkage
from shoal.linkage.sorted_neighborhood import SortedNeighborhood

N_RECORDS = 200


@pytest.fixture(scope="module")
def tables():
    chance = np.random.default_rng(7)
    original = chance.normal(size=(N_RECORDS, 4))
    return encode_linkage_arrays(original, original + 0.3 * chance.normal(size=original.shape))


def test_agreement_counts_for_a_pair_in_every_column(tables):
    """Where weights came from the pairs of all passes, three columns of four counted the other way round."""
    truth = np.arange(N_RECORDS)
    candidates = SortedNeighborhood(window=0.1).candidates(tables)
    assert len(candidates.passes) == 4
    _, model = probabilistic_linkage(tables, truth, candidates=candidates)
    assert all(weights[-3] > weights[0] for weights in model.weights)


def test_a_blocking_that_keeps_the_true_pairs_finds_as_many(tables):
    """The blocking loses what it loses, and no more: of others than true pairs it only leaves some out."""
    truth = np.arange(N_RECORDS)
    everywhere, _ = probabilistic_linkage(tables, truth)
    for window in (5, 10, 30, 0.3):
        candidates = SortedNeighborhood(window=window).candidates(tables)
        within, _ = probabilistic_linkage(tables, truth, candidates=candidates)
        kept = candidates.contains(truth, truth)
        assert (within.chances >= everywhere.chances - 1e-12)[kept].all()
        assert everywhere.chances[kept].sum() > 5
