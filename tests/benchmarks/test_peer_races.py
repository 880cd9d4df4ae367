"""Races with other tools: ratios, pages and counts of made-up results. No tool is installed or asked."""

from __future__ import annotations

import json
import sys
from dataclasses import replace

import pytest
from bench.machine import Machine
from peers import __main__ as runner
from peers.environments import ARX, PEERS, SIDES, JavaPeer, Place, RPeer
from peers.page import document_table, page, to_json
from peers.race import Result, Side, measured, run
from peers.races import RACES, Race
from peers.slow_count import smallest_class

MACHINE = Machine("a processor", 2, 8192, "Linux x86_64")
RACE = replace(RACES[0], name="a race", peer="a tool", quality="loss", better="less", files=("table.csv",))


def side(cpu: float, loss: float, **figures: float) -> Side:
    return Side(cpu, cpu, 100.0, {"loss": loss, **figures})


@pytest.mark.parametrize(("better", "ratio"), [("less", 2.0), ("more", 0.5), ("equal", 0.5)])
def test_a_ratio_above_one_is_in_favor_of_shoal(better, ratio):
    result = Result(replace(RACE, better=better), side(1.0, 5.0), side(3.0, 10.0))
    assert result.cpu_ratio == 3.0
    assert result.quality_ratio == ratio
    assert replace(result, theirs=side(1.0, 5.0)).quality_ratio == 1.0


def test_a_page_shows_what_was_run_and_why_the_rest_was_not():
    ran = Result(RACE, side(1.0, 5.0), side(30.0, 10.0))
    absent = Result(replace(RACE, name="another race", peer="absent"), side(1.0, 5.0), None, "not present: <reason>")
    places = {"a tool": Place("1.2"), "absent": Place("", absence="not present: <reason>")}
    shown = page([ran, absent], places, {}, MACHINE)
    assert "1 of 2 races were run here" in shown
    assert "not present: &lt;reason&gt;" in shown
    assert document_table([ran, absent]).splitlines()[2:] == ["| a race | a tool | 30 | loss | 5 | 10 |"]
    found = json.loads(to_json([ran, absent], places, {}, MACHINE))
    assert [race["cpu_ratio"] for race in found["races"]] == [30.0, None]
    assert found["tools"]["a tool"]["version"] == "1.2"


def test_who_counts_wrong_is_said(tmp_path):
    path = tmp_path / "table.csv"
    path.write_text("race,salary\na,1\na,2\na,2\n,1\n")
    assert smallest_class(path) == 1
    race = replace(RACE, quality="k", better="equal")
    shown = page([Result(race, Side(1, 1, 1, {"k": 1.0}), Side(1, 1, 1, {"k": 3.0}))], {}, {"table.csv": 1}, MACHINE)
    assert "3, wrong" in shown
    assert "1, wrong" not in shown


def test_a_race_without_its_data_or_its_tool_says_so(tmp_path):
    assert "table.csv" in run(RACE, Place("1"), tmp_path, 1).absence
    assert "exit status" not in str(measured([sys.executable, "-c", "raise SystemExit('a reason')"]))
    assert measured([sys.executable, "-c", "raise SystemExit('a reason')"]) == "a reason"


def test_the_second_of_two_times_is_measured(tmp_path):
    script = tmp_path / "side_of_a_race.py"
    script.write_text(
        f"import sys; sys.path.insert(0, {str(SIDES)!r})\n"
        "from side import report\n"
        "times = []\n"
        "report(lambda: times.append(1), lambda _: {'times': float(len(times))})\n"
    )
    found = measured([sys.executable, str(script)])
    assert found.figures == {"times": 2.0}
    assert found.memory > 1


def test_tools_that_are_not_here_are_not_guessed(tmp_path, monkeypatch):
    monkeypatch.delenv(ARX, raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert RPeer("sdcMicro").place(tmp_path).absence.startswith("not present")
    assert JavaPeer("ARX", ARX).place(tmp_path).absence.startswith("not present")


def test_every_race_has_its_sides_and_a_peer(tmp_path, capsys):
    assert {race.peer for race in RACES} == {peer.name for peer in PEERS}
    for race in RACES:
        assert (SIDES / race.ours).exists()
        scripts = [name for name in race.theirs if "." in name]
        assert all((SIDES / name).exists() for name in scripts)
        command = race.their_command(Place("1", ("tool",)), tmp_path)
        assert command[0] == "tool"
    assert (SIDES / "sdcmicro.R").exists()
    assert isinstance(RACES[0], Race)
    assert runner.main(["--list"]) == 0
    assert capsys.readouterr().out.count("\n") == len(RACES)
