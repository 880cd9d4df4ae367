"""Workers that fail: what they say, what they leave, and that they stop."""

import contextlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from shoal.engines.lots.process_engine import process_engine
from shoal.engines.memory_budget import LEAST_BYTES, Budget
from shoal.errors import EngineError
from shoal.sources import ReadOptions
from survey_example import SMALL_PIECES, desk, survey, write_csv

SECRET = "Mrs Secret, 4711"


def converting(piece):
    return piece.append_column("x", pa.array([SECRET] * len(piece)).cast(pa.int64()))


def dying(piece):
    os.kill(os.getpid(), signal.SIGKILL)


@pytest.fixture
def engine(tmp_path):
    (tmp_path / "spare").mkdir()
    with process_engine(Budget(LEAST_BYTES), tmp_path / "spare", SMALL_PIECES) as made:
        yield made
    assert list((tmp_path / "spare").iterdir()) == []


@pytest.mark.gate
def test_a_fault_shows_no_cell_in_its_words_or_on_any_stream(tmp_path, engine, capfd):
    frame = engine.read(write_csv(survey(), tmp_path / "survey.csv"), ReadOptions())
    with pytest.raises(EngineError, match="a worker process stopped with ArrowInvalid") as said:
        engine.total(frame, ["age"], converting)
    shown = capfd.readouterr()
    assert SECRET not in f"{said.value!r}{shown.out}{shown.err}"


def test_a_worker_that_dies_is_an_error(tmp_path, engine):
    frame = engine.read(write_csv(survey(), tmp_path / "survey.csv"), ReadOptions())
    with pytest.raises(EngineError, match="a worker process ended before its work was done"):
        engine.total(frame, ["age"], dying)


SCRIPT = """
import sys
import shoal

if __name__ == "__main__":
    shoal.protect(sys.argv[1], sys.argv[2], output=sys.argv[3], engine="processes")
"""


@pytest.mark.gate
@pytest.mark.parametrize("stopped", ["by Ctrl-C", "by the death of a worker"])
@pytest.mark.usefixtures("ctrl_c_heard")
def test_who_is_stopped_leaves_no_release_and_no_worker(tmp_path, stopped):
    place = desk(tmp_path, survey(20_000))
    (tmp_path / "run.py").write_text(SCRIPT)
    before = place.files()
    words = [sys.executable, str(tmp_path / "run.py"), str(place.data), str(place.policy), str(place.release)]
    with subprocess.Popen(words, stderr=subprocess.PIPE, text=True) as running:
        busy = eventually(lambda: busy_workers(running))
        if stopped == "by Ctrl-C":
            running.send_signal(signal.SIGINT)
        else:
            os.kill(busy[0], signal.SIGKILL)
        _, said = running.communicate(timeout=60)
    assert running.returncode != 0
    assert ("KeyboardInterrupt" if stopped == "by Ctrl-C" else "a worker process ended before") in said
    assert not any(map(is_alive, busy))
    assert place.files() - {"policy.key"} == before


UNGUARDED = """
import sys
import shoal

shoal.protect(sys.argv[1], sys.argv[2], output=sys.argv[3], engine="processes")
"""


def run_program(place, text, how):
    """Runs a program of Python as a script, from standard input, or as a cell of a notebook, which has no file."""
    path = place.folder / "run.py"
    path.write_text(text)
    start = {"script": [path], "standard input": ["-"], "notebook": ["-c", text]}[how]
    words = [sys.executable, *start, place.data, place.policy, place.release]
    given = text if how == "standard input" else None
    return subprocess.run(list(map(str, words)), input=given, capture_output=True, text=True, timeout=180)


@pytest.mark.gate
@pytest.mark.parametrize(
    ("how", "told"),
    [("script", "run.py: the worker processes"), ("standard input", "Save it in a file, with these lines")],
    ids=["script", "stdin"],
)
def test_a_program_without_a_main_guard_is_told_the_lines_that_help(tmp_path, how, told):
    place = desk(tmp_path, survey())
    before = place.files() | {"run.py"}
    ended = run_program(place, UNGUARDED, how)
    assert ended.returncode != 0
    (said,) = ended.stderr.rsplit("shoal.errors.engine_error.EngineError: ", 1)[1:]
    assert told in said
    assert "memory" not in said
    assert place.files() - {"policy.key"} == before
    lines = [line[2:] for line in said.split("starts none:\n")[1].rstrip().splitlines()]
    call = 'shoal.protect(sys.argv[1], sys.argv[2], output=sys.argv[3], engine="processes")'
    mended = "import sys\n" + "\n".join(lines).replace("shoal.protect(...)", call)
    assert run_program(place, mended, "script").returncode == 0
    assert place.release.exists()


@pytest.mark.gate
def test_a_notebook_needs_no_main_guard(tmp_path):
    place = desk(tmp_path, survey())
    ended = run_program(place, UNGUARDED, "notebook")
    assert ended.returncode == 0, ended.stderr
    assert place.release.exists()


LOADED = "sorted(name for name in __import__('sys').modules if name.startswith('shoal.'))"
LOADING = f"""
import sys
from pathlib import Path
import shoal
from shoal.engines.lots.processes import Processes
from shoal.engines.private_folder import PrivateFolder

if __name__ == "__main__":
    shoal.protect  # loads all that releases are made with
    carrier = Processes(PrivateFolder.create_in(Path(sys.argv[1])), 1, 10)
    here, there = eval({LOADED!r}), carrier._pool.submit(eval, {LOADED!r}).result()
    carrier.close()
    print(len(here), sorted(set(here) - set(there)))
"""


@pytest.mark.gate
def test_workers_begin_with_what_their_driver_has_loaded(tmp_path):
    (tmp_path / "run.py").write_text(LOADING)
    said = subprocess.run([sys.executable, tmp_path / "run.py", tmp_path], capture_output=True, text=True, timeout=180)
    n_loaded, missing = said.stdout.split(maxsplit=1)
    assert int(n_loaded) > 100
    assert missing.strip() == "[]"


def eventually(found: Callable[[], Any], seconds: float = 180) -> Any:
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        if result := found():
            return result
    raise AssertionError("never")


def busy_workers(running: subprocess.Popen[str]) -> list[int]:
    """The workers that take CPU time just now."""
    before = {each: cpu_time(each) for each in workers_of(running.pid)}
    with contextlib.suppress(subprocess.TimeoutExpired):
        running.wait(0.05)
    return [each for each, time_before in before.items() if time_before and cpu_time(each) > time_before]


def workers_of(pid: int) -> list[int]:
    """The children of its children: one of these starts all workers."""
    return [worker for child in children_of(pid) for worker in children_of(child)]


def children_of(pid: int) -> list[int]:
    """Of all its threads."""
    try:
        threads = list(Path(f"/proc/{pid}/task").iterdir())
    except OSError:
        return []
    return [int(each) for thread in threads for each in read(f"{thread}/children").split()]


def cpu_time(pid: int) -> int:
    """In ticks of the clock; 0: there is no such process."""
    return sum(map(int, read(f"/proc/{pid}/stat").rpartition(")")[2].split()[11:13]))


def is_alive(pid: int) -> bool:
    return read(f"/proc/{pid}/stat").rpartition(")")[2].split()[:1] not in ([], ["Z"])


def read(path: str) -> str:
    try:
        return Path(path).read_text()
    except OSError:
        return ""
