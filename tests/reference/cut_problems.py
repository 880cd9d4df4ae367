"""Small problems for a search of cuts: lines and trees, gaps, requirements that the whole table holds."""

import contextlib

import numpy as np
import pyarrow as pa

import shoal
from reference import requirements as twin
from shoal.encode.combination_counts import count_combinations
from shoal.methods.generalization.box_search import BoxSearch
from shoal.methods.generalization.boxes import Boxes
from shoal.methods.generalization.certificate import classes_of
from shoal.methods.generalization.coded_counts import CodedCounts
from shoal.methods.generalization.gensearch import Gensearch

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
        (shoal.TCloseness(0.3, "s", "equal"), lambda g: twin.t_equal(g, whole) <= 0.3 + 1e-6),
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


JOBS = shoal.Taxonomy(
    (("nurse", "health", "*"), ("doctor", "health", "*"), ("baker", "food", "*"), ("cook", "food", "*"))
)
SCHEMA = shoal.Schema(
    [
        shoal.Column("age", role="quasi_identifier", kind="numeric"),
        shoal.Column("job", role="quasi_identifier", kind="nominal", taxonomy=JOBS),
        shoal.Column("town", role="quasi_identifier", kind="nominal"),
        shoal.Column("s", role="sensitive", kind="ordinal", order=("a", "b", "c", "d")),
    ]
)


def a_table(seed, n=150, gaps=0.0):
    chance = np.random.default_rng(seed)
    columns = {
        "age": chance.integers(18, 24, n).astype(object),
        "job": chance.choice(["nurse", "doctor", "baker", "cook"], n, p=[0.5, 0.3, 0.15, 0.05]).astype(object),
        "town": chance.choice(["u", "v", "w"], n).astype(object),
        "s": chance.choice(list("abcd"), n, p=[0.4, 0.3, 0.2, 0.1]).astype(object),
    }
    for values in columns.values():
        values[chance.random(n) < gaps] = None
    types = {"age": pa.int64()}
    return pa.table({name: pa.array(v.tolist(), types.get(name, pa.string())) for name, v in columns.items()})


def searched(table, schema, wanted, pace, seconds=None, **more):
    """As ``gensearch`` does, at a pace of its own and without a plan to begin with."""
    counts = count_combinations(table, table.column_names)
    method, coded = Gensearch(nodes=None, **more), CodedCounts.of(counts, schema, wanted)
    boxes = Boxes.of(coded, method.loss, classes_of(counts, None))
    search = BoxSearch(method, counts, coded, boxes, None, pace)
    with contextlib.suppress(KeyboardInterrupt):
        search.run(seconds)
    return search.result()
