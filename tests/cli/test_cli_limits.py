"""Too little memory or address space: a plain complaint and exit code 2, whichever library notices it first."""

import errno
import re
import resource
import shutil
import subprocess
import sys

import pyarrow as pa
import pytest
from typer.main import get_command

import shoal
from survey_example import Desk, desk, shell

MAIN = "from shoal.cli import main; main()"
GB = 10**9


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    made = desk(tmp_path_factory.mktemp("limits"))
    shoal.protect(made.data, made.policy, output=made.release)
    return made


@pytest.fixture
def place(made, tmp_path):
    """A copy for every test."""
    return Desk(shutil.copytree(made.folder, tmp_path / "desk"))


@pytest.fixture
def limited(monkeypatch):
    """The system says that address space is limited so."""

    def limit(n_bytes):
        monkeypatch.setattr(resource, "getrlimit", lambda what: (n_bytes, resource.RLIM_INFINITY))

    return limit


def under(n_bytes, *words):
    """``shoal`` in a process whose address space is really limited."""
    code = f"import resource; resource.setrlimit(resource.RLIMIT_AS, ({n_bytes}, {n_bytes})); {MAIN}"
    return subprocess.run(
        [sys.executable, "-c", code, *map(str, words)], capture_output=True, text=True, timeout=60, check=False
    )


def pages(place):
    """Commands that draw charts."""
    page = place.folder / "page.html"
    return {
        "protect": ["protect", place.data, "-p", place.policy, "-o", place.folder / "new.csv", "--report", page],
        "assess": ["assess", place.data, place.release, "-p", place.policy, "--report", page],
        "compare": ["compare", place.data, "-p", place.policy, "--report", page],
        "som": ["som", place.data, "-o", page],
        "demo": ["demo", "--persons", "1000", "--folder", place.folder / "demo"],
        "reproduce": ["reproduce", "mdav", "-o", place.folder / "reproduced"],
    }


@pytest.mark.parametrize("name", ["protect", "assess", "compare", "som", "demo", "reproduce"])
def test_charts_that_find_no_address_space_are_refused_before_any_work(place, monkeypatch, limited, name):
    limited(6 * GB)
    monkeypatch.delattr("pyarrow.csv.read_csv")  # who reads a table has begun to work
    before = place.files()
    said = shell(*pages(place)[name])
    assert (said.code, said.out) == (2, "")
    assert "charts" in said.err
    assert "limited to 6 GB (ulimit -v)" in said.err
    assert place.files() == before


@pytest.mark.gate
def test_a_process_that_cannot_draw_leaves_nothing(place):
    """V8 would abort, and no cleaning is done then."""
    before = place.files()
    ran = under(4 * GB, *pages(place)["protect"])
    assert (ran.returncode, ran.stdout) == (2, "")
    assert ran.stderr.startswith("error: the program that draws charts")
    assert place.files() == before


def test_a_page_of_python_is_refused_as_well(place, limited):
    release = shoal.protect(place.data, place.policy)
    limited(6 * GB)
    with pytest.raises(shoal.ShoalError, match="charts"):
        release.report()


def test_what_has_no_charts_needs_no_room_for_them(place, limited):
    limited(6 * GB)
    assert shell("compare", place.data, "-p", place.policy, "--report", place.folder / "page.md").code == 0


@pytest.mark.gate
def test_no_limit_is_no_complaint(place, limited):
    limited(resource.RLIM_INFINITY)
    assert shell("compare", place.data, "-p", place.policy, "--report", place.folder / "page.html").code == 0


def commands(place):
    """One that works of each."""
    return {
        "init": ["init", place.data, "-o", place.folder / "init.toml"],
        "protect": ["protect", place.data, "-p", place.policy, "-o", place.folder / "new.csv"],
        "verify": ["verify", place.release, "-p", place.policy],
        "assess": ["assess", place.data, place.release, "-p", place.policy],
        "compare": ["compare", place.data, "-p", place.policy],
        "link": ["link", place.data, place.release, "-p", place.policy],
        "som": pages(place)["som"],
        "demo": pages(place)["demo"],
    }


COMMANDS = ["init", "protect", "verify", "assess", "compare", "link", "som", "demo"]


@pytest.mark.parametrize("name", COMMANDS)
def test_too_little_to_start(place, limited, name):
    limited(GB // 2)
    before = place.files()
    said = shell(*commands(place)[name])
    assert (said.code, said.out) == (2, "")
    assert "to start" in said.err
    assert "limited to 500 MB (ulimit -v)" in said.err
    assert place.files() == before


def test_help_is_shown_however_little_there_is(limited):
    limited(GB // 10)
    assert shell("--help").code == 0


@pytest.mark.gate(but="200000000")
@pytest.mark.parametrize("n_bytes", [200_000_000, 300_000_000])
def test_a_process_that_cannot_start_says_so(place, n_bytes):
    """Not 1, which says that a requirement does not hold; nor stopped, as by the signal that OpenBLAS raises."""
    ran = under(n_bytes, *commands(place)["verify"])
    assert (ran.returncode, ran.stdout) == (2, "")
    assert "to start" in ran.stderr


def test_too_little_for_duckdb(place, limited):
    limited(2 * GB)
    before = place.files()
    said = shell(*commands(place)["protect"], "--engine", "duckdb")
    assert (said.code, said.out) == (2, "")
    assert "DuckDB" in said.err
    assert "limited to 2 GB (ulimit -v)" in said.err
    assert place.files() == before
    assert shell(*commands(place)["protect"], "--force", "--engine", "memory").code == 0


OF_MEMORY = [
    MemoryError("std::bad_alloc"),
    pa.ArrowMemoryError("malloc of size 64 failed"),
    pa.ArrowException("Unknown error: Resource temporarily unavailable"),
    RuntimeError("can't start new thread"),
    ImportError("lib.so: failed to map segment from shared object"),
    ImportError("lib.so: cannot map zero-fill pages: Cannot allocate memory"),
    OSError(12, "Cannot allocate memory"),
]
OTHERS = [RuntimeError("odd"), ImportError("No module named 'odd'"), pa.ArrowException("odd")]


def struck(monkeypatch, error):
    def strike(*_, **__):
        raise error

    monkeypatch.setattr("shoal.pipeline.verify.verify.verify", strike)


@pytest.mark.parametrize("error", OF_MEMORY, ids=repr)
def test_want_of_memory_is_said_as_such(place, monkeypatch, error):
    struck(monkeypatch, error)
    said = shell(*commands(place)["verify"])
    assert (said.code, said.out) == (2, "")
    assert said.err.startswith("error: this machine has no memory left.")


@pytest.mark.parametrize("error", OTHERS, ids=repr)
def test_other_errors_are_not_taken_for_it(place, monkeypatch, error):
    struck(monkeypatch, error)
    assert "this should not happen" in shell(*commands(place)["verify"]).err


def test_any_other_refusal_of_the_system_is_its_own(place, monkeypatch):
    struck(monkeypatch, OSError(errno.EIO, "Input/output error", "r.csv"))
    assert shell(*commands(place)["verify"]).err == "error: r.csv: Input/output error (reported by the system).\n"


READING = "pyarrow.csv.read_csv"
CARRYING = "shoal.engines.memory.MemoryEngine.read"


@pytest.mark.gate(
    but=(
        "init-pyarrow.csv.read_csv",
        "protect-pyarrow.csv.read_csv",
        "verify-pyarrow.csv.read_csv",
        "compare-shoal.engines.memory.MemoryEngine.read",
    )
)
@pytest.mark.parametrize(
    ("name", "place_of_want"),
    [*((name, READING) for name in COMMANDS), *((name, CARRYING) for name in COMMANDS if name not in ("init", "som"))],
)
def test_the_advice_can_be_followed(place, monkeypatch, name, place_of_want):
    """Every option that it names is one of the command, or of a command that it names."""
    from shoal.cli.commands import app

    def strike(*_, **__):
        raise MemoryError

    monkeypatch.setattr(place_of_want, strike)
    said = shell(*commands(place)[name])
    assert said.code == 2
    assert "memory" in said.err
    known = get_command(app).commands
    named = {name, *re.findall(r"'shoal (\w+)'", said.err)}
    options = {option for each in named for parameter in known[each].params for option in parameter.opts}
    assert set(re.findall(r"--[a-z]+", said.err)) <= options


def test_no_advice_of_duckdb_where_it_finds_no_room(place, monkeypatch, limited):
    def strike(*_, **__):
        raise MemoryError

    monkeypatch.setattr("shoal.engines.memory.MemoryEngine.read", strike)
    assert "in pieces" in shell(*commands(place)["verify"]).err
    limited(2 * GB)
    assert "in pieces" not in shell(*commands(place)["verify"]).err
