"""Plants faults in copies of the tree, one by one, and keeps which tier of the tests notices each.

    tools/plant_faults.py [--room ROOM] [--only NAME] [--missing] [--find] [--workers N] [--output FILE]

A room is a file of tools/faults. An entry has a ``name``, a ``file``, an exact text to ``find`` there, which must occur
once, what stands in its place (``replace``), and the ``tests`` that are expected to go red. Those of make test run
first, then those of make gate, then what is long. The table that is kept (tools/faults/noticed.txt) has a row for every
fault; rows that were not asked for stay as they are. The checkout is untouched but for it.

Exit code 1 where too few faults are noticed, or too few by make test: see fault_table.py.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from fnmatch import fnmatch
from functools import partial
from importlib.util import find_spec
from itertools import groupby
from pathlib import Path
from queue import SimpleQueue
from threading import Lock, Thread
from typing import TypeVar

from fault_server import TIERS, TIMED_OUT, Asked
from fault_table import FAULTS, ROOT, TABLE, Fault, Row, complaints, counts, read_faults, read_rows, write_rows

Job = TypeVar("Job")
Done = TypeVar("Done")

MOST_SECONDS = 900  # a fault may make a loop endless
WORKERS_PER_BUILDER = 8  # who builds kernels begins with all of them, which takes minutes

# An editable install answers every import of shoal itself, before any path is searched.
SITE = """\
import sys
sys.meta_path[:] = [finder for finder in sys.meta_path if "skbc" not in type(finder).__module__]
"""


@dataclass(frozen=True)
class Scratch:
    """A copy of the tree, with kernels of its own."""

    folder: Path

    @classmethod
    def of(cls, root: Path, folder: Path) -> Scratch:
        for name in _names(root):
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(root / name, folder / name)
        (folder / "sitecustomize.py").write_text(SITE)
        scratch = cls(folder)
        shutil.copy2(_compiled(), scratch.kernels)
        return scratch

    @property
    def kernels(self) -> Path:
        return self.folder / "src/shoal/kernels"

    @property
    def objects(self) -> Path:
        return self.folder / "build/faults"

    @property
    def environment(self) -> dict[str, str]:
        """Every Python that is started here, by whomever, takes the shoal of the copy."""
        here = f"{self.folder}{os.pathsep}{self.folder / 'src'}"
        path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
        cached = {"CCACHE_BASEDIR": str(self.folder), "CCACHE_NOHASHDIR": "1"}  # wherever the copy lies
        return {**os.environ, **cached, "PYTHONPATH": here, "PYTHONDONTWRITEBYTECODE": "", "PATH": path}

    def run(self, *words: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            words, cwd=self.folder, env=self.environment, capture_output=True, text=True, timeout=MOST_SECONDS
        )

    def test(self, tests: Sequence[str]) -> subprocess.CompletedProcess[str]:
        options = ["-x", "-q", "-rf", "--tb=short", "-p", "no:cacheprovider"]
        return self.run(sys.executable, "-m", "pytest", "--basetemp=temporary", *options, *tests)

    def compile(self) -> None:
        """So that a module is compiled anew where its text has changed, whatever the clock says."""
        self.run(sys.executable, "-m", "compileall", "-q", "--invalidation-mode", "checked-hash", "src/shoal")

    def build(self, n_threads: int) -> None:
        """File by file, so that a fault compiles one; ninja says which."""
        cmake = ["cmake", "-S", ".", "-B", str(self.objects), "-G", "Ninja", f"-DPython_EXECUTABLE={sys.executable}"]
        cmake.append("-DCMAKE_UNITY_BUILD=OFF")
        if shutil.which("ccache"):
            cmake.append("-DCMAKE_CXX_COMPILER_LAUNCHER=ccache")
        ninja = ["ninja", "-C", str(self.objects), "-j", str(n_threads), "_compiled"]
        for words in [ninja] if (self.objects / "build.ninja").is_file() else [cmake, ninja]:
            built = self.run(*words)
            if built.returncode:
                raise SystemExit(f"the kernels do not build:\n{built.stdout[-2000:]}{built.stderr[-2000:]}")

    @contextmanager
    def planted(self, fault: Fault, n_threads: int = 1) -> Iterator[None]:
        """With the time of every file as it was, so that nothing is compiled to take a fault away again."""
        path, module = self.folder / fault.file, self.kernels / _compiled().name
        outputs = [module]
        if fault.is_compiled:
            self.build(n_threads)
            outputs += [*self.objects.rglob("*.o"), *self.objects.glob("_compiled*.so")]
        before = {output: output.stat().st_mtime_ns for output in outputs}
        with tempfile.TemporaryDirectory(dir=self.folder) as kept:
            for n, output in enumerate(outputs if fault.is_compiled else []):
                shutil.copy2(output, Path(kept) / str(n))
            text, state = path.read_bytes(), path.stat()
            path.write_text(text.decode().replace(fault.find, fault.replace), encoding="utf-8", newline="")
            try:
                if fault.is_compiled:
                    self.build(n_threads)
                    module.unlink()
                    shutil.copy2(next(self.objects.glob("_compiled*.so")), module)
                yield
            finally:
                path.write_bytes(text)
                os.utime(path, ns=(state.st_atime_ns, state.st_mtime_ns))
                for n, output in enumerate(outputs):
                    if output.stat().st_mtime_ns != before[output]:
                        output.unlink()
                        shutil.copy2(Path(kept) / str(n), output)

    def is_stale(self, fault: Fault) -> bool:
        path = self.folder / fault.file
        return not path.is_file() or path.read_text(encoding="utf-8").count(fault.find) != 1


def _names(root: Path) -> list[str]:
    """The files of the tree, none of what .gitignore leaves out: also where there is no history."""
    listed = ["git", "-C", str(root), "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    if (root / ".git").exists() and shutil.which("git"):
        found = subprocess.run(listed, check=True, capture_output=True, text=True).stdout.split("\0")
        return [name for name in found if name and (root / name).is_file()]
    ignored = [".git", *(line.strip("/") for line in (root / ".gitignore").read_text(encoding="utf-8").split())]
    names: list[str] = []
    for folder, folders, files in os.walk(root):
        here = Path(folder).relative_to(root)
        kept = [name for name in (*folders, *files) if not any(_is_ignored(here / name, rule) for rule in ignored)]
        folders[:] = [name for name in folders if name in kept]
        names += [(here / name).as_posix() for name in files if name in kept and (Path(folder) / name).is_file()]
    return sorted(names)


def _is_ignored(path: Path, rule: str) -> bool:
    return fnmatch(path.as_posix() if "/" in rule else path.name, rule)


def _compiled() -> Path:
    """The kernels of the Python that runs this."""
    found = find_spec("shoal.kernels._compiled")
    if found is None or found.origin is None:
        raise SystemExit("the kernels are not built: see the Makefile")
    return Path(found.origin)


@dataclass(frozen=True)
class Event:
    """What became of a phase of a test; a test that does not end has only "started"."""

    test: str
    tier: str
    outcome: str
    seconds: float


@dataclass(frozen=True)
class Ran:
    code: int
    words: str
    events: tuple[Event, ...]
    cpu: float

    @property
    def red(self) -> Event | None:
        """The first test that is red, or that did not end, or in which the process died."""
        if (self.code == TIMED_OUT or self.code < 0) and self.events:
            return self.events[-1]
        return next((event for event in self.events if event.outcome == "failed"), None)

    @property
    def why_green(self) -> str:
        if self.code not in (0, 5):
            return f"pytest could not run, exit code {self.code}"
        return "every test is green" if any(event.outcome == "passed" for event in self.events) else "no test ran"


class Worker:
    """A copy of the tree and a process that runs its tests in forks."""

    def __init__(self, scratch: Scratch, is_builder: bool, n_threads: int) -> None:
        self.scratch = scratch
        self.is_builder = is_builder
        self.n_threads = n_threads
        words = [sys.executable, "tools/fault_server.py"]
        self.server = subprocess.Popen(
            words, cwd=scratch.folder, env=scratch.environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def run(self, asked: Asked) -> Ran:
        assert self.server.stdin is not None
        assert self.server.stdout is not None
        self.server.stdin.write(json.dumps(asdict(asked)) + "\n")
        self.server.stdin.flush()
        answer = json.loads(self.server.stdout.readline())
        events = tuple(Event(*event) for event in answer["events"])
        return Ran(answer["code"], answer["words"], events, answer["cpu"])

    def run_planted(self, fault: Fault, asked: Asked) -> Ran:
        with self.scratch.planted(fault, self.n_threads):
            return self.run(asked)

    def end(self) -> None:
        assert self.server.stdin is not None
        self.server.stdin.close()
        self.server.wait()


class Crew:
    """Workers that take one job after the other; faults of kernels go to those that build."""

    def __init__(self, folder: Path, n_workers: int, n_compiled: int) -> None:
        first = Scratch.of(ROOT, folder / "0")
        first.compile()
        for n in range(1, n_workers):
            shutil.copytree(first.folder, folder / str(n), symlinks=True)
        n_builders = min(max(1, n_workers // WORKERS_PER_BUILDER), n_compiled)
        n_threads = -(-n_workers // max(1, n_builders))
        self.workers = [Worker(Scratch(folder / str(n)), n < n_builders, n_threads) for n in range(n_workers)]

    def each(self, jobs: Sequence[Job], do: Callable[[Worker, Job], Done]) -> Iterator[Done]:
        """What is done, as it comes."""
        compiled = deque(job for job in jobs if isinstance(job, Fault) and job.is_compiled)
        others = deque(job for job in jobs if not (isinstance(job, Fault) and job.is_compiled))
        lock, done = Lock(), SimpleQueue[Done | BaseException]()

        def work(worker: Worker) -> None:
            while True:
                with lock:
                    queue = compiled if worker.is_builder and compiled else others
                    if not queue:
                        return
                    job = queue.popleft()
                try:
                    done.put(do(worker, job))
                except BaseException as error:
                    done.put(error)

        for worker in self.workers:
            Thread(target=work, args=(worker,), daemon=True).start()
        for _ in jobs:
            found = done.get()
            if isinstance(found, BaseException):
                raise found
            yield found

    def end(self) -> None:
        for worker in self.workers:
            worker.end()


def run_without_faults(crew: Crew, faults: Sequence[Fault]) -> dict[str, list[Event]]:
    """What becomes of the tests, per file: a test that is red by itself notices nothing."""
    tests = sorted({test for fault in faults for test in fault.tests})
    by_file = [list(names) for _, names in groupby(tests, lambda test: test.split("::")[0])]

    def run(worker: Worker, names: list[str]) -> tuple[str, Ran]:
        return names[0].split("::")[0], worker.run(Asked(names, list(TIERS), [], until_red=False, seconds=MOST_SECONDS))

    ends: dict[str, list[Event]] = {}
    for file, ran in crew.each(by_file, run):
        red = [event for event in ran.events if event.outcome == "failed"]
        if ran.code not in (0, 1):
            _say(f"WITHOUT ANY FAULT {file} ends with exit code {ran.code}:\n{ran.words}")
            red += [replace(event, outcome="failed") for event in ran.events[-1:]]
        ends[file] = [*ran.events, *red]
        for event in red:
            _say(f"RED WITHOUT ANY FAULT, and left out: {event.test}")
    return ends


def row_of(ends: dict[str, list[Event]], worker: Worker, fault: Fault) -> tuple[Row, float]:
    """And how many seconds of CPU the tests took."""
    row = partial(Row, fault.room, name=fault.name)
    if worker.scratch.is_stale(fault):
        return row(verdict="stale", test=f"{fault.file} does not hold its text once"), 0.0
    named = [
        event
        for test in fault.tests
        for event in ends[test.split("::")[0]]
        if event.test == test or event.test.startswith((f"{test}::", f"{test}["))
    ]
    # Ten times as long as without the fault, and half a minute.
    seconds = min(MOST_SECONDS, 30 + 10 * sum(event.seconds for event in named))
    red_by_itself = sorted({event.test for event in named if event.outcome == "failed"})
    ran = worker.run_planted(fault, Asked(list(fault.tests), list(TIERS), red_by_itself, True, seconds))
    red = ran.red
    return row(verdict=red.tier, test=red.test) if red else row(verdict="none", test=ran.why_green), ran.cpu


def find_test(worker: Worker, fault: Fault) -> str:
    """A test of make test that notices the fault: of the files that are named, or of the folder of its room."""
    room = fault.file.removeprefix("src/kernels/").removeprefix("src/shoal/").split("/")[0]
    folder = "kernels" if fault.is_compiled else room
    places = sorted({test.split("::")[0] for test in fault.tests})
    if (ROOT / "tests" / folder).is_dir():
        places.append(f"tests/{folder}")
    if worker.scratch.is_stale(fault):
        return f"{fault.room}: {fault.name}: stale"
    ran = worker.run_planted(fault, Asked(places, ["test"], [], until_red=True, seconds=MOST_SECONDS))
    return (
        f'{fault.room}: {fault.name}: "{ran.red.test}"' if ran.red else f"{fault.room}: {fault.name}: {ran.why_green}"
    )


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def main() -> int:
    reader = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    reader.add_argument("--room", help="only the faults of tools/faults/ROOM.toml")
    reader.add_argument("--only", metavar="NAME", help="only the fault of this name")
    reader.add_argument("--missing", action="store_true", help="only the faults that have no row in the table yet")
    reader.add_argument("--find", action="store_true", help="say which test of make test notices what the table lacks")
    reader.add_argument("--workers", type=int, default=os.cpu_count() or 1, metavar="N", help="as many as cores")
    reader.add_argument("--output", type=Path, default=TABLE, metavar="FILE", help="the table, if not that of the tree")
    options = reader.parse_args()
    listed, rows = read_faults(FAULTS), read_rows(options.output)
    verdicts = {(row.room, row.name): row.verdict for row in rows}
    faults = [
        fault
        for fault in listed
        if options.room in (None, fault.room)
        and options.only in (None, fault.name)
        and not (options.missing and (fault.room, fault.name) in verdicts)
        and not (options.find and verdicts.get((fault.room, fault.name)) == "test")
    ]
    if not faults:
        raise SystemExit("there is no such fault")
    chosen = {(fault.room, fault.name) for fault in faults}
    rows = [row for row in rows if (row.room, row.name) not in chosen]
    with tempfile.TemporaryDirectory(prefix="shoal-faults-") as folder:
        crew = Crew(Path(folder), min(options.workers, len(faults)), sum(fault.is_compiled for fault in faults))
        try:
            if options.find:
                for line in crew.each(faults, find_test):
                    _say(line)
                return 0
            found: list[Row] = []
            cpu = 0.0
            for row, seconds in crew.each(faults, partial(row_of, run_without_faults(crew, faults))):
                _say(str(row))
                found.append(row)
                cpu += seconds
                write_rows(options.output, [*rows, *found], listed)  # a run that is stopped goes on by --missing
        finally:
            crew.end()
    judged = found if options.room or options.only else read_rows(options.output)
    said = complaints(judged, listed)
    _say("\n".join([counts(judged), f"{cpu / len(found):.1f} s of CPU a fault", *said]))
    return int(bool(said))


if __name__ == "__main__":
    sys.exit(main())
