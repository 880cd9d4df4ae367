"""A forecast reads the table, tries the policy on samples, and leaves nothing behind."""

import numpy as np
import pyarrow as pa
import pytest

import shoal
from shoal.errors import TableError
from shoal.methods import METHODS
from shoal.methods.microaggregation.auto import Microaggregate
from shoal.pipeline.protect import forecast as forecast_module
from shoal.pipeline.protect.forecast import forecast
from shoal.pipeline.protect.pilot import ASSESSING, Pilot, StageClock, TableSize
from survey_example import survey, survey_policy, write_csv

WHOLE = TableSize(100_000, 4, 5, None)
IN_BLOCKS = TableSize(100_000, 4, 5, 2000)


def pilot(small, large, **more):
    return Pilot(1000, 4000, {}, small, large, **more)


def table(n):
    chance = np.random.default_rng(1)
    return pa.table({"x": chance.normal(size=n), "y": chance.normal(size=n)})


def policy(**more):
    columns = {name: {"role": "quasi_identifier", "kind": "numeric"} for name in ("x", "y")}
    return {"columns": columns, "requirements": [{"name": "k_anonymity", "k": 3}]} | more


@pytest.mark.gate
def test_records_columns_and_blocks_are_exact(tmp_path):
    found = forecast(write_csv(survey(300), tmp_path / "data.csv"), survey_policy())
    assert (found.n_records, found.n_columns, found.n_blocks) == (300, len(survey().column_names), 1)
    assert "by a pilot on 75 and 300 records of the table" in str(found)


@pytest.mark.parametrize("n", [3, 7, 30])
def test_samples_of_a_small_table_hold_a_group(n):
    assert "by a pilot on" in str(forecast(table(n), policy()))


def test_a_table_without_records_is_refused_in_words():
    with pytest.raises(TableError, match="the table has no records"):
        forecast(table(0), policy())


def test_blocks_are_those_of_the_release():
    divided = policy(blocking={"method": "twod_tree", "limit": 100, "repair": False})
    release = shoal.protect(table(900), divided)
    assert forecast(table(900), divided).n_blocks == release.findings["blocks"].estimate


@pytest.mark.gate
def test_a_pilot_leaves_nothing_behind(tmp_path, monkeypatch):
    data = write_csv(survey(300), tmp_path / "data.csv")
    monkeypatch.chdir(tmp_path)
    before = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*")}
    forecast(data, survey_policy(), output=tmp_path / "release.csv")
    assert {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*")} == before


@pytest.mark.gate
def test_a_large_file_is_tried_by_its_first_records(tmp_path, monkeypatch):
    monkeypatch.setattr(forecast_module, "MOST_READ", 0)
    monkeypatch.setattr(forecast_module, "RECORDS_OF_HEAD", 100)
    data = write_csv(survey(400), tmp_path / "data.csv")
    found = forecast(data, survey_policy())
    assert "of its first" in str(found) or found.n_records == 400
    assert found.n_records == pytest.approx(400, rel=0.2)


def test_a_policy_that_no_sample_satisfies_is_said():
    found = forecast(survey(40), survey_policy(k=50))
    assert "no pilot, since samples cannot be protected: " in found.basis
    assert "50" in found.basis  # the reason
    assert found.seconds > 0


@pytest.mark.parametrize("stage", [(), (ASSESSING,), ("grouping records",), ("grouping records", "training the map")])
def test_a_larger_table_takes_longer(stage):
    found = pilot({stage: 0.2}, {stage: 0.9})
    seconds = [sum(found.forecast(TableSize(n, 4, 5, None)).values()) for n in (4000, 8000, 16_000, 10**6)]
    assert seconds == sorted(seconds)
    assert seconds[0] == pytest.approx(0.9)


def test_each_stage_grows_by_its_own_law():
    quadratic = pilot({("grouping records",): 0.1}, {("grouping records",): 1.6})
    assert sum(quadratic.forecast(WHOLE).values()) == pytest.approx(1.6 * 25**2)
    assert sum(quadratic.forecast(IN_BLOCKS).values()) == pytest.approx(1.6 + 1.5 / 3000 * 96_000)
    linear = pilot({(ASSESSING,): 0.5}, {(ASSESSING,): 1.1})
    assert sum(linear.forecast(WHOLE).values()) == pytest.approx(0.3 + 100 * 0.2)
    solved = pilot({(ASSESSING, "solving classes"): 0.5}, {(ASSESSING, "solving classes"): 1.0})
    assert sum(solved.forecast(WHOLE).values()) == pytest.approx(1.0)


def test_a_search_takes_its_whole_budget():
    stage = ("searching boxes",)
    found = pilot({stage: 0.2}, {stage: 0.3}, share=0.02, searches=stage)
    assert sum(found.forecast(WHOLE).values()) == pytest.approx(15)


def test_the_budget_of_a_search_is_said():
    found = forecast(table(300), policy(method={"name": "gensearch", "nodes": 2000}))
    assert found.budget == "2,000 boxes"
    assert "the search examines at most 2,000 boxes" in str(found)


@pytest.mark.parametrize("method", [*(each() for each in METHODS), Microaggregate(proposals=1000)], ids=str)
def test_a_share_of_a_budget_is_a_budget(method):
    """Of every method: with all of its budget it is itself, and what has no budget stays as it is."""
    assert method.with_share(1.0) == method
    if method.budget is None:
        assert method.with_share(0.5) == method
    else:
        assert method.with_share(0.5).budget.amount == method.budget.amount // 2


def test_a_clock_charges_every_stage_for_itself():
    clock = StageClock()
    with clock("outer", 0), clock("inner, loss 3 %", 0):
        sum(range(10**5))
    seconds = clock.seconds()
    assert set(seconds) == {(), ("outer",), ("outer", "inner")}
    assert seconds["outer", "inner"] > 0


def n_examined(nodes):
    release = shoal.protect(table(400), policy(method={"name": "gensearch", "nodes": nodes}))
    return sum(plan.certificate.n_nodes for plan in release.certificates)


@pytest.mark.gate(but="50")
@pytest.mark.parametrize("nodes", [50, 700, 2000])
def test_a_search_goes_beyond_its_budget_by_one_round_at_most(nodes):
    """A round takes an eighth of all boxes so far, and a budget of 1 is spent by the first plan."""
    assert n_examined(nodes) <= nodes * 9 / 8 + n_examined(1)


@pytest.mark.parametrize("proposals", [500, 200_000])
def test_no_annealing_goes_beyond_its_proposals(proposals):
    X = np.random.default_rng(2).normal(size=(400, 2))
    assert sum(shoal.microaggregate(X, 3, proposals=proposals).proposals) <= proposals
