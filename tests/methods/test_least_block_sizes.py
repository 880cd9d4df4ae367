"""Records that a block around a cell has at least, against all boxes of small tables."""

from itertools import product

import numpy as np
import pyarrow as pa
import pytest

import shoal
from reference.all_blocks import parts_of
from shoal.encode.combination_counts import count_combinations
from shoal.methods.generalization.coded_counts import CodedCounts
from shoal.methods.generalization.least_block_sizes import least_block_sizes

TOWNS = shoal.Taxonomy(tuple((f"t{i}", f"r{i // 2}", "*") for i in range(4)))


def coded_of(seed, wanted):
    chance = np.random.default_rng(seed)
    table = pa.table(
        {
            "age": chance.integers(0, 6, 40),
            "town": [f"t{i}" for i in chance.integers(0, 4, 40)],
            "sex": chance.choice(["f", "m"], 40),
        }
    )
    columns = [
        shoal.Column("age", role="quasi_identifier", kind="numeric"),
        shoal.Column("town", role="quasi_identifier", kind="nominal", taxonomy=TOWNS),
        shoal.Column("sex", role="quasi_identifier", kind="nominal"),
    ]
    counts = count_combinations(table, table.column_names)
    return CodedCounts.of(counts, shoal.Schema(columns), wanted, {"age": [1, 2, 3, 4, 5]})


def is_long(attribute, part, wanted):
    return (
        attribute.domain.name != wanted.column or attribute.lengths(*(np.array([at]) for at in part))[0] >= wanted.width
    )


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("wanted", [shoal.MinimumLength(2, "age"), shoal.MinimumLength(1, "town")], ids=repr)
def test_no_block_that_is_long_enough_has_fewer_records(wanted, seed):
    coded = coded_of(seed, [shoal.KAnonymity(2), wanted])
    sizes = least_block_sizes(coded, coded.codes, coded.n, 2)
    boxes = product(*([p for p in parts_of(a) if is_long(a, p, wanted)] for a in coded.attributes))
    fewest = np.full(len(sizes), coded.n.sum())
    for box in boxes:
        inside = np.all([(coded.codes[:, j] >= p[0]) & (coded.codes[:, j] < p[1]) for j, p in enumerate(box)], axis=0)
        fewest[inside] = np.minimum(fewest[inside], coded.n[inside].sum())
    assert (sizes == np.maximum(fewest, 2)).all()
    assert (sizes > np.maximum(coded.n, 2)).any()
