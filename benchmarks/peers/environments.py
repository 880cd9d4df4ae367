"""Where a peer runs: a virtual environment of its own for one from PyPI, since their requirements exclude each other;
R or a Java archive where they are there."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

SIDES = Path(__file__).parent / "sides"
ARX = "SHOAL_ARX_JAR"  # the variable that names the archive


@dataclass(frozen=True)
class Place:
    """How a side is started. ``absence``: why it cannot be, if so."""

    version: str
    command: tuple[str, ...] = ()
    absence: str = ""


class Peer(Protocol):
    name: str

    def place(self, root: Path) -> Place: ...


@dataclass(frozen=True)
class PythonPeer:
    """From PyPI. ``also``: what it needs and does not ask for, or not in the version that it works with."""

    name: str
    version: str
    also: tuple[str, ...] = ()

    def place(self, root: Path) -> Place:
        folder = root / self.name
        python = folder / "bin" / "python"
        wanted = [f"{self.name}=={self.version}", *self.also]
        if not python.exists():
            subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True)
        install = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *wanted]
        run = subprocess.run(install, capture_output=True, text=True, check=False)
        if run.returncode:
            return Place(self.version, absence=f"pip could not install it: {_last_error(run.stderr)}")
        return Place(self.version, (str(python),))


def _last_error(text: str) -> str:
    lines = [line for line in text.splitlines() if line.startswith("ERROR")]
    return lines[-1] if lines else "it gave no reason"


@dataclass(frozen=True)
class RPeer:
    """A package of R, started by Rscript."""

    name: str

    def place(self, root: Path) -> Place:
        rscript = shutil.which("Rscript")
        if rscript is None:
            return Place("", absence="not present: there is no Rscript here")
        ask = f'cat(as.character(packageVersion("{self.name}")))'
        run = subprocess.run([rscript, "-e", ask], capture_output=True, text=True, check=False)
        if run.returncode:
            return Place("", absence=f"not present: R is here, its package {self.name} is not")
        return Place(run.stdout.strip(), (rscript, str(SIDES / f"{self.name.lower()}.R")))


@dataclass(frozen=True)
class JavaPeer:
    """A Java archive that the variable ``variable`` names; its side is compiled when it is started."""

    name: str
    variable: str

    def place(self, root: Path) -> Place:
        java, jar = shutil.which("java"), os.environ.get(self.variable)
        if java is None or jar is None:
            return Place(
                "", absence=f"not present: {self.variable} names no archive" if java else "not present: no Java"
            )
        return Place(Path(jar).stem, (java, "-cp", jar))


PEERS: tuple[Peer, ...] = (
    PythonPeer("anonypy", "0.2.1", ("pandas<3",)),
    PythonPeer("pycanon", "1.3.6"),
    PythonPeer("recordlinkage", "0.16"),
    PythonPeer("splink", "5.0.0", ("pandas<3",)),
    PythonPeer("anonymeter", "1.1.0", ("pandas<3",)),
    RPeer("sdcMicro"),
    JavaPeer("ARX", ARX),
)


def places(root: Path, names: Sequence[str]) -> dict[str, Place]:
    return {peer.name: peer.place(root) for peer in PEERS if peer.name in names}
