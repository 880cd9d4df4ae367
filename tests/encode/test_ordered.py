"""Every kind of column has a place in an order, so that blocking can halve it."""

import numpy as np
import pyarrow as pa

import shoal
from shoal.encode.embedding import fit_embedding

TREE = shoal.Taxonomy((("oak", "tree", "*"), ("rose", "flower", "*"), ("elm", "tree", "*"), ("tulip", "flower", "*")))


def column(name, kind, **more):
    return shoal.Column(name, role="quasi_identifier", kind=kind, **more)


def places(values, kind, **more):
    table = pa.table({"c": values})
    return fit_embedding(table, shoal.Schema([column("c", kind, **more)])).coordinates(table)[:, 0]


def test_values_below_one_node_stand_side_by_side():
    elm, oak, rose, tulip = places(["elm", "oak", "rose", "tulip"], "nominal", taxonomy=TREE)
    assert oak < elm < rose < tulip


def test_an_order_is_kept_and_missing_sits_at_the_mean():
    found = places(["high", "low", None, "middle"], "ordinal", order=("low", "middle", "high"))
    assert found[1] < found[3] < found[0]
    assert found[2] == 0
    assert np.isclose(found[[0, 1, 3]].std(), 1)


def test_mixed_records_are_blocked_by_order_and_grouped_by_distance():
    chance = np.random.default_rng(0)
    table = pa.table(
        {
            "age": chance.integers(18, 90, 2000),
            "plant": chance.choice(["oak", "elm", "rose", "tulip"], 2000),
            "level": chance.choice(["low", "high"], 2000),
        }
    )
    kinds = [column("age", "numeric"), column("plant", "nominal", taxonomy=TREE)]
    schema = shoal.Schema([*kinds, column("level", "ordinal", order=("low", "high"))])
    embedding = fit_embedding(table, schema)
    blocks = shoal.twod_tree(embedding.coordinates(table), limit=200, k=3)
    assert blocks.sizes.max() <= 200
    shoal.mdav(embedding.points(table), 3, blocks=blocks).check(3)
    plants = np.array(table["plant"].to_pylist())
    kinds_of_block = [set(plants[blocks.labels == block]) for block in range(blocks.n_groups)]
    assert np.mean([kinds <= {"oak", "elm"} or kinds <= {"rose", "tulip"} for kinds in kinds_of_block]) > 0.9
