"""What a kernel is handed is right, or a complaint with the reason; never a crash."""

import numpy as np
import pytest

import shoal
from shoal.errors import ArrayError

X = np.random.default_rng(0).random((12, 3))


@pytest.mark.parametrize(
    "given",
    [X.astype(np.float32), np.asfortranarray(X), np.repeat(X, 2, axis=0)[::2], X.tolist(), X[:, ::-1][:, ::-1]],
    ids=["float32", "fortran", "strided", "list", "reversed"],
)
def test_any_layout_gives_the_groups_of_its_values(given):
    straight = np.ascontiguousarray(given, dtype=np.float64)
    assert (shoal.mdav(given, 3).labels == shoal.mdav(straight, 3).labels).all()


def test_integers_and_read_only_arrays_are_fine():
    whole = np.arange(24).reshape(12, 2)
    whole.flags.writeable = False
    assert shoal.mdav(whole, 3).sizes.tolist() == [3, 3, 3, 3]


@pytest.mark.parametrize(
    ("given", "k", "word"),
    [
        (np.where(X > 0.5, np.nan, X), 3, "NaN"),
        (np.where(X > 0.5, np.inf, X), 3, "infinite"),
        (X[0], 3, "two dimensions"),
        (X[:0], 3, "empty"),
        (X[:, :0], 3, "empty"),
        (X.astype(str), 3, "numbers"),
        (X.astype(complex), 3, "numbers"),
        (np.ma.masked_greater(X, 0.5), 3, "masked"),
        (X * 1e155, 3, "overflow or vanish"),
        (X * 1e-200, 3, "overflow or vanish"),
        (X, 1, "2 or more"),
        (X, 0, "2 or more"),
        (X, 2.5, "2 or more"),
        (X, True, "2 or more"),
        (X, 13, "there are 12"),
    ],
)
def test_unfit_input_is_refused_with_its_reason(given, k, word):
    with pytest.raises(ArrayError, match=word):
        shoal.mdav(given, k)
