"""Gensearch: the optimum of small problems by brute force, what it promises of large ones, and what it refuses."""

import contextlib
import signal
import threading
from contextlib import contextmanager
from dataclasses import replace

import numpy as np
import pyarrow as pa
import pytest

import shoal
import shoal.datasets
from reference import requirements as twin
from reference.best_cuts import least_loss
from road import desk, shell
from shoal import progress
from shoal.encode.counts import count_combinations
from shoal.errors import ShoalError
from shoal.losses import LOSSES, measure, total
from shoal.methods.generalization.box_search import BoxSearch, Pace
from shoal.methods.generalization.boxes import Boxes
from shoal.methods.generalization.certificate import Certificate, check, classes_of, slack_of
from shoal.methods.generalization.coded import Coded
from shoal.methods.generalization.exhaustive_boxes import optimum
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


ASKED = [
    [],
    [shoal.EntropyLDiversity(2.5, "s")],
    [shoal.RecursiveLDiversity(2, 2, "s")],
    [shoal.AlphaKAnonymity(0.5, 4, "s")],
    [shoal.DeltaDisclosure(1.2, "s")],
    [shoal.BetaLikeness(1.0, "s")],
    [shoal.BetaLikeness(1.0, "s", enhanced=True)],
    [shoal.TCloseness(0.2, "s", "ordered"), shoal.DistinctLDiversity(3, "s")],
    [shoal.EpsilonPrivacy(3, 4, 1, "s")],
    [shoal.MinimumLength(3, "age")],
    [shoal.MinimumLength(1, "job"), shoal.MinimumLength(1, "town")],
]


@pytest.mark.parametrize("extra", ASKED, ids=repr)
@pytest.mark.parametrize(("loss", "empty_blocks"), [("discernibility", True), ("certainty", True), ("volume", False)])
def test_every_requirement_with_missing_values_is_solved_as_by_plain_recursion(extra, loss, empty_blocks):
    table, wanted = a_table(1, gaps=0.05), [shoal.KAnonymity(12), *extra]
    found = shoal.gensearch(table, SCHEMA, wanted, loss, empty_blocks=empty_blocks)
    assert found.is_optimal
    counts = count_combinations(table, table.column_names)
    checked = check(found.certificate, counts, SCHEMA, wanted)
    assert checked.holds
    assert checked.bound_holds
    dearer = replace(found.certificate, lower_bound=found.cost * 1.01)
    assert not check(dearer, counts, SCHEMA, wanted).bound_holds
    assert Certificate.from_json(found.certificate.to_json()) == found.certificate


LOSSES_ALL = ("discernibility", "classification", "volume", "certainty")
BUDGETS = (1, 10, 100, 1000)


@pytest.mark.parametrize("loss", LOSSES_ALL)
def test_the_bound_of_an_unfinished_search_is_no_more_than_the_optimum(loss):
    """By brute force; for certainty, by plain recursion."""
    n_unfinished = 0
    for seed in range(20):
        table, schema, cuts, records, box = a_problem(seed)
        wanted, holds = asked_of(seed, records)
        if loss == "certainty":
            counts = count_combinations(table, table.column_names)
            best = optimum(Coded.of(counts, schema, wanted, cuts), loss, None, True)
        else:
            best = least_loss(records, box, holds, loss, True)
        for nodes in BUDGETS:
            found = shoal.gensearch(table, schema, wanted, loss, target="s", cuts=cuts, nodes=nodes)
            slack = slack_of(loss, best)
            assert all(moment.lower_bound <= best + slack for moment in found.history), (seed, nodes)
            assert found.lower_bound <= best + slack, (seed, nodes)
            assert best - slack <= found.cost, (seed, nodes)
            n_unfinished += not found.is_optimal
    assert n_unfinished


@pytest.mark.parametrize("loss", LOSSES_ALL)
def test_a_false_claim_of_optimality_is_noticed(loss):
    """Tree, cost and bound are true; only that nothing costs less is not."""
    n_false = 0
    for seed in range(4):
        table, wanted = a_table(seed), [shoal.KAnonymity(4)]
        target = "s" if loss == "classification" else None
        names = ["age", "job", "town", *([target] if target else [])]
        found = shoal.gensearch(table, SCHEMA, wanted, loss, target=target, nodes=1)
        best = shoal.gensearch(table, SCHEMA, wanted, loss, target=target)
        counts = count_combinations(table, names)
        assert check(found.certificate, counts, SCHEMA, wanted).bound_holds
        if found.cost > best.cost:
            n_false += 1
            for bound in (found.lower_bound, best.cost, found.cost):
                forged = replace(found.certificate, is_optimal=True, lower_bound=bound)
                assert check(forged, counts, SCHEMA, wanted).bound_holds is False
    assert n_false


def test_it_is_never_dearer_than_mondrian_and_the_bound_never_above_the_cost():
    table = a_table(3, n=3000)
    for nodes in (1, 100, 3000):
        found = shoal.gensearch(table, SCHEMA, [shoal.KAnonymity(5)], nodes=nodes)
        for mode in ("strict", "greedy"):
            tree = shoal.mondrian(table, SCHEMA, [shoal.KAnonymity(5)], mode)
            assert found.cost <= total(
                LOSSES["discernibility"], measure(tree, count_combinations(table, list(tree.columns)))
            )
        assert found.lower_bound <= found.cost
        assert found.gap >= 0
        costs, bounds = [m.cost for m in found.history], [m.lower_bound for m in found.history]
        assert costs == sorted(costs, reverse=True)
        assert bounds == sorted(bounds)


def test_as_many_nodes_give_the_same_tree_and_little_memory_the_same_optimum():
    table = a_table(4, n=2000)
    once, again = (shoal.gensearch(table, SCHEMA, [shoal.KAnonymity(10)], nodes=2000) for _ in range(2))
    assert once.tree.to_json() == again.tree.to_json()
    assert once.lower_bound == again.lower_bound
    assert shoal.gensearch(table, SCHEMA, [shoal.KAnonymity(10)], memory=1).cost == once.cost


def searched(table, schema, wanted, pace, seconds=None, **more):
    """As ``gensearch`` does, at a pace of its own and without a plan to begin with."""
    counts = count_combinations(table, table.column_names)
    method, coded = Gensearch(nodes=None, **more), Coded.of(counts, schema, wanted)
    boxes = Boxes.of(coded, method.loss, classes_of(counts, None))
    search = BoxSearch(method, counts, coded, boxes, None, pace)
    with contextlib.suppress(KeyboardInterrupt):
        search.run(seconds)
    return search.found()


@pytest.mark.parametrize("memory", [1, 100])
@pytest.mark.parametrize("seed", range(2))
def test_plans_taken_on_the_way_leave_the_search_as_it_is(memory, seed):
    """What is asked between two steps, here after every few boxes, must not change what is remembered of any box."""
    chance = np.random.default_rng(seed)
    tree = shoal.Taxonomy(tuple((f"v{leaf}", f"b{leaf // 3}", f"d{leaf // 6}", "*") for leaf in range(12)))
    columns = [shoal.Column(f"c{j}", role="quasi_identifier", kind="numeric") for j in range(2)]
    columns.append(shoal.Column("job", role="quasi_identifier", kind="nominal", taxonomy=tree))
    table = pa.table({f"c{j}": chance.binomial(6, 0.4, 1200) for j in range(2)})
    table = table.append_column("job", pa.array([f"v{leaf}" for leaf in chance.binomial(11, 0.5, 1200)]))
    schema, wanted = shoal.Schema(columns), [shoal.KAnonymity(15)]
    found = searched(table, schema, wanted, Pace(step=20, first_turn=20, worthwhile=1.0), memory=memory)
    checked = check(found.certificate, count_combinations(table, table.column_names), schema, wanted, most_boxes=10**6)
    assert len(found.history) > 5
    assert found.is_optimal
    assert checked.holds
    assert checked.bound_holds


@pytest.fixture
def ctrl_c(monkeypatch, ctrl_c_heard):
    """Pressed half a second after a search began."""
    run, pressed = BoxSearch.run, []

    def run_and_press(self, seconds):
        pressed.append(threading.Timer(0.5, signal.raise_signal, [signal.SIGINT]))
        pressed[-1].start()
        run(self, seconds)

    monkeypatch.setattr(BoxSearch, "run", run_and_press)
    yield
    pressed[0].join()


def a_long_search():
    """Numbers of many values in six columns: nothing is proved here in a minute."""
    chance = np.random.default_rng(1)
    table = pa.table({f"c{j}": chance.integers(0, 40, 20_000) for j in range(6)})
    return table, shoal.Schema(shoal.Column(f"c{j}", role="quasi_identifier", kind="numeric") for j in range(6))


WITHOUT_LOOKING_UP = Pace(step=10**9)  # the kernel would not come back by itself


def test_ctrl_c_is_heard_in_the_middle_of_a_step_and_leaves_the_best_plan(ctrl_c):
    table, schema = a_long_search()
    found = searched(table, schema, [shoal.KAnonymity(5)], WITHOUT_LOOKING_UP)
    assert not found.is_optimal
    assert found.cost <= found.history[0].cost
    assert found.lower_bound <= found.cost
    assert found.tree.n_blocks > 1


@contextmanager
def pressed_while(stage):
    """Ctrl-C at the first step of a stage."""

    @contextmanager
    def listen(what, total):
        yield lambda done: signal.raise_signal(signal.SIGINT) if what == stage else None

    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with progress.heard_by(listen):
            yield
    finally:
        signal.signal(signal.SIGINT, before)


def test_ctrl_c_while_mondrian_makes_the_start_leaves_the_best_plan():
    table = a_table(3, n=3000)
    with pressed_while("cutting the space"):
        found = shoal.gensearch(table, SCHEMA, [shoal.KAnonymity(5)])
    assert not found.is_optimal
    assert found.lower_bound <= found.cost <= len(table) ** 2
    assert len(found.history) == 1  # the search itself never began
    assert "Found(" in repr(found)
    assert check(
        found.certificate, count_combinations(table, ["age", "job", "town"]), SCHEMA, [shoal.KAnonymity(5)]
    ).holds


def test_ctrl_c_while_mondrian_makes_the_start_leaves_no_release(tmp_path):
    made = desk(tmp_path, a_table(3, n=300), policy_of("gensearch"))
    before = made.files()
    with pressed_while("cutting the space"), pytest.raises(KeyboardInterrupt):
        shoal.protect(made.data, made.policy, output=made.release)
    assert made.files() == before


def policy_of(method):
    kinds = {"age": {"kind": "numeric"}, "job": {}, "town": {}}
    columns = {name: {"role": "quasi_identifier", **more} for name, more in kinds.items()}
    requirements = [{"name": "k_anonymity", "k": 5}]
    columns["s"] = {"role": "sensitive"}
    return {"columns": columns, "requirements": requirements, "method": {"name": method}}


def test_ctrl_c_in_the_shell_while_mondrian_makes_the_start(tmp_path, monkeypatch):
    from shoal.methods.generalization import mondrian

    made = desk(tmp_path, a_table(3, n=300), policy_of("gensearch"))
    before, allowed = made.files(), mondrian._allowed

    def pressed(*given):
        signal.raise_signal(signal.SIGINT)
        return allowed(*given)

    monkeypatch.setattr(mondrian, "_allowed", pressed)
    handler = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        said = shell("protect", made.data, "-p", made.policy, "-o", made.release)
    finally:
        signal.signal(signal.SIGINT, handler)
    assert (said.code, made.files()) == (130, before)
    assert "stopped. Nothing was released." in said.err.lower().replace("nothing", "Nothing")


def test_seconds_are_kept_in_the_middle_of_a_step():
    table, schema = a_long_search()
    found = searched(table, schema, [shoal.KAnonymity(5)], WITHOUT_LOOKING_UP, seconds=0.5)
    assert not found.is_optimal
    assert found.tree.n_blocks > 1


def test_ctrl_c_leaves_no_release(tmp_path, ctrl_c):
    table, _ = a_long_search()
    columns = {name: {"role": "quasi_identifier", "kind": "numeric"} for name in table.column_names}
    policy = {
        "columns": columns,
        "requirements": [{"name": "k_anonymity", "k": 5}],
        "method": {"name": "gensearch", "nodes": 10**12},
    }
    with pytest.raises(KeyboardInterrupt):
        shoal.protect(table, policy, output=tmp_path / "release.csv")
    assert not list(tmp_path.iterdir())


def test_what_was_found_is_shown_in_a_line():
    found = shoal.gensearch(a_table(5), SCHEMA, [shoal.KAnonymity(4)])
    assert "proven to be the least" in repr(found)
    assert len(repr(found)) < 200
    assert len(repr(found.certificate)) < 600


def test_the_method_cuts_as_gensearch_does():
    table = a_table(5)
    counts = count_combinations(table, ["age", "job", "town"])
    tree = Gensearch().cut(counts, SCHEMA, [shoal.KAnonymity(4)])
    found = shoal.gensearch(table, SCHEMA, [shoal.KAnonymity(4)])
    assert tree.to_json() == found.tree.to_json()


def test_a_policy_with_gensearch_is_released_and_proved():
    table = a_table(6, n=300)
    columns = {
        "age": {"role": "quasi_identifier", "kind": "numeric"},
        "town": {"role": "quasi_identifier"},
        "job": {"role": "quasi_identifier"},
        "s": {"role": "sensitive"},
    }
    wanted = [{"name": "k_anonymity", "k": 5}, {"name": "distinct_l_diversity", "l": 2, "column": "s"}]
    method = {"name": "gensearch", "nodes": 2000}
    released = [
        shoal.protect(table, {"columns": columns, "requirements": wanted, "method": method}).table for _ in range(2)
    ]
    assert released[0].equals(released[1])
    sizes = released[0].group_by(["age", "town", "job"]).aggregate([([], "count_all")])["count_all"].to_pylist()
    assert min(sizes) >= 5
    assert sum(sizes) == 300


@pytest.mark.parametrize(("k", "optimum"), [(1000, 38_363_310), (500, 19_269_072), (100, 3_774_152)])
def test_adult_is_proven(reference_data, k, optimum):
    """The same optima come out of a dynamic program without bounds, written apart."""
    columns = ["sex", "race", "marital-status", "education", "native-country", "workclass", "occupation"]
    trees = shoal.datasets.adult_taxonomies()
    schema = shoal.Schema(
        [
            shoal.Column("age", role="quasi_identifier", kind="numeric"),
            *(
                shoal.Column(name, role="quasi_identifier", taxonomy=shoal.Taxonomy.read(trees[name]))
                for name in columns
            ),
        ]
    )
    cuts = {"age": [18, *range(20, 91, 5)]}
    found = shoal.gensearch(shoal.datasets.adult(), schema, [shoal.KAnonymity(k)], cuts=cuts)
    assert found.is_optimal
    assert found.cost == optimum


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"loss": "sse"}, "loss is 'sse'"),
        ({"loss": "classification"}, "needs a target"),
        ({"seconds": 1, "nodes": 1}, "the budget is given by exactly one of"),
        ({"nodes": 0}, "nodes must be 1 or more"),
        ({"cuts": {"town": [1]}}, "cuts.town goes with kind"),
    ],
)
def test_what_cannot_be_is_refused_in_words(options, words):
    with pytest.raises(ShoalError, match=words):
        shoal.gensearch(a_table(1), SCHEMA, [shoal.KAnonymity(2)], **options)


def test_a_certificate_of_other_requirements_is_refused():
    table = a_table(1)
    found = shoal.gensearch(table, SCHEMA, [shoal.KAnonymity(4)])
    with pytest.raises(ShoalError, match="other requirements"):
        check(found.certificate, count_combinations(table, ["age", "job", "town"]), SCHEMA, [shoal.KAnonymity(3)])


def test_a_part_is_as_wide_as_its_values_not_as_the_cuts_around_it():
    """Between 1 and 9.9 lies nothing: cut at either, a is 0 on one side and 10 to 20 on the other."""
    table = pa.table({"b": [0, 10, 4, 6], "a": [0, 0, 10, 20]})
    schema = shoal.Schema([shoal.Column(name, role="quasi_identifier", kind="numeric") for name in "ba"])
    wanted, cuts = [shoal.KAnonymity(2)], {"a": [1, 9.9], "b": [5]}
    found = shoal.gensearch(table, schema, wanted, "certainty", cuts=cuts, empty_blocks=False)
    assert (found.cost, found.is_optimal) == (5.0, True)
    assert check(found.certificate, count_combinations(table, ["b", "a"]), schema, wanted, cuts).bound_holds
