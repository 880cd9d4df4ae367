"""Plants faults in a scratch copy of the tree, one by one, and says which of them the tests notice.

    tools/plant_faults.py [--room ROOM] [--only NAME]

A room is a file of tools/faults. An entry has a ``name``, a ``file``, an exact text to ``find`` there, which must occur
once, what stands in its place (``replace``), and the ``tests`` that are expected to go red. The checkout is untouched.
Exit code 1 where fewer than 98 % of the faults are noticed.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
ENOUGH = 0.98
MOST_SECONDS = 900  # a fault may make a loop endless
FAILED, TIMED_OUT = 1, 124

# An editable install answers every import of shoal itself, before any path is searched.
SITE = """\
import sys
sys.meta_path[:] = [finder for finder in sys.meta_path if "skbc" not in type(finder).__module__]
"""


@dataclass(frozen=True)
class Fault:
    room: str
    name: str
    file: str
    find: str
    replace: str
    tests: tuple[str, ...]

    @property
    def is_compiled(self) -> bool:
        return self.file.startswith("src/kernels/")


@dataclass(frozen=True)
class Outcome:
    fault: Fault
    noticed: bool
    reason: str  # which test, or why none

    def __str__(self) -> str:
        verdict = "noticed" if self.noticed else "NOT NOTICED"
        return f"{self.fault.room:<13} {verdict:<12} {self.fault.name}: {self.reason}"


@dataclass(frozen=True)
class Scratch:
    """A copy of the tree, with kernels of its own."""

    folder: Path

    @classmethod
    def of(cls, root: Path, folder: Path) -> Scratch:
        listed = ["git", "-C", str(root), "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
        names = subprocess.run(listed, check=True, capture_output=True, text=True).stdout.split("\0")
        for source, target in ((root / name, folder / name) for name in names if name):
            if source.is_file():
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(source, target)
        (folder / "sitecustomize.py").write_text(SITE)
        scratch = cls(folder)
        shutil.copy2(_compiled(), scratch.kernels)
        return scratch

    @property
    def kernels(self) -> Path:
        return self.folder / "src/shoal/kernels"

    @property
    def environment(self) -> dict[str, str]:
        """Every Python that is started here, by whomever, takes the shoal of the copy."""
        here = f"{self.folder}{os.pathsep}{self.folder / 'src'}"
        path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
        cached = {"CCACHE_BASEDIR": str(self.folder), "CCACHE_NOHASHDIR": "1"}  # wherever the copy lies
        return {**os.environ, **cached, "PYTHONPATH": here, "PYTHONDONTWRITEBYTECODE": "1", "PATH": path}

    def run(self, *words: str) -> subprocess.CompletedProcess[str]:
        try:
            return subprocess.run(
                words, cwd=self.folder, env=self.environment, capture_output=True, text=True, timeout=MOST_SECONDS
            )
        except subprocess.TimeoutExpired:
            return subprocess.CompletedProcess(words, TIMED_OUT, "", "it did not end")

    def test(self, tests: Sequence[str]) -> subprocess.CompletedProcess[str]:
        options = ["-x", "-q", "-rf", "--tb=short", "-p", "no:cacheprovider", "--hypothesis-seed=0"]
        return self.run(sys.executable, "-m", "pytest", "--basetemp=temporary", *options, *tests)

    def build(self) -> None:
        cmake = ["cmake", "-S", ".", "-B", "build/faults", "-G", "Ninja", f"-DPython_EXECUTABLE={sys.executable}"]
        if shutil.which("ccache"):
            cmake.append("-DCMAKE_CXX_COMPILER_LAUNCHER=ccache")
        for words in (cmake, ["ninja", "-C", "build/faults"]):
            built = self.run(*words)
            if built.returncode:
                raise SystemExit(f"the kernels do not build:\n{built.stdout[-2000:]}{built.stderr[-2000:]}")
        shutil.copy2(next((self.folder / "build/faults").glob("_compiled*.so")), self.kernels)

    @contextmanager
    def planted(self, fault: Fault) -> Iterator[None]:
        path, module = self.folder / fault.file, self.kernels / _compiled().name
        text, compiled = path.read_text(encoding="utf-8"), module.read_bytes()
        path.write_text(text.replace(fault.find, fault.replace), encoding="utf-8")
        try:
            if fault.is_compiled:
                self.build()
            yield
        finally:
            path.write_text(text, encoding="utf-8")
            module.write_bytes(compiled)

    def is_stale(self, fault: Fault) -> bool:
        path = self.folder / fault.file
        return not path.is_file() or path.read_text(encoding="utf-8").count(fault.find) != 1


def _compiled() -> Path:
    """The kernels of the Python that runs this."""
    found = find_spec("shoal.kernels._compiled")
    if found is None or found.origin is None:
        raise SystemExit("the kernels are not built: see the Makefile")
    return Path(found.origin)


def read_faults(folder: Path) -> list[Fault]:
    return [
        Fault(path.stem, **{**entry, "tests": tuple(entry["tests"])})
        for path in sorted(folder.glob("*.toml"))
        for entry in tomllib.loads(path.read_text(encoding="utf-8"))["fault"]
    ]


def outcome_of(fault: Fault, scratch: Scratch) -> Outcome:
    if scratch.is_stale(fault):
        return Outcome(fault, False, f"STALE, {fault.file} does not hold its text once")
    with scratch.planted(fault):
        ran = scratch.test(fault.tests)
    if ran.returncode == TIMED_OUT:
        return Outcome(fault, True, ran.stderr)
    red = re.search(r"^FAILED (.+?)(?: - .*)?$", ran.stdout, re.MULTILINE)
    if ran.returncode == FAILED and red:
        return Outcome(fault, True, red[1])
    why = "every test is green" if ran.returncode == 0 else f"pytest could not run, exit code {ran.returncode}"
    return Outcome(fault, False, f"{why}: {', '.join(fault.tests)}")


def check_green(faults: Sequence[Fault], scratch: Scratch) -> None:
    """A test that is red by itself notices nothing."""
    ran = scratch.test(sorted({test for fault in faults for test in fault.tests}))
    if ran.returncode:
        raise SystemExit(f"without any fault the tests are not green:\n{ran.stdout[-6000:]}{ran.stderr[-2000:]}")


def main() -> int:
    reader = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    reader.add_argument("--room", help="only the faults of tools/faults/ROOM.toml")
    reader.add_argument("--only", metavar="NAME", help="only the fault of this name")
    options = reader.parse_args()
    faults = [
        fault
        for fault in read_faults(ROOT / "tools/faults")
        if options.room in (None, fault.room) and options.only in (None, fault.name)
    ]
    if not faults:
        raise SystemExit("there is no such fault")
    n_noticed = 0
    with tempfile.TemporaryDirectory(prefix="shoal-faults-") as folder:
        scratch = Scratch.of(ROOT, Path(folder))
        check_green(faults, scratch)
        for outcome in (outcome_of(fault, scratch) for fault in faults):
            n_noticed += outcome.noticed
            sys.stdout.write(f"{outcome}\n")
            sys.stdout.flush()
    share = n_noticed / len(faults)
    sys.stdout.write(f"{n_noticed} of {len(faults)} faults are noticed ({share:.1%})\n")
    return int(share < ENOUGH)


if __name__ == "__main__":
    sys.exit(main())
