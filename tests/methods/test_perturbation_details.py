"""Small print of the perturbing methods: gaps, bounds, nodes and classes together, by hand."""

import numpy as np
import pyarrow as pa
import pytest

import shoal
from shoal.encode.codes import to_codes
from shoal.methods.perturbation.lossy_image import LossyImage
from shoal.methods.perturbation.pram import draw_codes
from shoal.methods.perturbation.transition import retention_matrix
from shoal.rng import Rng

TREE = shoal.Taxonomy((("a", "vowel", "*"), ("e", "vowel", "*"), ("b", "other", "*"), ("c", "other", "*")))
LETTERS = shoal.Column("letter", "quasi_identifier", taxonomy=TREE)


def numeric(*names):
    return shoal.Schema([shoal.Column(name, "quasi_identifier", "numeric") for name in names])


def test_gaps_have_no_part_in_the_size_of_correlated_noise():
    """The columns lie far from zero: a gap that counted as a zero would blow the noise up."""
    chance = np.random.default_rng(0)
    X = chance.normal([1000, -2000], [1, 2], (20_000, 2))
    gaps = chance.random(X.shape) < 0.3
    table = pa.table({name: pa.array(X[:, j], mask=gaps[:, j]) for j, name in enumerate("xy")})
    released = shoal.Noise(alpha=0.25, kind="correlated").perturb(table, numeric("x", "y"), Rng(b"", 1))
    for j, name in enumerate("xy"):
        known = ~gaps[:, j]
        added = released[name].drop_null().to_numpy() - X[known, j]
        assert added.std() == pytest.approx(0.5 * X[:, j].std(), rel=0.05)


def test_a_gap_is_painted_at_the_mean_of_the_known(monkeypatch):
    seen = []
    monkeypatch.setattr(LossyImage, "mask", lambda self, X: seen.append(X.copy()) or X)
    table = pa.table({"x": [10.0, None, 20.0, None]})
    assert LossyImage().perturb(table, numeric("x"), Rng(b"", 0))["x"].to_pylist() == [10, None, 20, None]
    assert seen[0].ravel().tolist() == [10, 15, 20, 15]


class Highest:
    """Chance that always draws the highest number below 1."""

    def random(self, n):
        return np.full(n, 1 - 2.0**-53)


def test_a_sum_just_below_1_opens_no_closed_way():
    chances = np.array([[0.3, 0.7 - 1e-10, 0.0], [0.0, 0.0, 1.0], [1.0, 0.0, 0.0]])
    assert draw_codes(np.array([0, 1, 2, -1, 0]), chances, Highest()).tolist() == [1, 2, 0, -1, 1]


def test_a_value_stays_or_becomes_one_of_the_others_under_its_node():
    found = retention_matrix(0.4, np.array([0, 1, 0, 0, 2]))
    assert found == pytest.approx(
        np.array(
            [
                [0.4, 0, 0.3, 0.3, 0],
                [0, 1, 0, 0, 0],
                [0.3, 0, 0.4, 0.3, 0],
                [0.3, 0, 0.3, 0.4, 0],
                [0, 0, 0, 0, 1],
            ]
        )
    )


def test_without_a_second_stage_a_value_stays_as_often_as_was_asked():
    codes = to_codes("letter", pa.chunked_array([["a", "a", "a", "b", "c"]]))
    assert np.diag(shoal.Pram(stay=0.4, invariant=False).matrix(LETTERS, codes)) == pytest.approx([0.4] * 3)
    assert np.diag(shoal.Pram(stay=0.4).matrix(LETTERS, codes)) != pytest.approx([0.4] * 3)


def test_the_root_of_a_taxonomy_is_a_level_and_nothing_lies_above_it():
    codes = to_codes("letter", pa.chunked_array([["a", "e", "b", "c", "c"]]))
    rules = [shoal.Pram(stay=0.5, level=level) for level in (2, None)]
    assert (rules[0].matrix(LETTERS, codes) == rules[1].matrix(LETTERS, codes)).all()
    with pytest.raises(shoal.ShoalError, match="taxonomy"):
        shoal.Pram(level=3).matrix(LETTERS, codes)


def test_swaps_under_a_node_stay_within_their_class_too():
    chance = np.random.default_rng(3)
    table = pa.table({"letter": chance.choice(list("aebc"), 400), "sex": chance.choice(["f", "m", None], 400).tolist()})
    schema = shoal.Schema([LETTERS, shoal.Column("sex")])
    swapped = shoal.DataSwap(rate=1, within=("sex",), level=1, columns=("letter",)).perturb(table, schema, Rng(b"", 0))

    def counts(of):
        pairs = zip(of["letter"].to_pylist(), table["sex"].to_pylist(), strict=True)
        return sorted((letter in "ae", letter, str(sex)) for letter, sex in pairs)

    assert counts(swapped) == counts(table)
    assert swapped["letter"] != table["letter"]
    nodes = [[letter in "ae" for letter in each["letter"].to_pylist()] for each in (table, swapped)]
    assert nodes[0] == nodes[1]


def test_who_lives_nowhere_is_not_at_risk():
    regions = np.array([0, 0, 1, 1, -1, -1])
    swaps = shoal.record_swap(regions, np.arange(6), [[0, 1, 2, 3, 4, 5]], k=2)
    assert swaps.at_risk.tolist() == [True] * 4 + [False] * 2
    assert swaps.n_unpaired == 0
    assert (regions[swaps.source] >= 0).tolist() == [True] * 4 + [False] * 2


def test_what_is_exchanged_is_no_key():
    """A town of its own for everybody would put everybody at risk."""
    chance = np.random.default_rng(1)
    region, age = chance.integers(0, 3, 90), chance.integers(0, 4, 90)
    table = pa.table({"region": region, "town": np.arange(90), "age": age})
    names = ("region", "town", "age")
    schema = shoal.Schema([shoal.Column(name, "quasi_identifier") for name in names])
    by_rule = shoal.RecordSwap(region="region", columns=("region", "town"), k=3).perturb(table, schema, Rng(b"", 0))
    named = shoal.RecordSwap(region="region", columns=("region", "town"), keys=("age",), k=3).perturb(
        table, schema, Rng(b"", 0)
    )
    assert by_rule.equals(named)


def test_a_value_on_the_bound_does_not_lie_beyond_it():
    X = np.array([[1.0], [1.5], [2.0], [3.0], [9.0], [5.0], [7.0]])
    found = shoal.top_bottom_code(X, bottom=2, top=5, put="mean")
    assert found.ravel().tolist() == [1.25, 1.25, 2, 3, 8, 5, 8]


@pytest.mark.parametrize("unbiased", [False, True])
def test_what_rounds_to_zero_has_no_sign(unbiased):
    found = shoal.round_to(np.array([[-0.0], [-1e-300], [-2.0]]), 5, unbiased=unbiased)
    assert not np.signbit(found[found == 0]).any()


def test_reals_stay_reals_where_all_of_them_are_whole():
    table = pa.table({"x": [1.0, 7.0, None, 40.0]})
    assert shoal.Rounding(base=5).perturb(table, numeric("x"), Rng(b"", 0))["x"].type == pa.float64()


@pytest.mark.parametrize("put", ["bound", "mean"])
def test_gaps_count_in_no_share(put):
    values = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0]
    table = pa.table({"x": pa.array([*values, *[None] * 30], pa.float64())})
    released = shoal.TopBottomCode(top_share=0.2, put=put).perturb(table, numeric("x"), Rng(b"", 0))["x"]
    assert released.null_count == 30
    assert released.to_pylist()[:8] == values[:8]
    assert released.to_pylist()[8:10] == ([8.0, 8.0] if put == "bound" else [9.5, 9.5])


def test_a_mean_is_imputed_by_class_and_missing_where_a_class_knows_none():
    found, flags = shoal.impute(np.array([[1.0], [3.0], [np.nan], [np.nan], [8.0]]), how="mean", by=[0, 0, 0, 1, -1])
    assert np.array_equal(found.ravel(), [1, 3, 2, np.nan, 8], equal_nan=True)
    assert flags.ravel().tolist() == [False, False, True, False, False]
