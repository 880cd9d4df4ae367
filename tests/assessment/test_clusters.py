"""Natural clusters: what V-MDAV loses, told of the records that it was tried on, and of no others."""

import numpy as np
import pytest

from shoal.assessment.utility.clusters import GROWING, cluster_findings
from shoal.plan import Partition

K = 4


def records(n: int) -> np.ndarray:
    return np.random.default_rng(2).normal(size=(n, 2))


@pytest.mark.parametrize("gamma", ["auto", 0.2])
def test_where_no_block_holds_k_records_nothing_is_told(gamma):
    """As of a sample of a large table."""
    blocks = Partition(np.arange(30) // (K - 1))
    assert list(cluster_findings(records(30), K, blocks, gamma)) == []


def test_blocks_that_are_too_small_have_no_part_in_the_figure():
    """Their records would swell the whole and flatter the loss."""
    X = records(60)
    X[40:] += 100
    blocks = np.concatenate([np.arange(40) // 20, 2 + np.arange(20) // (K - 1)])
    found = cluster_findings(X, K, Partition(blocks), 0.2)[GROWING]
    alone = cluster_findings(X[:40], K, Partition(blocks[:40]), 0.2)[GROWING]
    assert (found.estimate, found.baseline) == (alone.estimate, alone.baseline)
    assert "Computed from the 40 of 60 records whose block has k or more of them." in found.meaning
    assert "Told of" not in alone.meaning
