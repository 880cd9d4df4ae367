"""Blocks are handled one by one, whatever the number of threads."""

from __future__ import annotations

import numpy as np
import pytest

import shoal
from shoal.methods.microaggregation.in_blocks import in_blocks


def test_every_block_is_grouped_as_if_it_were_alone() -> None:
    rng = np.random.default_rng(3)
    X, blocks = rng.normal(size=(300, 3)), shoal.Partition(rng.integers(0, 4, size=300))
    together = in_blocks(X, blocks, lambda records: shoal.mdav(records, 3))
    for block in range(4):
        inside = blocks.labels == block
        alone = shoal.mdav(X[inside], 3)
        found = np.unique(together.labels[inside], return_inverse=True)[1]
        assert np.array_equal(found, alone.labels)


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_threads_change_nothing(threads: int) -> None:
    rng = np.random.default_rng(4)
    X, blocks = rng.normal(size=(200, 2)), shoal.Partition(np.arange(200) % 7)
    found = in_blocks(X, blocks, lambda records: shoal.mdav(records, 4), threads=threads)
    assert np.array_equal(found.labels, in_blocks(X, blocks, lambda records: shoal.mdav(records, 4)).labels)


def test_an_error_in_a_block_is_heard() -> None:
    with pytest.raises(shoal.ShoalError, match="k"):
        in_blocks(np.zeros((5, 1)), shoal.Partition(np.array([0, 0, 0, 1, 1])), lambda records: shoal.mdav(records, 3))
