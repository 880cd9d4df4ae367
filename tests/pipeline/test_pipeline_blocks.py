"""Blocks in the pipeline: groups stay inside of them, and the report says what they cost."""

from collections import defaultdict
from dataclasses import fields
from functools import reduce
from operator import add

import numpy as np
import pyarrow as pa
import pytest

import shoal
from shoal.blocking.point_sample import sampled_rows
from shoal.blocking.tree_plan import InMemory
from shoal.engines.memory import MemoryEngine
from shoal.pipeline.protect.fitted_table import FittedTable
from shoal.pipeline.protect.stratum_records import StratumRecords
from shoal.policy import load
from shoal.schema.helper_columns import RECORD_ID


def table(n=1200):
    rng = np.random.default_rng(8)
    return pa.table({"x": rng.normal(size=n), "y": rng.normal(size=n), "region": rng.choice(["north", "south"], n)})


def policy(**more):
    columns = {name: {"role": "quasi_identifier", "kind": "numeric", "decimals": 12} for name in ("x", "y")}
    columns["region"] = {"role": "other"}
    return {"columns": columns, "requirements": [{"name": "k_anonymity", "k": 3}]} | more


BLOCKS = {"blocking": {"method": "twod_tree", "limit": 150, "repair": False}}


@pytest.mark.gate
def test_blocks_cost_little_and_it_is_said():
    whole, blocked = shoal.protect(table(), policy()), shoal.protect(table(), policy(**BLOCKS))
    assert blocked.manifest.proof["holds"]
    assert any("blocks of a 2^d-tree" in note for note in blocked.manifest.notes)
    cost = blocked.findings["SSE / SST within blocks"]
    assert cost.baseline == pytest.approx(whole.findings["information loss"].estimate)
    assert cost.baseline < cost.estimate < 1.5 * cost.baseline
    assert blocked.findings["blocks"].estimate > 4
    assert "parted by blocks" in blocked.report()


def test_strata_are_divided_each_by_itself():
    release = shoal.protect(table(), policy(within=["region"], **BLOCKS))
    regions = defaultdict(set)
    for group, region in zip(release.groups["group"].to_pylist(), table()["region"].to_pylist(), strict=True):
        regions[group].add(region)
    assert all(len(found) == 1 for found in regions.values())
    assert release.manifest.proof["holds"]


POINTS = np.column_stack([table()[name].to_numpy() for name in ("x", "y")])
STANDARD = shoal.standardize(POINTS)
FORMS = {
    "the dimensions that are named": (
        {"method": "twod_tree", "limit": 150, "dimensions": ["y"]},
        shoal.twod_tree(STANDARD, 3, limit=150, dimensions=[1]),
    ),
    "the tree as published": (
        {"method": "twod_tree", "limit": 150, "whole": True},
        shoal.twod_tree(STANDARD, 3, limit=150, whole=True),
    ),
    "fusion within the limit": (
        {"method": "twod_tree", "limit": 6, "fuse": "supervised"},
        shoal.twod_tree(STANDARD, 3, limit=6, fuse="supervised"),
    ),
    "intervals of a column": (
        {"method": "univariate", "limit": 150, "dimensions": ["y"]},
        shoal.univariate_blocks(STANDARD, 3, column=1, limit=150),
    ),
    "parts of a map": (
        {"method": "som", "limit": 150, "map": {"size": [4, 3]}},
        shoal.som_blocks(STANDARD, 3, rules=shoal.MapRules(size=(4, 3))),
    ),
}


@pytest.mark.gate(but=("the dimensions that are named", "the tree as published", "intervals of a column"))
@pytest.mark.parametrize(("blocking", "blocks"), FORMS.values(), ids=FORMS)
def test_records_are_grouped_inside_of_the_blocks_that_the_policy_names(blocking, blocks):
    release = shoal.protect(table(), policy(blocking=blocking | {"repair": False}))
    expected = shoal.mdav(STANDARD, 3, blocks=blocks)
    found = release.groups["group"].to_numpy()
    pairs = np.unique(np.column_stack([found, expected.labels]), axis=0)
    assert len(pairs) == expected.n_groups == np.unique(found).size  # the same groups under other numbers
    assert release.manifest.proof["holds"]


def test_without_a_name_the_column_that_explains_most_is_divided():
    wide = table().set_column(1, "y", pa.array(POINTS[:, 0] * 2 + 0.1 * POINTS[:, 1]))
    (note,) = (
        note
        for note in shoal.protect(wide, policy(blocking={"method": "univariate"})).manifest.notes
        if "blocks of one column" in note
    )
    assert note.startswith("1,200 records were grouped within ")


def test_samples_and_blocks_of_a_stratum_are_the_same_wherever_pieces_end():
    original = FittedTable.read(MemoryEngine(), table(), load(policy(within=["region"])))
    strata, embedding = original.division.strata, original.embedding
    records = table().append_column(RECORD_ID, pa.array(np.arange(1200)))

    sorted_records = records.take(np.argsort(strata.stratum_of(records), kind="stable"))  # pieces of one stratum

    def total(names, of):
        return reduce(add, [of(sorted_records.slice(first, 70)) for first in reversed(range(0, 1200, 70))])

    for stratum in range(2):
        ids = np.flatnonzero(strata.stratum_of(table()) == stratum)
        whole = InMemory(embedding.coordinates(table().take(ids)))
        pieces = StratumRecords(stratum, strata, embedding, total)
        rule, blocks = shoal.twod_tree(whole.records, 3, limit=60).rule, np.array([0, 2, 3])
        assert (pieces.sample(50) == whole.records[sampled_rows(ids, 50)]).all()
        assert (pieces.points() == whole.records).all()
        ranges, both = whole.ranges(), [(pieces.ranges(), whole.ranges())]
        both += [(each.spread(ranges), each.spreads(rule, ranges)) for each in (pieces, whole)]
        for found, expected in (both[0], *zip(*both[1:], strict=True)):
            for field in fields(found):
                assert np.array_equal(getattr(found, field.name), getattr(expected, field.name))
        for found, expected in zip(pieces.points_of(rule, blocks), whole.points_of(rule, blocks), strict=True):
            assert (found == expected).all()
