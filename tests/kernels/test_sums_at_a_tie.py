"""A sum halfway between two doubles goes to the even one; the least bit beyond decides, however far below it lies."""

import math
from fractions import Fraction

import numpy as np
import pytest

from shoal import kernels


def total(values):
    return float(kernels.column_sums(np.array(values, dtype=np.float64)[:, None])[0])


@pytest.mark.parametrize("sign", [1, -1])
@pytest.mark.parametrize("scale", [2.0**-300, 1.0, 2.0**400])
@pytest.mark.parametrize("least", [2.0**-60, 2.0**-97, 2.0**-200, 2.0**-600])
@pytest.mark.parametrize("even", [2.0**53, 2.0**53 + 2])
def test_what_lies_far_below_a_half_decides(even, least, scale, sign):
    half, rest = sign * scale, sign * scale * least
    for terms in ([sign * scale * even, half, rest], [sign * scale * even, half, -rest], [sign * scale * even, half]):
        assert total(terms) == math.fsum(terms) == float(sum(map(Fraction, terms)))


def test_a_half_is_even_and_a_little_more_is_not():
    assert total([2.0**53, 1.0]) == 2.0**53
    assert total([2.0**53, 1.0, 2.0**-200]) == 2.0**53 + 2
    assert total([2.0**53 + 2, 1.0, -(2.0**-200)]) == 2.0**53 + 2
