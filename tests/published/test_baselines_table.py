"""Information losses that the literature quotes for the methods to compare with, k = 3, 4, 5, 10.

Their authors leave ties, orders and splits open, so these agree in percent, not to the digit.
"""

import numpy as np
import pytest

import shoal
from shoal import datasets

SIZES = (3, 4, 5, 10)
QUOTED = {  # how far ours may lie above
    ("mst_partition", "tarragona"): (1.01, (16.63, 19.66, 24.50, 38.58)),
    ("mst_partition", "census"): (1.01, (6.11, 8.24, 10.30, 17.17)),
    ("mu_approx", "tarragona"): (1.04, (17.10, 20.51, 26.04, 38.80)),
    ("mu_approx", "census"): (1.03, (6.25, 8.47, 10.78, 17.01)),
    ("mu_approx", "eia"): (1.28, (0.43, 0.59, 0.83, 2.26)),
}


@pytest.mark.gate(but=("mst_partition-tarragona", "mu_approx-eia"))
@pytest.mark.usefixtures("reference_data")
@pytest.mark.parametrize(("method", "name"), list(QUOTED))
def test_a_baseline_loses_about_what_is_quoted(method, name):
    above, quoted = QUOTED[method, name]
    X = shoal.standardize(np.column_stack(getattr(datasets, name)().columns))
    for k, loss in zip(SIZES, quoted, strict=True):
        assert getattr(shoal, method)(X, k).information_loss(X) <= above * loss
