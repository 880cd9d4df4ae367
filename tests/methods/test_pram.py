"""PRAM draws by its matrix, and an invariant matrix gives back the counts."""

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import shoal
from shoal.encode.codes import to_codes
from shoal.rng import Rng


@given(st.integers(1, 8), st.integers(0, 2**32))
def test_an_invariant_matrix_fixes_the_counts(n_values, seed):
    chance = np.random.default_rng(seed)
    matrix = chance.dirichlet(np.full(n_values, 0.3), n_values)
    counts = chance.integers(0, 50, n_values)
    invariant = shoal.invariant_matrix(matrix / matrix.sum(axis=1, keepdims=True), counts)
    assert invariant.sum(axis=1) == pytest.approx(np.ones(n_values))
    assert invariant.min() >= 0
    assert counts @ invariant == pytest.approx(counts, abs=1e-9)


def test_two_values_by_hand():
    """Counts 3 and 1, each value stays with 3/4: the way back is Bayes' rule, 9/10 and 1/2."""
    invariant = shoal.invariant_matrix([[0.75, 0.25], [0.25, 0.75]], [3, 1])
    assert invariant == pytest.approx(np.array([[0.8, 0.2], [0.6, 0.4]]))


def test_shares_come_out_as_the_matrix_says():
    matrix = np.array([[0.7, 0.2, 0.1], [0.0, 1.0, 0.0], [0.5, 0.0, 0.5]])
    codes = np.repeat([0, 1, 2, -1], 20_000)
    drawn = shoal.pram(codes, matrix, seed=1)
    for code in range(3):
        assert np.bincount(drawn[codes == code], minlength=3) / 20_000 == pytest.approx(matrix[code], abs=0.012)
    assert (drawn[codes == -1] == -1).all()
    assert (drawn[codes == 1] == 1).all()


def test_moves_stay_under_the_node_and_counts_are_kept():
    tree = shoal.Taxonomy((("a", "vowel", "*"), ("e", "vowel", "*"), ("b", "other", "*"), ("c", "other", "*")))
    column = shoal.Column("letter", "quasi_identifier", taxonomy=tree)
    table = pa.table({"letter": ["a"] * 6000 + ["e"] * 2000 + ["b"] * 500 + ["c"] * 1500 + [None] * 10})
    rule = shoal.Pram(stay=0.5, level=1)
    matrix = rule.matrix(column, to_codes("letter", table["letter"]))  # a, b, c, e
    assert (matrix[np.ix_([0, 3], [1, 2])] == 0).all()
    drawn = rule.perturb(table, shoal.Schema([column]), Rng(b"", 0))["letter"].to_pylist()
    assert all(
        new is old is None or (old in "ae") == (new in "ae")
        for old, new in zip(table["letter"].to_pylist(), drawn, strict=True)
    )
    assert drawn.count("a") == pytest.approx(6000, abs=150)
    assert drawn.count("b") == pytest.approx(500, abs=100)


@pytest.mark.parametrize(
    ("matrix", "word"),
    [
        ([[0.5, 0.4], [0, 1]], "1 of 2 rows"),
        ([[1.5, -0.5], [0, 1]], "negative"),
        ([[1, 0]], "shape"),
        ([[1]], "codes go up to 1"),
        ([[np.nan, 1], [0, 1]], "not finite"),
    ],
)
def test_what_is_no_matrix_of_chances_is_refused(matrix, word):
    with pytest.raises(shoal.ShoalError, match=word):
        shoal.pram([0, 1], matrix)


def test_bad_input():
    with pytest.raises(shoal.ShoalError, match=r"pram\.stay"):
        shoal.Pram(stay=1.5)
    with pytest.raises(shoal.ShoalError, match="as many counts"):
        shoal.invariant_matrix([[1]], [1, 2])
