"""Weights of columns: every method loses less on a column the more it weighs, and nothing depends on weight 0."""

import numpy as np
import pyarrow as pa
import pytest

import shoal
from shoal.blocking.tree_plan import TreeOptions
from shoal.encode.count_table import CountTable
from shoal.encode.embedding import fit_embedding
from shoal.errors import PolicyError
from shoal.losses import Certainty, measure
from shoal.methods import Gensearch, GlobalRecoding, Mondrian
from shoal.methods.generalization.certificate import check
from shoal.methods.generalization.coded_counts import CodedCounts
from shoal.methods.generalization.exhaustive_boxes import optimum

WEIGHTS = (0, 0.5, 1, 2)
TOWNS = shoal.Taxonomy(tuple((f"{a}{b}", a, "*") for a in "xyz" for b in "123"))
K = [shoal.KAnonymity(4)]


def table(n=300, seed=5):
    chance = np.random.default_rng(seed)
    return pa.table(
        {
            "age": chance.integers(18, 66, n),
            "income": np.round(chance.lognormal(7, 0.6, n)),
            "town": chance.choice([path[0] for path in TOWNS.paths], n),
            "sex": chance.choice(["f", "m", "x"], n, p=[0.5, 0.45, 0.05]),
        }
    )


def schema(weight=1.0, column="town", without=False, **kinds):
    every = {
        "age": {"kind": "numeric"},
        "income": {"kind": "numeric"},
        "town": {"kind": "nominal", "taxonomy": TOWNS},
        "sex": {"kind": "nominal"},
    }
    roles = {name: "other" if without and name == column else "quasi_identifier" for name in every}
    weights = {column: weight} if not without else {}
    return shoal.Schema(
        shoal.Column(name, role=roles[name], weight=weights.get(name, 1.0), **about) for name, about in every.items()
    )


def spread_of(column, found):
    """How often two records of a group differ on a nominal column: nothing is lost where they never do."""
    codes = pa.array(column).dictionary_encode().indices.to_numpy()
    shares = np.zeros((found.n_groups, codes.max() + 1))
    np.add.at(shares, (found.labels, codes), 1)
    return float((shares.sum(axis=1) - (shares**2).sum(axis=1) / shares.sum(axis=1)).sum())


METHODS = {
    "mdav": lambda X: shoal.mdav(X, 4),
    "vmdav": lambda X: shoal.vmdav(X, 4, gamma=0.5),
    "mu_approx": lambda X: shoal.mu_approx(X, 4),
    "microaggregate": lambda X: shoal.microaggregate(X, 4, proposals=2000).partition,
}


@pytest.mark.parametrize("method", ["mdav", "vmdav", "mu_approx"])
@pytest.mark.parametrize("column", ["town", "sex"])
def test_groups_are_more_alike_on_a_column_the_more_it_weighs(method, column):
    records, lost = table(), []
    for weight in WEIGHTS:
        points = fit_embedding(records, schema(weight, column)).weighted(schema(weight, column)).points(records)
        lost.append(spread_of(records[column].to_pylist(), METHODS[method](points)))
    assert lost == sorted(lost, reverse=True)
    assert len(set(lost)) == len(WEIGHTS)


def test_points_of_weight_0_are_those_without_the_column():
    records = table()
    weighted = fit_embedding(records, schema(0)).weighted(schema(0))
    left_out = fit_embedding(records, schema(without=True))
    np.testing.assert_array_equal(weighted.points(records), left_out.points(records))
    np.testing.assert_array_equal(weighted.coordinates(records), left_out.coordinates(records))
    assert weighted.names == left_out.names
    assert TreeOptions(50, 4, names=weighted.names).names == ("age", "income", "sex")


def test_squared_distances_are_multiplied_by_the_weight():
    records, heavy = table(), schema(2.5, "income")
    plain = fit_embedding(records, heavy).points(records)
    points = fit_embedding(records, heavy).weighted(heavy).points(records)
    np.testing.assert_allclose(points[:, 1] ** 2, 2.5 * plain[:, 1] ** 2, rtol=1e-12)
    np.testing.assert_array_equal(np.delete(points, 1, axis=1), np.delete(plain, 1, axis=1))


def test_weight_1_changes_no_bit():
    records = table()
    fitted = fit_embedding(records, schema())
    assert fitted.weighted(schema()).points(records).tobytes() == fitted.points(records).tobytes()


def widths(tree, records, column):
    """Mean share of the column that the block of a record covers, in percent."""
    counts = CountTable(records, np.ones(len(records), dtype=np.int64))
    return Certainty().percent_of_columns(measure(tree, counts))[tree.columns.index(column)]


def cut(method, records, about):
    counts = CountTable(records, np.ones(len(records), dtype=np.int64))
    return method.cut(counts, about, K)


CUTTING = {
    "mondrian": Mondrian(),
    "mondrian_greedy": Mondrian(mode="greedy", loss="certainty"),
    "mondrian_subsets": Mondrian(unordered="subsets"),
    "recoding_levels": GlobalRecoding(loss="certainty"),
    "recoding_cuts": GlobalRecoding(scheme="cuts", loss="certainty"),
    "gensearch": Gensearch(loss="certainty", nodes=20_000, cuts={"age": 4, "income": 4}),
}


@pytest.mark.gate(but=("age-mondrian", "age-mondrian_greedy", "age-mondrian_subsets"))
@pytest.mark.parametrize("method", CUTTING)
@pytest.mark.parametrize("column", ["age", "town"])
def test_blocks_are_narrower_on_a_column_the_more_it_weighs(method, column):
    records = table().drop_columns(["sex"])
    lost = []
    for weight in WEIGHTS:
        about = shoal.Schema(c for c in schema(weight, column).columns if c.name != "sex")
        lost.append(widths(cut(CUTTING[method], records, about), records, column))
    assert lost == sorted(lost, reverse=True), lost
    assert lost[-1] < lost[1] < lost[0] or method.startswith("recoding"), lost
    assert lost[-1] < lost[0]


@pytest.mark.gate(but=("age-mondrian", "age-mondrian_greedy", "age-mondrian_subsets"))
@pytest.mark.parametrize("method", CUTTING)
@pytest.mark.parametrize("column", ["age", "town", "sex"])
def test_blocks_of_weight_0_are_those_without_the_column(method, column):
    records = table()
    chosen = CUTTING[method]
    if method == "gensearch":
        chosen = Gensearch(loss="certainty", nodes=5_000, cuts={"income": 4})
    weighted = cut(chosen, records, schema(0, column)).block_of(records)
    left_out = cut(chosen, records, schema(column=column, without=True)).block_of(records)
    np.testing.assert_array_equal(*(np.unique(blocks, return_inverse=True)[1] for blocks in (weighted, left_out)))


@pytest.mark.parametrize("weight", [0, 0.3, 1, 7])
def test_the_optimum_of_gensearch_is_that_of_all_partitions(weight):
    """The slow twin tries every partition; the certificate is checked again on the counts, with the weight."""
    records = table(80).select(["age", "town"])
    about = shoal.Schema([*(c for c in schema(weight).columns if c.name in ("age", "town"))])
    found = shoal.gensearch(records, about, K, loss="certainty", cuts={"age": 6})
    counts = CountTable(records, np.ones(len(records), dtype=np.int64))
    coded = CodedCounts.of(counts, about, K, {"age": 6})
    assert found.is_optimal
    assert found.cost == pytest.approx(optimum(coded, "certainty", None, True), rel=1e-5)
    assert check(found.certificate, counts, about, K, {"age": 6}).holds
    assert dict(found.certificate.weights) == ({} if weight == 1 else {"town": weight})
    assert type(found.certificate).from_json(found.certificate.to_json()) == found.certificate


def test_a_certificate_for_other_weights_does_not_hold():
    records = table(80).select(["age", "town"])
    light, heavy = (shoal.Schema([*(c for c in schema(w).columns if c.name in ("age", "town"))]) for w in (1, 3))
    found = shoal.gensearch(records, light, K, loss="certainty", cuts={"age": 6})
    counts = CountTable(records, np.ones(len(records), dtype=np.int64))
    assert not check(found.certificate, counts, heavy, K, {"age": 6}).cost_holds


@pytest.mark.parametrize("weight", [-1, float("nan"), float("inf")])
def test_a_weight_is_a_number_from_0(weight):
    with pytest.raises(PolicyError, match=r"columns\.age\.weight must be 0 or more"):
        shoal.Column("age", role="quasi_identifier", weight=weight)


def test_only_a_quasi_identifier_has_a_weight():
    with pytest.raises(PolicyError, match=r"columns\.age\.weight is only allowed with role = 'quasi_identifier'"):
        shoal.Column("age", role="sensitive", weight=2)
