"""Randomness in the pipeline: values are permuted within groups; every block, purpose and seed has its own stream."""

from collections import Counter

import numpy as np
import pyarrow as pa
import pytest

import shoal
import shoal.methods.microaggregation.repair
import shoal.pipeline.protect.microaggregation_step
from shoal.assessment import linkage_attacks
from shoal.assessment.table_pair import TablePair
from shoal.linkage.intruder import Intruder
from shoal.methods.microaggregation.repair import repair
from shoal.pipeline.protect.block_assignment import REPAIR_LIMIT
from shoal.release.assemble import Order
from shoal.rng import Rng

HALF = 60
METHODS = ["mdav", "mondrian"]


def twins():
    """Two regions of the same records; every sensitive value is somebody's own."""
    rng = np.random.default_rng(4)
    x, y = rng.normal(size=HALF), rng.normal(size=HALF)
    return pa.table(
        {
            "x": np.tile(x, 2),
            "y": np.tile(y, 2),
            "region": ["north"] * HALF + ["south"] * HALF,
            "disease": [f"disease {at}" for at in range(2 * HALF)],
            "drug": [f"drug {at}" for at in range(2 * HALF)],
        }
    )


def policy(**more):
    columns = {name: {"role": "quasi_identifier", "kind": "numeric"} for name in ("x", "y")}
    columns |= {"region": {"role": "other"}, "disease": {"role": "sensitive"}, "drug": {"role": "sensitive"}}
    return {"columns": columns, "requirements": [{"name": "k_anonymity", "k": 10}]} | more


def givers(release, name):
    """(n_records,) whose value every record got."""
    return np.array([int(value.split()[1]) for value in release.records[name].to_pylist()])


def inside(release, name, records):
    return Counter(zip(release.groups["group"].to_pylist(), records[name].to_pylist(), strict=True))


@pytest.mark.parametrize("within", [[], ["region"]], ids=["whole", "strata"])
@pytest.mark.parametrize("method", METHODS)
def test_values_are_dealt_inside_of_their_group(method, within):
    release = shoal.protect(
        twins(), policy(output={"permute": True, "shuffle": False}, method={"name": method}, within=within)
    )
    assert release.manifest.counts["n_groups"] > 4
    for name in ("disease", "drug"):
        assert inside(release, name, release.records) == inside(release, name, twins())
        assert np.mean(givers(release, name) == np.arange(2 * HALF)) < 0.4


@pytest.mark.parametrize("method", METHODS)
def test_strata_are_dealt_each_by_itself(method):
    """Who knows how one stratum was dealt knows nothing of its twin."""
    release = shoal.protect(
        twins(), policy(output={"permute": True, "shuffle": False}, method={"name": method}, within=["region"])
    )
    for name in ("disease", "drug"):
        north, south = np.split(givers(release, name), 2)
        assert np.mean(north == south - HALF) < 0.4
    assert np.mean(givers(release, "disease") == givers(release, "drug")) < 0.4


def draws(chance, purpose="anything"):
    draws = chance.for_purpose(purpose)
    return [draws.integer(), draws.integer()]


def test_every_block_purpose_seed_and_original_has_chance_of_its_own():
    plain = Rng(b"a key", 0)
    others = [plain.of_block(1), plain.of_block(2), Rng(b"a key", 1), Rng(b"another", 0)]
    found = [draws(plain), draws(plain, "something"), *map(draws, others)]
    assert len(set(map(tuple, found))) == len(found)
    assert draws(Rng(b"a key", 0)) == draws(plain)


@pytest.fixture
def seeds(monkeypatch):
    """The seeds of all descents."""
    found = []
    for room in (shoal.pipeline.protect.microaggregation_step, shoal.methods.microaggregation.repair):
        descend = room.descend

        def heard(records, labels, k, seed, descend=descend):
            found.append(seed)
            return descend(records, labels, k, seed)

        monkeypatch.setattr(room, "descend", heard)
    return found


def normal(n=2000):
    return np.random.default_rng(5).normal(size=(n, 2))


def test_blocks_of_a_repair_on_the_road_share_no_chance(seeds):
    x, y = normal(4 * REPAIR_LIMIT).T
    table = pa.table({"x": x, "y": y})
    columns = {name: {"role": "quasi_identifier", "kind": "numeric"} for name in table.column_names}
    rules = {"columns": columns, "requirements": [{"name": "k_anonymity", "k": 3}]}
    rules["blocking"] = {"method": "twod_tree", "limit": 200, "repair": True}
    shoal.protect(table, rules)
    first = sorted(seeds)
    assert len(set(first)) == len(first) > 3
    seeds.clear()
    shoal.protect(table, rules)
    assert sorted(seeds) == first
    seeds.clear()
    shoal.protect(table, rules | {"seed": 1})
    assert not set(seeds) & set(first)


def test_blocks_and_passes_of_a_repair_share_no_chance(seeds):
    X = normal()
    partition = shoal.mdav(X, 3)
    repair(X, partition, 3, limit=300, passes=2, threads=1)
    assert len(set(seeds)) == len(seeds) > 6
    first = set(seeds)
    seeds.clear()
    repair(X, partition, 3, limit=300, passes=2, seed=1, threads=1)
    assert not set(seeds) & first


def test_who_is_looked_for_is_drawn_by_the_seed(monkeypatch):
    monkeypatch.setattr(linkage_attacks, "MOST_PERSONS", 40)
    original = twins()
    columns = [shoal.Column(name, "quasi_identifier", "numeric") for name in ("x", "y")]
    aligned = TablePair.of(original, original, shoal.Schema(columns)).aligned(np.arange(len(original)))

    def sought(seed):
        tried = linkage_attacks.linkage_attacks(aligned, Intruder(seed=seed), ["x", "y"], ("distance",))
        assert any("40 persons drawn at random" in note for note in tried.notes)
        return tried.linkages["distance"].persons.tolist()

    drawn = [sought(seed) for seed in (0, 0, 1)]
    assert drawn[0] == drawn[1] != drawn[2]
    assert all(len(set(found)) == 40 for found in drawn)
    assert drawn[0] == sorted(drawn[0])


def test_a_share_of_the_persons_is_drawn_by_the_seed():
    zero, again, one = (Intruder(seed=seed, persons=0.5).known_persons(200).tolist() for seed in (0, 0, 1))
    assert zero == again != one
    assert len(set(zero)) == 100


def test_the_order_of_records_is_that_of_seed_and_original():
    ids = np.arange(1000)
    orders = [np.argsort(Order.of(Rng(*key)).places(ids)) for key in ((b"a key", 0), (b"a key", 1), (b"another", 0))]
    assert all(np.mean(order == ids) < 0.05 for order in orders)
    for one, other in ((0, 1), (0, 2), (1, 2)):
        assert np.mean(orders[one] == orders[other]) < 0.05  # one in 1000, by chance
