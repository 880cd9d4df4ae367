"""The search of the enumeration tree: the optimum of brute force, and honest when it stops before."""

import numpy as np
import pyarrow as pa
import pytest

import shoal
from reference import partitions as reference
from shoal.errors import PolicyError
from shoal.methods.generalization.enumeration import enumerate_partitions, limits
from shoal.methods.generalization.enumeration.bounds import BoxCosts
from shoal.methods.generalization.enumeration.box_space import BoxSpace
from shoal.methods.generalization.enumeration.box_table import BoxTable
from shoal.methods.generalization.enumeration.enumeration_search import EnumerationSearch
from shoal.methods.generalization.enumeration.problem import Problem
from shoal.requirements.groups import Groups

REGION = shoal.Taxonomy((("a", "west", "*"), ("b", "west", "*"), ("c", "east", "*")))
SCHEMA = shoal.Schema(
    [
        shoal.Column("age", role="quasi_identifier", kind="numeric"),
        shoal.Column("region", role="quasi_identifier", kind="nominal", taxonomy=REGION),
        shoal.Column("sex", role="quasi_identifier", kind="nominal"),
        shoal.Column("disease", role="sensitive", kind="nominal"),
    ]
)
WANTED = {
    "k": [shoal.KAnonymity(3)],
    "k and l": [shoal.KAnonymity(2), shoal.EntropyLDiversity(1.5, column="disease")],
    "k and t": [shoal.KAnonymity(2), shoal.TCloseness(0.3, column="disease")],
    "k, l and t": [
        shoal.KAnonymity(2),
        shoal.DistinctLDiversity(2, column="disease"),
        shoal.TCloseness(0.4, column="disease"),
    ],
    "k and length": [shoal.KAnonymity(2), shoal.MinimumLength(1, column="region")],
}


def table(seed, n=24, missing=False, n_ages=3):
    chance = np.random.default_rng(seed)
    ages = [int(age) for age in chance.integers(1, 1 + n_ages, n)]
    return pa.table(
        {
            "age": [None if missing and at % 7 == 0 else age for at, age in enumerate(ages)],
            "region": chance.choice(["a", "b", "c"], n, p=[0.5, 0.3, 0.2]),
            "sex": chance.choice(["f", "m"], n, p=[0.3, 0.7]),
            "disease": chance.choice(["x", "y", "z"], n),
        }
    )


def brute_force(problem):
    """Cost and number of the best partitions, judged block by block."""
    space, coded = BoxSpace(problem.splits), problem.coded
    price = {"discernibility": lambda n, most, cells: n * n, "classification": lambda n, most, cells: n - most}
    price["volume"] = lambda n, most, cells: n * cells
    known = {}

    def inside(box):
        return np.all([(coded.codes[:, j] >= a) & (coded.codes[:, j] < b) for j, (a, b, _) in enumerate(box)], axis=0)

    def cost(box):
        if box not in known:
            rows = inside(box)
            n = int(coded.n[rows].sum())
            most = (
                max(np.bincount(problem.classes[rows], coded.n[rows]), default=0) if problem.classes is not None else 0
            )
            known[box] = (
                price[problem.loss](n, most, np.prod([b - a for a, b, _ in box])) if holds(box, rows, n) else np.inf
            )
        return known[box]

    def holds(box, rows, n):
        if not n:
            return problem.empty_blocks
        for wanted in problem.wanted:
            if wanted.reads == "extents":
                at = SCHEMA.quasi_identifiers.index(wanted.column)
                groups = Groups(
                    np.array([n]), extents={wanted.column: coded.attributes[at].lengths(*np.array([box[at]]).T)}
                )
            elif wanted.reads == "totals":
                groups = Groups(np.array([n]))
            else:
                sensitive = coded.sensitive[wanted.column, wanted.reads, None, "as written"]
                zeros = np.zeros(rows.sum(), dtype=np.int64)
                groups = Groups.of(zeros, coded.n[rows], sensitive.values[rows], whole=sensitive.whole)
            if not wanted.holds(groups).all():
                return False
        return True

    costs = [
        sum(map(cost, blocks)) for blocks in reference.all_partitions(space.boxes[0], reference.divisions_in(space))
    ]
    return min(costs), costs.count(min(costs))


@pytest.mark.gate(but=("0-k-True-discernibility", "0-k-True-classification", "0-k-True-volume"))
@pytest.mark.parametrize("loss", ["discernibility", "classification", "volume"])
@pytest.mark.parametrize("empty_blocks", [True, False])
@pytest.mark.parametrize("wanted", list(WANTED))
@pytest.mark.parametrize("seed", [0, 1, *(pytest.param(seed, marks=pytest.mark.long) for seed in range(2, 7))])
def test_the_optimum_is_that_of_brute_force(loss, empty_blocks, wanted, seed):
    with_sex = seed % 2 == 1
    records = table(seed, missing=seed % 4 == 2, n_ages=2 if with_sex else 3)
    schema = shoal.Schema([column for column in SCHEMA.columns if with_sex or column.name != "sex"])
    target = "disease" if loss == "classification" else None
    problem = Problem.of(records, schema, WANTED[wanted], loss, target, None, empty_blocks)
    best, n_best = brute_force(problem)
    found = shoal.enumerate_partitions(
        records, schema, WANTED[wanted], loss=loss, target=target, empty_blocks=empty_blocks, all_optima=True
    )
    assert found.is_optimal
    assert found.cost == best == problem.cost(found.tree)
    assert len(found.optima) == n_best
    assert {problem.cost(tree) for tree in found.optima} == {best}
    key = ("bound", "cost", "ratio", lambda cost, bound, n_splits: n_splits)[seed % 4]
    again = shoal.enumerate_partitions(
        records, schema, WANTED[wanted], loss=loss, target=target, empty_blocks=empty_blocks, priority=key, start=None
    )
    assert again.is_optimal
    assert again.cost == best
    over_boxes = shoal.gensearch(records, schema, WANTED[wanted], loss=loss, target=target, empty_blocks=empty_blocks)
    assert over_boxes.is_optimal
    assert over_boxes.cost == best


@pytest.mark.parametrize("search", [shoal.enumerate_partitions, shoal.gensearch])
@pytest.mark.parametrize("seed", range(3))
def test_the_optimum_is_that_of_the_table_whose_spellings_were_tidied(search, seed):
    """What reads alike is one value to both searches."""
    tidy = table(seed)
    words = [word.upper() if at % 2 else f"{word} " for at, word in enumerate(tidy["disease"].to_pylist())]
    spelled = tidy.set_column(tidy.column_names.index("disease"), "disease", pa.array(words))
    one, other = (search(records, SCHEMA, WANTED["k and l"]) for records in (tidy, spelled))
    assert one.is_optimal
    assert other.is_optimal
    assert one.cost == other.cost


@pytest.fixture(scope="module")
def larger():
    records = table(3, n=300)
    ages = pa.array(np.random.default_rng(0).integers(20, 60, 300))
    return records.set_column(0, "age", ages)


CUTS = {"age": [25, 30, 35, 40, 45, 50]}


@pytest.mark.gate
def test_a_search_that_stops_holds_a_valid_partition_and_a_valid_bound(larger):
    wanted = [shoal.KAnonymity(10)]
    best = shoal.enumerate_partitions(larger, SCHEMA, wanted, cuts=CUTS)
    assert best.is_optimal
    for budget in (
        {"nodes": 0},
        {"nodes": 50},
        {"factor": 1.3},
        {"approximation": 1.2},
        {"max_size": 20},
        {"max_size": 2},
        {"seconds": 0},
    ):
        found = shoal.enumerate_partitions(larger, SCHEMA, wanted, cuts=CUTS, **budget)
        assert found.tree.partition(larger).sizes.min() >= 10
        assert found.lower_bound <= best.cost <= found.cost, budget
        assert found.n_nodes <= budget.get("nodes", np.inf)
        assert found.factor <= max(budget.get("factor", np.inf), 1)
    dropped = shoal.enumerate_partitions(larger, SCHEMA, wanted, cuts=CUTS, max_size=20, start=None)
    assert dropped.n_dropped > 0
    assert not dropped.is_optimal or dropped.cost == best.cost
    near = shoal.enumerate_partitions(larger, SCHEMA, wanted, cuts=CUTS, approximation=1.2, start=None)
    assert near.factor <= 1.2


class Clock:
    """A clock on which nothing but the counted work takes time, one second for each piece of it."""

    def __init__(self, monkeypatch):
        self.seconds = 0.0
        for module in (enumerate_partitions, limits):
            monkeypatch.setattr(module, "perf_counter", lambda: self.seconds)


@pytest.mark.parametrize("max_size", [1_000_000, 20])  # a queue of 20 is full at once, and probed
@pytest.mark.parametrize("seconds", [2, 20, 60])  # 2: in the middle of the first pair of boxes
def test_the_time_is_over_after_the_box_during_which_it_ended(larger, monkeypatch, max_size, seconds):
    clock, evaluate = Clock(monkeypatch), BoxTable._evaluate

    def evaluate_for_a_second(self, box):
        clock.seconds += 1
        return evaluate(self, box)

    monkeypatch.setattr(BoxTable, "_evaluate", evaluate_for_a_second)
    wanted = [shoal.KAnonymity(2)]
    found = shoal.enumerate_partitions(larger, SCHEMA, wanted, cuts=CUTS, seconds=seconds, max_size=max_size)
    assert not found.is_optimal
    assert found.history[-1].seconds == clock.seconds == seconds
    assert found.tree.partition(larger).sizes.min() >= 2


def test_the_time_is_over_after_the_step_during_which_it_ended(larger, monkeypatch):
    clock, step = Clock(monkeypatch), EnumerationSearch.step
    monkeypatch.setattr(limits, "NODES_PER_CHECK", 16)

    def a_second_for_each_node(self, n_nodes, is_over):
        before = self.state.n_nodes
        goes_on = step(self, n_nodes, is_over)
        clock.seconds += self.state.n_nodes - before
        return goes_on

    monkeypatch.setattr(EnumerationSearch, "step", a_second_for_each_node)
    found = shoal.enumerate_partitions(larger, SCHEMA, [shoal.KAnonymity(2)], cuts=CUTS, seconds=1000)
    assert 1000 <= found.n_nodes < 1000 + 16


def test_the_partitions_met_do_not_depend_on_how_often_the_time_is_checked(larger, monkeypatch):
    found = []
    for n_nodes in (1, 7, 4096):
        monkeypatch.setattr(limits, "NODES_PER_CHECK", n_nodes)
        one = shoal.enumerate_partitions(
            larger, SCHEMA, [shoal.KAnonymity(2)], cuts=CUTS, nodes=500, max_size=50, start=None
        )
        found.append((one.n_nodes, one.cost, one.lower_bound, one.n_dropped))
    assert found[0] == found[1] == found[2]
    assert found[0][-1] > 0


def test_the_search_is_never_worse_than_its_seed_and_tells_its_history(larger):
    wanted = [shoal.KAnonymity(10)]
    found = shoal.enumerate_partitions(larger, SCHEMA, wanted, cuts=CUTS)
    greedy = shoal.mondrian(larger, SCHEMA, wanted, mode="greedy", cuts=CUTS)
    first, last = found.history[0], found.history[-1]
    assert first.cost <= float((greedy.partition(larger).sizes ** 2).sum())
    assert last.cost == found.cost <= first.cost
    assert last.lower_bound >= first.lower_bound
    assert found.factor == 1


def test_min_cost_of_the_paper_s_example():
    """Figure 5, k = 2: open blocks of 3 and 4 records have cells of 2, 1, 1, 3 and 0; four closed ones have 2 each."""
    cells = np.array([2.0, 1.0, 1.0, 3.0, 0.0])
    floors = BoxCosts("discernibility", 2).cell_floors(cells, cells * 0)
    assert 4 * 2**2 + floors.sum() == 33


def test_bad_input_is_named(larger):
    for bad, words in (
        ({"loss": "entropy"}, "loss"),
        ({"loss": "classification"}, "target"),
        ({"priority": "luck"}, "priority"),
        ({"priority": lambda cost, bound, n_splits: float("nan")}, "priority"),
        ({"factor": 0.5}, "factor"),
        ({"approximation": 0}, "approximation"),
        ({"max_size": 1}, "max_size"),
        ({"approximation": 2, "all_optima": True}, "all_optima"),
        ({"cuts": {"age": np.linspace(20, 60, 600).tolist()}}, "splits"),
    ):
        with pytest.raises(PolicyError, match=words):
            shoal.enumerate_partitions(larger, SCHEMA, [shoal.KAnonymity(2)], **bad)
