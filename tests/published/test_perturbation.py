"""Census masked as in Table 1 and 2 of Nin & Torra: how many records keep their block, as printed, within 5 %."""

import numpy as np
import pytest

import shoal
from shoal import datasets


def one_decimal(X):
    """Min-max normalized by the file's own range, rounded to one decimal: the blocks of standard blocking."""
    return np.round((X - X.min(axis=0)) / np.ptp(X, axis=0), 1)


def kept_blocks(X, Y):
    """Records whose masked version falls into the block of its original, on average over the attributes."""
    return (one_decimal(X) == one_decimal(Y)).sum(axis=0).mean()


@pytest.fixture(scope="module")
def census(reference_data):
    return np.column_stack([column.to_numpy() for column in datasets.census().columns]).astype(float)


def test_rank_swapping(census):
    found = [kept_blocks(census, shoal.rank_swap(census, p=10, seed=seed)) for seed in range(5)]
    assert np.mean(found) == pytest.approx(672.0, rel=0.05)


def test_microaggregation(census):
    X = shoal.standardize(census)
    assert kept_blocks(X, shoal.mic(X, v=3, k=7)) == pytest.approx(737.3, rel=0.05)


@pytest.mark.parametrize(("quality", "printed"), [(10, 352.3), (15, 383.7), (20, 428.3)])
def test_lossy_images(census, quality, printed):
    assert kept_blocks(census, shoal.lossy_image(census, quality=quality)) == pytest.approx(printed, rel=0.05)
