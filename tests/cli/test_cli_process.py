"""Shoal as a process of its own: signals, imports, the terminal, no network."""

import json
import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pyarrow as pa
import pytest

from survey_example import desk, survey, survey_policy, write_csv, write_policy

HEAVY = [
    "altair", "duckdb", "jinja2", "narwhals", "numpy", "pandas", "polars", "pyarrow", "pydantic", "rich", "scipy",
    "sklearn", "tomlkit", "typer",
]  # fmt: skip


def python(code, *words, **environment):
    """Run code with these words as its arguments."""
    return subprocess.run(
        [sys.executable, "-c", code, *map(str, words)],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        env=os.environ | environment,
    )


MAIN = "import sys; from shoal.cli import main; main()"


def test_import_shoal_imports_nothing_heavy():
    code = f"import sys, shoal; dir(shoal); print(*(name for name in {HEAVY} if name in sys.modules))"
    assert python(code).stdout.split() == []


def test_help_imports_nothing_heavy():
    code = f"""
import sys
from shoal.cli import main
try:
    main()
except SystemExit:
    pass
print(*(name for name in {HEAVY} if name in sys.modules), file=sys.stderr)
"""
    ran = python(code, "--help")
    assert "protect" in ran.stdout
    assert set(ran.stderr.split()) <= {"typer", "rich"}


def test_a_name_of_the_package_brings_only_its_own():
    code = "import sys, shoal; shoal.ShoalError; print(*(n for n in ('numpy', 'pyarrow') if n in sys.modules))"
    assert python(code).stdout.split() == []


# A listener that says that the grouping has begun; the signal comes while it goes on.
GROUPING = """
import sys, contextlib
import shoal.progress as progress
import shoal.methods.microaggregation.mdav as method
method.WORK_PER_STEP = 1
said = ["READY"]
def hear(what, total):
    @contextlib.contextmanager
    def stage():
        def advance(done):
            if what == "grouping records" and said:
                print(said.pop(), flush=True)
        yield advance
    return stage()
from shoal.cli import main
with progress.report_to(hear):
    main()
"""

# A writer that stops half-way, with half of the release on the disk.
WRITING = """
import sys, threading
from dataclasses import replace
import shoal.engines.choose as run
class Slow(run.MemoryEngine):
    def write(self, frame, path, like):
        super().write(replace(frame, table=frame.table.slice(0, frame.n_records // 2)), path, like)
        print("READY", flush=True)
        threading.Event().wait()  # for the signal
run.MemoryEngine = Slow
from shoal.cli import main
main()
"""


@pytest.mark.gate
@pytest.mark.usefixtures("ctrl_c_heard")
@pytest.mark.parametrize(
    ("code", "number"),
    [
        pytest.param(GROUPING, signal.SIGINT, id="grouping-SIGINT"),
        pytest.param(GROUPING, signal.SIGTERM, id="grouping-SIGTERM", marks=pytest.mark.long),
        pytest.param(WRITING, signal.SIGINT, id="writing-SIGINT", marks=pytest.mark.long),
        pytest.param(WRITING, signal.SIGTERM, id="writing-SIGTERM"),
    ],
)
def test_who_is_stopped_leaves_nothing(tmp_path, code, number):
    place = desk(tmp_path)
    if code is GROUPING:
        write_csv(pa.concat_tables([survey(2000, seed) for seed in range(15)]), place.data)
    place.release.write_text("old")
    before = place.files()
    words = ["protect", place.data, "-p", place.policy, "-o", place.release, "--force"]
    process = subprocess.Popen(
        [sys.executable, "-c", code, *map(str, words)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    guard = threading.Timer(60, process.kill)
    guard.start()
    with process:
        assert process.stdout.readline() == "READY\n"
        assert len(place.files()) > len(before)  # the draft is there
        process.send_signal(number)
        said = process.stderr.read()
    guard.cancel()
    assert process.returncode == 128 + number
    assert said == "error: stopped. Nothing was released.\n"
    assert place.files() == before
    assert place.release.read_text() == "old"


@pytest.mark.gate
def test_who_was_started_deaf_to_ctrl_c_stays_so(tmp_path):
    """A job in the background: Ctrl-C is meant for what runs in the foreground."""
    place = desk(tmp_path)
    pressed = """
import signal, sys
import shoal.pipeline.protect.protected_table as steps
grouped_table = steps._grouped_table
def press(*given):
    signal.raise_signal(signal.SIGINT)
    return grouped_table(*given)
steps._grouped_table = press
from shoal.cli import main
main()
"""
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        ran = python(pressed, "protect", place.data, "-p", place.policy, "-o", place.release)
    finally:
        signal.signal(signal.SIGINT, before)
    assert (ran.returncode, ran.stderr) == (0, "")
    assert place.release.exists()


@pytest.mark.gate
def test_no_network_at_all(tmp_path):
    """A whole pipeline in a process where every socket is refused."""
    code = """
import socket, sys
def refused(*_, **__):
    raise AssertionError("a socket was opened")
socket.socket.__init__ = refused
socket.create_connection = socket.getaddrinfo = refused
from shoal.cli import main
main()
"""
    place = desk(tmp_path)
    report = tmp_path / "report.html"
    ran = python(code, "protect", place.data, "-p", place.policy, "-o", place.release, "--report", report)
    assert (ran.returncode, ran.stderr) == (0, "")
    assert place.release.exists()
    page = report.read_text()
    assert "http://" not in page.replace("http://www.w3.org/", "")
    assert "<script src" not in page


@pytest.mark.gate
def test_words_and_colors(tmp_path):
    """Not a terminal: neither color nor progress; complaints on stderr, results on stdout."""
    place = desk(tmp_path)
    words = ["protect", place.data, "-p", place.policy, "-o", place.release]
    ran = python(MAIN, *words)
    assert ran.returncode == 0
    assert ran.stderr == ""
    assert "\x1b" not in ran.stdout
    ran = python(MAIN, *words)
    assert (ran.returncode, ran.stdout) == (2, "")
    assert ran.stderr.startswith("error: ")
    assert "\x1b" not in ran.stderr
    ran = python(MAIN, *words, "--force", "--json")
    assert json.loads(ran.stdout)["k_reached"] == 3


def on_a_terminal(words, **environment):
    """What a terminal would show of stderr."""
    pty = pytest.importorskip("pty")
    master, slave = pty.openpty()
    with subprocess.Popen(
        [sys.executable, "-c", MAIN, *map(str, words)],
        stdout=subprocess.PIPE,
        stderr=slave,
        env={name: value for name, value in os.environ.items() if name != "NO_COLOR"} | environment,
    ) as process:
        process.stdout.read()
    os.close(slave)
    shown = b""
    while True:
        try:
            piece = os.read(master, 4096)
        except OSError:
            break
        shown += piece
        if not piece:
            break
    os.close(master)
    return shown.decode()


@pytest.mark.gate
def test_no_color_where_nobody_wants_it(tmp_path):
    words = ["verify", tmp_path / "none.csv", "-p", tmp_path / "none.toml"]
    assert "\x1b[" in on_a_terminal(words, TERM="xterm")
    plain = on_a_terminal(words, TERM="xterm", NO_COLOR="1")
    assert "\x1b[" not in plain
    assert plain.startswith("error: ")


def test_the_installed_command():
    command = Path(sys.executable).with_name("shoal")
    if not command.exists():
        pytest.skip("shoal is not installed as a command")
    ran = subprocess.run([command, "--version"], capture_output=True, text=True, check=True)
    assert ran.stdout.startswith("shoal ")


@pytest.mark.gate
def test_a_policy_elsewhere_finds_its_files(tmp_path):
    """What a policy names lies beside it, wherever the command runs."""
    folder = tmp_path / "rules"
    folder.mkdir()
    place = desk(tmp_path)
    policy = survey_policy()
    policy["columns"]["zip"]["taxonomy"] = "zips.csv"
    (folder / "zips.csv").write_text("01067;S;*\n01069;S;*\n04103;S;*\n99084;T;*\n")
    write_policy(policy, folder / "policy.toml")
    ran = python(
        "import os; os.chdir('/'); " + MAIN, "protect", place.data, "-p", folder / "policy.toml", "-o", place.release
    )
    assert (ran.returncode, ran.stderr) == (0, "")
    private = json.loads((tmp_path / "release.private.json").read_text())
    assert (private["policy_path"], private["key_path"]) == ("rules/policy.toml", "rules/policy.key")
