"""What a kernel is handed is right, or a complaint with the reason; never a crash."""

import numpy as np
import pytest

import shoal
from shoal import kernels
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
        (X * 1e155, 3, "overflow or underflow"),
        (X * 1e-200, 3, "overflow or underflow"),
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


def test_what_is_empty_keeps_its_other_side():
    """No records, or no columns: arrays of (0, d) and (n, 0) are not (0, 0)."""
    none, nobody = np.zeros(0, dtype=np.int64), np.zeros((0, 3))
    assert kernels.column_ranges(nobody).shape == (2, 3)
    assert kernels.group_sums(nobody, none, 0).shape == (0, 3)
    assert kernels.group_sums(nobody, none, 2).tolist() == np.zeros((2, 3)).tolist()
    assert kernels.ordered_product(np.zeros((2, 0)), np.zeros((0, 3))).tolist() == np.zeros((2, 3)).tolist()
    root = np.array([-1])
    assert kernels.node_parts(root, root, np.zeros(1, dtype=np.int64), 0).shape == (1, 0)
    assert kernels.node_parts(none, none, none, 3).shape == (0, 3)
    uniques = kernels.Suda(np.zeros((0, 3), dtype=np.int64), np.ones(3, dtype=np.int64), 2)
    assert (uniques.by_record().shape, uniques.by_column().shape) == ((0, 2), (3, 2))
    space = np.zeros(3), np.ones(3), np.arange(3)
    counter = kernels.CellCounter(*space, np.zeros((0, 1), dtype=np.uint64), 3, 6)
    counter.add(np.full((5, 3), 0.5))
    assert [part.shape for part in counter.cells()] == [(0, 1), (0,), (0, 3)]
    assert kernels.find_cells(nobody, *space, 6, np.zeros((1, 1), dtype=np.uint64)).shape == (0,)
    assert kernels.nearest_neighbors(np.zeros((4, 2)), none, 2).shape == (0, 2)
    plain = np.ones(3), np.zeros(3, dtype=np.uint64)
    assert kernels.LinkTree(np.zeros((4, 3)), *plain, np.ones(4, dtype=np.int64)).tally(nobody, none, 1)[0].shape == (
        0,
        4,
    )
