"""Blocks in the pipeline: groups stay inside of them, and the report says what they cost."""

from collections import defaultdict

import numpy as np
import pyarrow as pa
import pytest

import shoal

pytestmark = pytest.mark.slow


def table(n=4000):
    rng = np.random.default_rng(8)
    return pa.table({"x": rng.normal(size=n), "y": rng.normal(size=n), "region": rng.choice(["north", "south"], n)})


def policy(**more):
    columns = {name: {"role": "quasi_identifier", "kind": "numeric", "decimals": 12} for name in ("x", "y")}
    columns["region"] = {"role": "other"}
    return {"columns": columns, "requirements": [{"name": "k_anonymity", "k": 3}]} | more


BLOCKS = {"blocking": {"method": "twod_tree", "limit": 500}}


def test_blocks_cost_little_and_it_is_said():
    whole, blocked = shoal.protect(table(), policy()), shoal.protect(table(), policy(**BLOCKS))
    assert blocked.manifest.proof["holds"]
    assert any("blocks of a 2^d-tree" in note for note in blocked.manifest.notes)
    cost = blocked.findings["SSE / SST inside of blocks"]
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
