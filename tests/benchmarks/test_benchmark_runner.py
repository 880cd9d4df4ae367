"""The runner of benchmarks: history, comparison and page of made-up figures, and one workload that really runs."""

from __future__ import annotations

import json
import re
from dataclasses import replace

import pytest
from bench import __main__ as runner
from bench import comparison, history
from bench.comparison import LIMITS, Comparison
from bench.history import Entry
from bench.machine import Machine, Source, this_machine, this_source
from bench.measurement import Measurement, measured_here
from bench.page import page
from bench.workloads import WORKLOADS, Task, Workload

MACHINE = Machine("a processor", 2, 8192, "Linux x86_64")
SOURCE = Source("a" * 40, False, "3.11.7", {"numpy": "2.0"})
FIGURES = Measurement(cpu=2.0, wall=1.5, sort=0.2, memory=300.0, quality=5.0)


def entry(run: str, *, workload: str = "mdav", figures: Measurement = FIGURES, **changes: object) -> Entry:
    return replace(Entry(run, workload, "information loss, %", figures, MACHINE, SOURCE), **changes)


def test_what_is_appended_is_read_in_the_same_order(tmp_path):
    path = tmp_path / "bench" / "history.jsonl"
    assert history.read(path) == ()
    entries = (entry("1"), entry("1", workload="vmdav"), entry("2"))
    for one in entries:
        history.append(path, one)
    assert history.read(path) == entries
    assert [json.loads(line)["run"] for line in path.read_text().splitlines()] == ["1", "1", "2"]


def test_the_last_run_is_compared_with_the_one_before_on_the_same_machine():
    other = replace(MACHINE, cores=16)
    old, newer, elsewhere = entry("1"), entry("2", source=replace(SOURCE, commit="b" * 40)), entry("3", machine=other)
    now = entry("4")
    entries = (old, newer, elsewhere, entry("4", workload="vmdav"), now)
    assert history.last_run(entries) == entries[3:]
    assert history.before(entries, now, None) == newer
    assert history.before(entries, now, "aaaa") == old
    assert history.before(entries, now, "cccc") is None
    assert history.before(entries, entries[3], None) is None


@pytest.mark.parametrize(
    ("changes", "regressions"),
    [
        ({}, ()),
        ({"cpu": 2.4}, ()),
        ({"cpu": 2.6}, ("CPU",)),
        ({"cpu": 2.6, "sort": 0.4}, ()),  # the machine was slower, not the program
        ({"memory": 350.0, "quality": 5.1}, ("memory", "quality")),
        ({"cpu": 0.1, "memory": 1.0, "quality": 0.0}, ()),
    ],
)
def test_a_ratio_above_its_limit_is_a_regression(changes, regressions):
    found = Comparison.of(entry("2", figures=replace(FIGURES, **changes)), entry("1"))
    assert found.regressions == regressions
    assert set(found.ratios) == set(LIMITS)
    assert comparison.table([found]).splitlines()[1].endswith(", ".join(regressions))


def test_a_quality_of_zero_may_only_stay():
    perfect = entry("1", figures=replace(FIGURES, quality=0.0))
    assert Comparison.of(replace(perfect, run="2"), perfect).regressions == ()
    assert Comparison.of(entry("2"), perfect).regressions == ("quality",)


def test_the_page_names_every_workload_and_every_regression():
    entries = [entry(run, workload=name) for run in "12" for name in ("mdav", "<vmdav>")]
    entries[2] = replace(entries[2], measurement=replace(FIGURES, cpu=9.0))
    comparisons = runner.compared(entries, "last")
    assert [one.regressions for one in comparisons] == [("CPU",), ()]
    shown = page(entries, comparisons)
    assert "mdav: CPU" in shown
    assert "&lt;vmdav&gt;" in shown
    assert "<script" not in shown
    assert "a processor, 2 cores, 8 GB" in shown
    assert len(re.findall(r"<svg role", shown)) == 1 + 2
    assert "No regression" in page(entries, comparisons[1:])
    assert 'class="verdict' not in page(entries, [])


@pytest.mark.gate
def test_a_workload_runs_in_a_process_of_its_own_and_a_worse_run_fails(tmp_path, capsys, monkeypatch):
    """The tiniest workload there is; no time is asserted."""
    monkeypatch.delenv("SHOAL_DATA", raising=False)
    monkeypatch.setattr("bench.measurement.REPEATS", 1)
    path = tmp_path / "history.jsonl"
    arguments = ["--only", "proof", "--history", str(path)]
    assert runner.main(arguments) == 0
    (found,) = history.read(path)
    assert found.machine == this_machine()
    assert found.source == this_source()
    assert found.measurement.quality == 0
    assert found.measurement.memory > 10
    assert found.measurement.sort > 0
    better = replace(found, run="1", measurement=replace(found.measurement, memory=1.0))
    path.write_text("")
    history.append(path, better)
    monkeypatch.setattr(runner, "measure", lambda workload: found.measurement)
    assert runner.main([*arguments, "--compare"]) == 1
    assert "memory" in capsys.readouterr().out.splitlines()[-3]
    assert "Regressions" in (tmp_path / "index.html").read_text(encoding="utf-8")


@pytest.mark.gate
def test_only_the_work_is_measured_and_its_result_is_judged():
    steps = []

    def prepare() -> Task:
        steps.append("prepare")
        return Task(lambda: steps.append("work"), lambda _: len(steps))

    found = measured_here(Workload("steps", "steps", prepare))
    assert steps == ["prepare", "work"]
    assert found.quality == 2


def test_workloads_have_names_of_their_own_and_are_listed(capsys):
    names = [workload.name for workload in WORKLOADS]
    assert len(set(names)) == len(names)
    assert runner.main(["--list", "--quick"]) == 0
    listed = capsys.readouterr().out
    assert [line[:28].rstrip() for line in listed.splitlines()] == [w.name for w in WORKLOADS if w.is_quick]
    with pytest.raises(SystemExit, match="no workload has a name"):
        runner.main(["--only", "nothing"])
