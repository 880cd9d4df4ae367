"""Ctrl-C and SIGTERM: whenever they come, a line that says what is so, and the exit code of the signal."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import shoal
from survey_example import desk, shell

# A finder that gets the signal instead of a module.
IMPORTING = """
import signal, sys
class Pressed:
    def find_spec(self, name, path=None, target=None):
        if name == {name!r}:
            signal.raise_signal({number})
sys.meta_path.insert(0, Pressed())
from shoal.cli import main
main()
"""

# The same for modules that Python may have imported already.
EARLY = """
class Pressed:
    def find_spec(self, name, path=None, target=None):
        if name == {name!r}:
            raise KeyboardInterrupt
sys.meta_path.insert(0, Pressed())
from shoal.cli import main
main()
"""


@pytest.mark.gate(but=("typer-SIGINT", "typer-SIGTERM", "shoal.errors-SIGINT"))
@pytest.mark.usefixtures("ctrl_c_heard")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM], ids=lambda number: number.name)
@pytest.mark.parametrize("name", ["typer", "shoal.errors", "numpy", "pyarrow"])
def test_stopped_while_libraries_are_imported(tmp_path, name, number):
    place = desk(tmp_path)
    before = place.files()
    words = ["protect", place.data, "-p", place.policy, "-o", place.release]
    ran = subprocess.run(
        [sys.executable, "-c", IMPORTING.format(name=name, number=int(number)), *map(str, words)],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        env=os.environ,
    )
    assert (ran.returncode, ran.stdout) == (128 + number, "")
    assert ran.stderr == "error: stopped. Nothing was released.\n"
    assert place.files() == before


@pytest.mark.usefixtures("ctrl_c_heard")
@pytest.mark.parametrize("name", ["signal", "lazy_loader", "types"])
def test_stopped_before_the_first_line_of_the_command(name):
    """Whatever the package itself imports: one line, no traceback, and Python's own end after Ctrl-C."""
    code = f"import importlib.util, sys; sys.modules.pop({name!r}, None)\n" + EARLY.format(name=name)
    ran = subprocess.run(
        [sys.executable, "-c", code, "--help"], capture_output=True, text=True, timeout=60, check=False
    )
    assert ran.returncode in (-signal.SIGINT, 128 + signal.SIGINT)
    assert ran.stderr == "error: stopped. Nothing was written.\n"


@pytest.mark.parametrize(
    ("words", "place_of_signal", "outcome"),
    [
        (
            ["protect", "a.csv", "-p", "p.toml", "-o", "r.csv"],
            "shoal.pipeline.protect.protect.protect",
            "Nothing was released.",
        ),
        (["init", "a.csv"], "shoal.policy.propose.propose", "Nothing was written."),
        (["verify", "r.csv", "-p", "p.toml"], "shoal.pipeline.verify.verify.verify", "Nothing was written."),
        (["assess", "a.csv", "r.csv"], "shoal.pipeline.assess.assess", "Nothing was written."),
        (["link", "a.csv", "r.csv"], "shoal.pipeline.link.link", "Nothing was written."),
        (["compare", "a.csv", "-p", "p.toml"], "shoal.pipeline.compare.compare", "Nothing was written."),
        (["mend", "a.csv", "-p", "p.toml"], "shoal.pipeline.mend.mend.mend", "Nothing was written."),
        (["som", "a.csv"], "shoal.pipeline.som.chart", "Nothing was written."),
        (
            ["demo", "--persons", "1000"],
            "shoal.pipeline.protect.protect.protect",
            "Files that were already finished are kept.",
        ),
        (["reproduce", "mdav"], "shoal.reproduce.reproduction", "Files that were already finished are kept."),
    ],
    ids=lambda words: words[0] if isinstance(words, list) else "",
)
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM], ids=lambda number: number.name)
@pytest.mark.usefixtures("ctrl_c_heard")
def test_what_is_so_when_a_command_is_stopped(tmp_path, monkeypatch, words, place_of_signal, outcome, number):
    def pressed(*_, **__):
        signal.raise_signal(number)

    assert all(hasattr(shoal, name) for name in shoal.__all__)  # loaded now: a name keeps what it finds at first
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(place_of_signal, pressed)
    said = shell(*words)
    assert said.code == 128 + number
    assert said.err == f"error: stopped. {outcome}\n"
    assert [path.name for path in tmp_path.iterdir()] == (["shoal-demo"] if words[0] == "demo" else [])


def test_the_exit_codes_are_told():
    told = " ".join(shell("--help").out.split())
    read = " ".join((Path(__file__).parents[2] / "README.md").read_text().split())
    for code in (
        "0 success, the release is proven",
        "1 a requirement",
        "2 invalid input or policy",
        "130 stopped by Ctrl-C",
        "143 stopped by SIGTERM",
    ):
        assert code in told
        assert code in read
