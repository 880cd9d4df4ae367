"""Gensearch: the optimum of small problems by brute force, what it promises of large ones, and what it refuses."""

from dataclasses import replace

import numpy as np
import pyarrow as pa
import pytest

import shoal
from reference import requirements as twin
from reference.best_cuts import least_loss
from shoal.encode.counts import count_combinations
from shoal.errors import ShoalError
from shoal.losses import LOSSES, measure, total
from shoal.methods.generalization.certificate import Certificate, check
from shoal.methods.generalization.optimal import Gensearch

TREES = (((0, 1), (2, 3)), ((0, 1, 2), (3,)), (0, 1, 2))  # nested: height 2, 2, 1


def paths_of(tree):
    """value -> ... -> root, as a hierarchy file has them."""
    if all(isinstance(child, int) for child in tree):
        return tuple((f"v{leaf}", "*") for leaf in tree)
    return tuple((f"v{leaf}", f"b{at}", "*") for at, branch in enumerate(tree) for leaf in branch)


def a_problem(seed):
    """A few records of two or three columns, lines and trees, and a sensitive value."""
    chance = np.random.default_rng(seed)
    d = int(chance.integers(1, 4))
    columns, box, codes = [], [], []
    n = int(chance.integers(6, 16))
    for j in range(d):
        if chance.random() < 0.5:
            tree = TREES[chance.integers(3)] if d < 3 else TREES[2]
            size = sum(len(branch) if isinstance(branch, tuple) else 1 for branch in tree)
            taxonomy = shoal.Taxonomy(paths_of(tree))
            columns.append(shoal.Column(f"c{j}", role="quasi_identifier", kind="nominal", taxonomy=taxonomy))
            box.append(tree)
        else:
            size = int(chance.integers(2, 5 if d < 3 else 4))
            columns.append(shoal.Column(f"c{j}", role="quasi_identifier", kind="numeric"))
            box.append(range(size))
        codes.append(chance.integers(0, size, n))
    values = chance.choice(list("aab" if chance.random() < 0.5 else "abcd"), n)
    columns.append(shoal.Column("s", role="sensitive", kind="ordinal", order=("a", "b", "c", "d")))
    cells = {
        column.name: (code if column.kind == "numeric" else [f"v{c}" for c in code])
        for column, code in zip(columns, codes, strict=False)
    }
    table = pa.table({**cells, "s": values})
    cuts = {c.name: list(range(1, len(part))) for c, part in zip(columns, box, strict=False) if c.kind == "numeric"}
    records = list(zip(*(code.tolist() for code in codes), values.tolist(), strict=True))
    return table, shoal.Schema(columns), cuts, records, tuple(box)


def asked_of(seed, records):
    """Requirements that all records together hold, and the same as a predicate of records."""
    whole = [record[-1] for record in records]
    pool = [
        (shoal.DistinctLDiversity(2, "s"), lambda g: twin.distinct_l(g) >= 2),
        (shoal.EntropyLDiversity(1.6, "s"), lambda g: twin.entropy_l(g) >= 1.6 - 1e-6),
        (shoal.RecursiveLDiversity(2, 2, "s"), lambda g: twin.recursive_l(g, 2) >= 2),
        (shoal.TCloseness(0.3, "s"), lambda g: twin.t_equal(g, whole) <= 0.3 + 1e-6),
        (
            shoal.TCloseness(0.25, "s", "ordered"),
            lambda g: twin.t_ordered(["abcd".index(v) for v in g], ["abcd".index(v) for v in whole]) <= 0.25 + 1e-6,
        ),
        (shoal.EpsilonPrivacy(4, 3, 0, "s"), lambda g: twin.epsilon_holds(g, 4, 3, 0)),
    ]
    chance = np.random.default_rng(seed)
    k = int(chance.integers(2, 4))
    extra = [pool[at] for at in chance.permutation(len(pool))[: chance.integers(0, 3)] if pool[at][1](whole)]

    def holds(members):
        values = [record[-1] for record in members]
        return len(members) >= k and all(predicate(values) for _, predicate in extra)

    return [shoal.KAnonymity(k), *(wanted for wanted, _ in extra)], holds


@pytest.mark.parametrize("loss", ["discernibility", "classification", "volume"])
@pytest.mark.parametrize("empty_blocks", [True, False])
@pytest.mark.parametrize("batch", range(4))
def test_the_optimum_is_that_of_brute_force(loss, empty_blocks, batch):
    for seed in range(10 * batch, 10 * batch + 10):
        table, schema, cuts, records, box = a_problem(seed)
        wanted, holds = asked_of(seed, records)
        found = shoal.gensearch(table, schema, wanted, loss, target="s", cuts=cuts, empty_blocks=empty_blocks)
        assert found.is_optimal
        assert found.lower_bound == found.cost == least_loss(records, box, holds, loss, empty_blocks), seed
        counts = count_combinations(table, table.column_names)
        blocks = measure(found.tree, counts, "s")
        assert total(LOSSES[loss], blocks) == found.cost
        assert empty_blocks or blocks.totals.min() > 0
        labels = found.tree.block_of(table)
        assert all(holds([records[i] for i in np.flatnonzero(labels == b)]) for b in np.unique(labels))
        checked = check(found.certificate, counts, schema, wanted, cuts)
        assert checked.holds
        assert checked.bound_holds
