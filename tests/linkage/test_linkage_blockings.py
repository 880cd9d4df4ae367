"""Standard blocking, sorted neighborhood, fuzzy blocking, and the choice among them."""

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import shoal
from reference.linkage import owa as slow_owa
from shoal.errors import LinkageError
from shoal.linkage.blocking_choice import choose_blocking
from shoal.linkage.fuzzy_blocking import owa
from shoal.linkage.key_bins import KeyBins
from shoal.linkage.linkage_tables import encode_linkage_arrays, encode_linkage_tables
from shoal.linkage.quantifiers import Logistic, Power, Threshold, UserQuantifier, owa_weights, published_quantifiers
from shoal.schema import Column, Schema

PUBLISHED = [q for family in published_quantifiers().values() for q in family]


def arrays(seed, n=25, m=30, d=3):
    chance = np.random.default_rng(seed)
    return encode_linkage_arrays(
        chance.integers(0, 30, (n, d)).astype(float), chance.integers(0, 30, (m, d)).astype(float)
    )


def held(candidates):
    """(n_original, n_released) whether the pair is a candidate."""
    a, b = np.indices((candidates.n_original, candidates.n_released))
    return candidates.contains(a.ravel(), b.ravel()).reshape(a.shape)


def unit(field):
    return (field.values - field.values.min()) / (field.values.max() - field.values.min())


@given(st.integers(0, 2**32), st.integers(0, 2))
def test_standard_blocking_compares_what_rounds_alike(seed, decimals):
    sides = arrays(seed)
    one, other = unit(sides.original[1]), unit(sides.released[1])
    expected = one.round(decimals)[:, None] == other.round(decimals)[None, :]
    assert (held(shoal.StandardBlocking(("1",), decimals=decimals).candidates(sides)) == expected).all()


@given(st.integers(0, 2**32))
def test_several_columns_in_a_key_must_all_agree_and_several_keys_need_not(seed):
    sides = arrays(seed)
    first, second = (held(shoal.StandardBlocking((name,)).candidates(sides)) for name in ("0", "2"))
    assert (held(shoal.StandardBlocking((("0", "2"),)).candidates(sides)) == (first & second)).all()
    assert (held(shoal.StandardBlocking(("0", "2")).candidates(sides)) == (first | second)).all()


@given(st.integers(0, 2**32), st.integers(1, 40))
def test_a_window_holds_what_is_fewer_places_apart(seed, window):
    sides = arrays(seed)
    values = np.concatenate([sides.original[0].values, sides.released[0].values])
    rank = np.argsort(np.argsort(values, kind="stable"))
    near = np.abs(rank[:25, None] - rank[None, 25:]) < window
    assert (held(shoal.SortedNeighborhood(("0",), window, adapt=False).candidates(sides)) == near).all()
    alike = values[:25, None] == values[None, 25:]
    adapted = shoal.SortedNeighborhood(("0",), window).candidates(sides)
    grown = held(adapted)
    assert (grown >= (near | alike)).all()
    lone = ~(alike & ~near).any(axis=1)  # whose window held all that is alike
    assert (grown[lone] == near[lone]).all()
    assert adapted.n_widened == (~lone).sum()


def test_a_window_may_be_a_share_of_the_records():
    sides = arrays(0, n=40, m=40)
    assert (
        held(shoal.SortedNeighborhood(("0",), 0.1).candidates(sides))
        == held(shoal.SortedNeighborhood(("0",), 4).candidates(sides))
    ).all()


@given(st.integers(0, 2**32), st.sampled_from(PUBLISHED))
def test_the_average_agrees_with_its_twin(seed, quantifier):
    values = np.random.default_rng(seed).random((4, 5))
    expected = [slow_owa(row, lambda x: float(quantifier(np.array([x]))[0])) for row in values]
    assert owa(-np.sort(-values, axis=1), quantifier) == pytest.approx(expected, rel=1e-12)


@given(st.integers(0, 2**32), st.sampled_from(PUBLISHED), st.permutations(range(4)))
def test_swapped_fields_of_one_scale_stay_in_their_block(seed, quantifier, order):
    X = np.random.default_rng(seed).random((12, 4))
    X[0], X[1] = 0, 1  # all columns have one range
    candidates = shoal.FuzzyBlocking((quantifier,)).candidates(encode_linkage_arrays(X, X[:, list(order)].copy()))
    assert candidates.contains(np.arange(12), np.arange(12)).all()


@pytest.mark.parametrize("quantifier", PUBLISHED, ids=str)
@pytest.mark.parametrize("n", [1, 2, 13])
def test_weights_are_shares(quantifier, n):
    assert owa_weights(quantifier, n).min() >= 0
    assert owa_weights(quantifier, n).sum() == pytest.approx(1, abs=1e-12)


def test_the_second_family_as_printed_is_no_quantifier():
    assert owa_weights(Logistic(0.0, as_printed=True), 13).sum() == pytest.approx(0.5 - 1 / (1 + np.exp(10)))


def test_quantifiers_of_ones_own():
    assert owa_weights(UserQuantifier(lambda x: x**2), 5) == pytest.approx(owa_weights(Power(2), 5))
    assert owa_weights(Threshold(0.5), 4).tolist() == [0, 0, 1, 0]
    for wrong in (lambda x: 1 - x, lambda x: x / 2, lambda x: np.sin(9 * x) / np.sin(9), lambda x: 0.5):
        with pytest.raises(LinkageError, match="not a non-decreasing fuzzy quantifier"):
            owa_weights(UserQuantifier(wrong), 5)


def test_missing_values_are_left_out_of_the_average():
    descending = np.array([[0.9, 0.3, np.nan], [0.9, 0.3, 0.0], [np.nan, np.nan, np.nan]])
    found = owa(descending, Power(1.0))
    assert found[:2] == pytest.approx([0.6, 0.4])
    assert np.isnan(found[2])


@given(st.integers(0, 2**32), st.integers(1, 12))
def test_blocks_by_number_have_equal_size_where_values_differ(seed, n_blocks):
    chance = np.random.default_rng(seed)
    one, other = KeyBins(n_blocks=n_blocks).keys(chance.random(60), chance.random(40))
    sizes = np.bincount(np.concatenate([one, other]))
    assert len(sizes) == n_blocks
    assert sizes.max() - sizes.min() <= 1


@pytest.mark.parametrize("given_", [{}, {"decimals": 1, "n_blocks": 2}, {"decimals": -1}, {"n_blocks": 0}])
def test_unfit_roundings_are_refused(given_):
    with pytest.raises(LinkageError, match="rounding"):
        KeyBins(**given_)


@pytest.mark.parametrize("window", [0, 0.0, 1.5, -3, "ten"])
def test_unfit_windows_are_refused(window):
    with pytest.raises(LinkageError, match="window"):
        shoal.SortedNeighborhood((), window)


def test_categories_are_keys_and_missing_is_one():
    schema = Schema([Column("town", "quasi_identifier", "nominal")])
    one = pa.table({"town": ["a", "b", None, "c"]})
    other = pa.table({"town": ["b", None, "d"]})
    candidates = shoal.StandardBlocking(("town",)).candidates(encode_linkage_tables(one, other, schema))
    assert held(candidates).tolist() == [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 0]]


def test_labels_and_rules_of_others_are_blockings_too():
    from shoal.blocking import Blocks

    class Halves:
        def block_of(self, X):
            return (X[:, 0] > 15).astype(np.int64)

    sides = arrays(3)
    one, other = (fields[0].values > 15 for fields in (sides.original, sides.released))
    expected = one[:, None] == other[None, :]
    by_rule = shoal.RuleBlocking(lambda X: Blocks(Halves().block_of(X), Halves()))
    by_labels = shoal.LabelBlocking(one.astype(int), other.astype(int))
    for blocking in (by_rule, by_labels):
        assert (held(blocking.candidates(sides)) == expected).all()
    with pytest.raises(LinkageError, match="blocks for 3 records"):
        shoal.LabelBlocking(np.zeros(3, int), other.astype(int)).candidates(sides)


def test_the_choice_is_the_best_that_the_budget_allows():
    chance = np.random.default_rng(5)
    X = chance.normal(size=(600, 4))
    masked = X + chance.normal(size=X.shape) * np.array([1.0, 1.0, 0.001, 1.0])  # only column 2 is a good key
    sides, truth = encode_linkage_arrays(X, masked), np.arange(600)
    choice = choose_blocking(sides, truth, n_pairs=600 * 60, seed=1)
    assert choice.blocking in (shoal.StandardBlocking(("2",), n_blocks=10), shoal.SortedNeighborhood(("2",), 0.1))
    best = max(t.quality.recall for t in choice.evaluated)
    assert blocking_recall(choice.blocking, sides) == pytest.approx(best, abs=0.02)
    assert choose_blocking(sides, truth, n_pairs=600 * 60, seed=1).blocking == choice.blocking


def blocking_recall(blocking, sides):
    everybody = np.arange(sides.n_original)
    return blocking.candidates(sides).contains(everybody, everybody).mean()
