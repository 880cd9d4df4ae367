"""Gensearch, stopped: by Ctrl-C or by the clock, wherever it is, the best plan is left, or no release at all."""

import signal
import threading
from contextlib import contextmanager

import numpy as np
import pyarrow as pa
import pytest

import shoal
from reference.cut_problems import SCHEMA, a_table, searched
from shoal import progress
from shoal.encode.combination_counts import count_combinations
from shoal.methods.generalization.box_search import BoxSearch, SearchPace
from shoal.methods.generalization.certificate import check
from survey_example import desk, shell


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


WITHOUT_LOOKING_UP = SearchPace(first_turn=10**12)


@pytest.mark.gate
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
        with progress.report_to(listen):
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
    assert "GensearchResult(" in repr(found)
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


@pytest.mark.gate
def test_seconds_are_kept_in_the_middle_of_a_step():
    table, schema = a_long_search()
    found = searched(table, schema, [shoal.KAnonymity(5)], WITHOUT_LOOKING_UP, seconds=0.5)
    assert not found.is_optimal
    assert found.tree.n_blocks > 1


@pytest.mark.gate
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
