"""Linkage risk: laws, twins, and what weights, households and ids change."""

from dataclasses import replace

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import shoal
from reference import linkage as twin
from reference.tables import tables
from shoal.confidence import effective_number, wilson
from shoal.encode.whiten import whiten
from shoal.linkage.candidates import Candidates, Runs
from shoal.linkage.linkage_tables import encode_linkage_arrays
from shoal.linkage.probabilistic_linkage import probabilistic_linkage

MEASURES = ("distance", "mahalanobis", "rank", "probabilistic")


def people(n=60, seed=0):
    chance = np.random.default_rng(seed)
    return pa.table(
        {
            "code": [f"P{i}" for i in range(n)],
            "age": chance.integers(18, 90, n),
            "rent": chance.normal(800, 200, n),
            "sex": chance.choice(["f", "m"], n).tolist(),
            "town": chance.choice(["Ash", "Elm", "Oak", None], n).tolist(),
        }
    )


def link(original, released, schema=None, **more):
    """Record i is record i."""
    return shoal.link(original, released, schema, truth="position", **more)


def known(*names):
    return shoal.Intruder(columns=names or ("age", "rent", "sex", "town"))


def n_alike(table):
    """How many records are like each one."""
    records = list(zip(*(column.to_pylist() for column in table.columns), strict=True))
    return np.array([records.count(record) for record in records])


@given(tables(), st.data())
def test_it_agrees_with_looking_at_every_pair(X, data):
    chance = np.random.default_rng(data.draw(st.integers(0, 2**32)))
    Y = X[chance.permutation(len(X))] if data.draw(st.booleans()) else X + chance.integers(-1, 2, X.shape)
    n_keys, k = data.draw(st.integers(1, 4)), data.draw(st.integers(1, 3))
    passes = data.draw(st.integers(0, 2))
    keys = [chance.integers(0, n_keys, (2, len(X))) for _ in range(passes)]
    candidates = Candidates(tuple(Runs.of_keys(*both) for both in keys)) if keys else None
    among = [
        {j for j in range(len(X)) if not keys or any(one[i] == other[j] for one, other in keys)} for i in range(len(X))
    ]

    def measure(i, j):
        return twin.squared_distance(X[i], Y[j])

    links = shoal.distance_linkage(X, Y, k=k, candidates=candidates)
    assert links.chances.tolist() == twin.chances(measure, range(len(X)), among, k)
    assert list(zip(links.records, links.n_ties, strict=True)) == twin.nearest(measure, among)


def test_trees_in_large_blocks_find_what_a_scan_finds():
    chance = np.random.default_rng(3)
    X = chance.normal(size=(3000, 4))
    Y = X + 0.5 * chance.normal(size=X.shape)
    labels = chance.integers(0, 3, (2, 3000))
    links = shoal.distance_linkage(X, Y, candidates=Candidates((Runs.of_keys(*labels),)))
    for i in range(0, 3000, 211):
        among = np.flatnonzero(labels[1] == labels[0, i])
        distances = ((Y[among] - X[i]) ** 2).sum(axis=1)
        assert links.records[i] == among[distances.argmin()]
        assert links.chances[i] == (links.records[i] == i)


@pytest.mark.parametrize("by", MEASURES)
@pytest.mark.parametrize("columns", [("age", "rent", "sex", "town"), ("age", "sex"), ("sex", "town")])
def test_the_untouched_file_gives_one_over_the_ties(by, columns):
    table = people()
    if by == "probabilistic":  # where a value is missing it says nothing; everywhere else missing is like missing
        table = table.filter(table["town"].is_valid())
    linked = link(table, table, by=by, intruder=known(*columns))
    assert linked.chances == pytest.approx(1 / n_alike(table.select(list(columns))))


@pytest.mark.parametrize("by", MEASURES)
@pytest.mark.parametrize("k", [1, 7])
def test_a_constant_file_gives_the_baseline(by, k):
    table = people()
    constant = pa.table({name: [table[name][3].as_py()] * len(table) for name in ("age", "rent", "sex")})
    linked = link(table, constant, by=by, k=k, intruder=known("age", "rent", "sex"))
    assert linked.chances == pytest.approx(k / 60)
    assert linked.risk == pytest.approx(linked.baseline) == pytest.approx(k / 60)


@given(tables(), st.integers(0, 2**32))
def test_more_guesses_find_more(X, seed):
    Y = X + np.random.default_rng(seed).normal(size=X.shape)
    risks = [shoal.distance_linkage(X, Y, k=k).chances.mean() for k in range(1, len(X) + 1)]
    assert (np.diff(risks) >= -1e-12).all()
    assert risks[-1] == 1


@given(tables(), st.integers(0, 2**32))
def test_the_order_of_the_release_changes_no_chance(X, seed):
    chance = np.random.default_rng(seed)
    Y = X + chance.normal(size=X.shape)
    order = chance.permutation(len(X))
    place = np.argsort(order)
    in_order = shoal.distance_linkage(X, Y).chances
    assert (shoal.distance_linkage(X, Y[order], truth=place).chances == in_order).all()


def test_ranks_see_through_what_keeps_the_order():
    X = np.random.default_rng(0).normal(size=(50, 3))
    assert shoal.rank_linkage(X, np.exp(3 * X) + 5).chances.mean() == 1
    assert shoal.distance_linkage(X, np.exp(3 * X) + 5).chances.mean() < 0.5


def test_mahalanobis_is_blind_to_linear_maps_and_repeated_columns():
    chance = np.random.default_rng(1)
    X = chance.normal(size=(80, 3))
    Y = X + 0.5 * chance.normal(size=X.shape)
    mixed = chance.normal(size=(3, 3))
    together = np.cov(np.vstack([X, Y]).T, bias=True)
    expected = [[(x - y) @ np.linalg.solve(together, x - y) for y in Y] for x in X]
    plain, mapped, repeated = (
        whiten(X, Y), whiten(X @ mixed, Y @ mixed), whiten(X[:, [0, 1, 1, 2]], Y[:, [0, 1, 1, 2]]),
    )  # fmt: skip
    for one, other in (plain, mapped, repeated):
        found = ((one[:, None] - other[None, :]) ** 2).sum(axis=2)
        assert found == pytest.approx(np.array(expected), rel=1e-6)


def test_probabilistic_links_agree_with_looking_at_every_pair():
    chance = np.random.default_rng(2)
    X = chance.integers(0, 6, (40, 3)).astype(float)
    Y = X + chance.integers(0, 2, X.shape)
    sides = encode_linkage_arrays(X, Y)
    links, model = probabilistic_linkage(sides, np.arange(sides.n_original), k=2)
    deviations = np.vstack([X, Y]).std(axis=0)
    weights = model.weights

    def measure(i, j):
        apart = np.abs(X[i] - Y[j])
        levels = (apart == 0) * 1 + (apart <= 0.1 * deviations) + (apart <= 0.5 * deviations)
        total = 0.0
        for weight, level in zip(weights, levels, strict=True):
            total += weight[level]
        return -total

    everybody = [set(range(40))] * 40
    assert links.chances.tolist() == twin.chances(measure, range(40), everybody, 2)
    assert list(zip(links.records, links.n_ties, strict=True)) == twin.nearest(measure, everybody)


def test_files_of_different_length_are_linked_by_an_id():
    table = people()
    released = table.take(list(range(59, 9, -1)))  # fifty of them, in another order
    linked = shoal.link(table, released, id="code", intruder=known())
    assert linked.risk == pytest.approx(50 / 60)
    assert linked.baseline == pytest.approx(50 / 60 / 50)
    assert (linked.truth[:10] == -1).all()
    assert (linked.links.records[10:] == np.arange(49, -1, -1)).all()


def test_weights_count_persons():
    table = people().append_column("weight", [[1.0] * 30 + [3.0] * 30])
    ages = [*table["age"].to_pylist()[:30], *[0] * 30]  # the second half is masked beyond recognition
    released = table.set_column(1, "age", [ages])
    weights = shoal.Schema([shoal.Column("weight", "weight", "numeric")])
    counted = link(table, released, intruder=known("age", "rent"))  # a name alone decides nothing
    weighed = link(table, released, weights, intruder=known("age", "rent"))
    assert (counted.chances == weighed.chances).all()
    assert weighed.risk == pytest.approx((weighed.chances[:30].sum() + 3 * weighed.chances[30:].sum()) / 120)
    assert weighed.risk < counted.risk
    assert effective_number(weighed.weights) == pytest.approx(120**2 / 300)


def test_households_are_found_with_one_of_their_members():
    table = people()
    homes = table.append_column("household_id", [[*[20] * 12, *np.repeat(np.arange(16), 3)]])
    released = table.set_column(2, "rent", [np.random.default_rng(1).permutation(table["rent"].to_numpy())])
    declared = shoal.Schema([shoal.Column("household_id", "household", "nominal")])
    alone, together = (link(homes, released, schema, intruder=known("age", "rent")) for schema in (None, declared))
    assert alone.risk == together.risk
    assert alone.household_risk is None
    nobody = [(1 - together.chances[:12]).prod(), *(1 - together.chances[12:]).reshape(16, 3).prod(axis=1)]
    assert together.household_risk == pytest.approx(1 - np.mean(nobody))
    width = [
        np.diff(replace(found, n_population=None).interval) for found in (alone, together)
    ]  # of persons like these
    assert width[1] > width[0]  # sixty records, but only seventeen households


def test_what_the_intruder_does_not_know_protects():
    table = people(300)
    exact = link(table, table, intruder=known("age", "rent"))
    vague = link(table, table, intruder=shoal.Intruder(columns=("age", "rent"), precision={"age": 10, "rent": 500}))
    assert exact.risk == 1
    assert vague.risk < 0.5
    few = link(table, table, intruder=shoal.Intruder(columns=("age", "rent"), persons=0.1, seed=4))
    assert len(few.persons) == 30
    assert few.risk == 1
    assert few.interval[0] < exact.interval[0]
    assert exact.to_dict()["interval"] is exact.findings["linked persons"].interval is None  # counted
    assert few.findings["linked persons"].interval is not None  # estimated for all
    chosen = link(table, table, intruder=shoal.Intruder(columns=("age", "rent"), persons=(7, 3)))
    assert chosen.is_counted
    assert chosen.persons.tolist() == chosen.links.records.tolist() == [3, 7]


def test_who_is_at_risk():
    table = people()
    linked = link(table, table, intruder=known("sex", "town"))
    high = linked.at_risk(0.2)
    assert (np.diff(linked.chances[high]) <= 0).all()
    assert set(high) == set(np.flatnonzero(linked.chances >= 0.2))


@pytest.mark.parametrize("blocking", ["standard", "sorted", "fuzzy", "auto"])
@pytest.mark.parametrize("by", MEASURES)
def test_blocking_loses_what_its_recall_says(by, blocking):
    table = people(200)
    linked = link(table, table, by=by, blocking=blocking, intruder=known("age", "rent"))
    assert linked.blocking.recall == 1
    assert linked.risk == 1
    assert linked.findings["recall of the blocking"].estimate == 100
    assert 0 <= linked.blocking.reduction_ratio < 1


@given(st.integers(0, 50), st.integers(1, 50))
def test_the_interval_holds_the_share(n_found, n_more):
    n = n_found + n_more
    low, high = wilson(n_found / n, n)
    assert 0 <= low <= n_found / n <= high <= 1


def test_wilson_by_hand():
    assert wilson(0.5, 10) == pytest.approx((0.236593, 0.763407), abs=1e-6)
    assert wilson(0.0, 10) == pytest.approx((0.0, 0.277533), abs=1e-6)
