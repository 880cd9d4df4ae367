"""Natural clusters: what V-MDAV loses, told of the records that it was tried on, and of no others."""

import numpy as np

from shoal.assessment.utility.clusters import GROWING, cluster_findings
from shoal.methods.microaggregation.vmdav_diagnosis import vmdav_diagnosis
from shoal.plan import Partition

K = 4


def records(n: int) -> np.ndarray:
    return np.random.default_rng(2).normal(size=(n, 2))


def findings(X, blocks):
    return cluster_findings(vmdav_diagnosis(X, K, blocks=Partition(blocks)), len(X), {"gamma 0.2": len(X)})


def test_where_no_block_holds_k_records_nothing_is_told():
    """As of a sample of a large table."""
    assert list(findings(records(30), np.arange(30) // (K - 1))) == []


def test_blocks_that_are_too_small_have_no_part_in_the_figure():
    """Their records would swell the whole and flatter the loss."""
    X = records(60)
    X[40:] += 100
    blocks = np.concatenate([np.arange(40) // 20, 2 + np.arange(20) // (K - 1)])
    found, alone = findings(X, blocks)[GROWING], findings(X[:40], blocks[:40])[GROWING]
    assert (found.estimate, found.baseline) == (alone.estimate, alone.baseline)
    assert "computed from 40 of 60 records" in found.meaning
    assert "computed from" not in alone.meaning
