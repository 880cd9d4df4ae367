"""Measures the workloads of Shoal, keeps the figures and renders them as a page.

    make bench                               all workloads
    make bench ARGS='--quick'                those that take seconds; five minutes on two cores at most
    make bench ARGS='--only mdav --compare'  those whose name begins so, compared with the run before
    make bench ARGS='--quick --compare REV'  compared with the last run of a commit
    make bench ARGS='--list'                 their names

The history is build/bench/history.jsonl, the page build/bench/index.html. The exit status is 1 if a figure got worse
than its limit allows. Workloads on the public sets need SHOAL_DATA and are named where they are left out.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from bench import comparison, history
from bench.comparison import Comparison
from bench.history import Entry
from bench.machine import git, this_machine, this_source
from bench.measurement import measure, measured_here, to_json
from bench.workloads import WORKLOADS, Workload

LAST = "last"


def main(arguments: Sequence[str] | None = None) -> int:
    given = _parser().parse_args(arguments)
    if given.one:
        print(to_json(measured_here(named(given.one))))
        return 0
    chosen = [w for w in WORKLOADS if w.name.startswith(given.only) and (w.is_quick or not given.quick)]
    if given.list:
        print("\n".join(f"{w.name:28}{'quick' if w.is_quick else '':8}{w.quality}" for w in chosen))
        return 0
    if not chosen:
        sys.exit(f"--only {given.only}: no workload has a name that begins so. --list prints their names.")
    return run(chosen, given.history, given.compare)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="bench", description="Workloads of Shoal, measured and compared.")
    parser.add_argument("--quick", action="store_true", help="only workloads that take seconds")
    parser.add_argument("--only", default="", metavar="NAME", help="only workloads whose name begins so")
    parser.add_argument("--list", action="store_true", help="print the names of the workloads")
    parser.add_argument(
        "--compare", nargs="?", const=LAST, metavar="REV", help="with the last run, or that of a commit"
    )
    parser.add_argument("--history", type=Path, default=Path("build/bench/history.jsonl"), metavar="FILE")
    parser.add_argument("--one", help=argparse.SUPPRESS)  # measured in this process
    return parser


def named(name: str) -> Workload:
    return next(workload for workload in WORKLOADS if workload.name == name)


def run(workloads: Sequence[Workload], path: Path, compare: str | None) -> int:
    begun, machine, source = datetime.now(UTC).strftime("%Y-%m-%d %H:%M:%S"), this_machine(), this_source()
    print(f"{'workload':28}{'CPU s':>10}{'in sorts':>10}{'peak MB':>10}{'quality':>12}", flush=True)
    for workload in workloads:
        if not workload.can_run:
            print(f"{workload.name:28}left out: SHOAL_DATA is not set", flush=True)
            continue
        found = measure(workload)
        history.append(path, Entry(begun, workload.name, workload.quality, found, machine, source))
        figures = f"{found.cpu:>10.2f}{found.sorts:>10.1f}{found.memory:>10.0f}{found.quality:>12.5g}"
        print(f"{workload.name:28}{figures}  {workload.quality}", flush=True)
    return report(path, compare)


def report(path: Path, compare: str | None) -> int:
    """Renders the page of the history, prints the comparison, and returns the exit status."""
    from bench.page import page  # only now: the process that starts others stays small

    entries = history.read(path)
    if not entries:
        sys.exit("No workload ran, so there is no page.")
    comparisons = compared(entries, compare) if compare else []
    if compare:
        print("\n" + (comparison.table(comparisons) if comparisons else "No earlier run to compare with."))
    target = path.with_name("index.html")
    target.write_text(page(entries, comparisons), encoding="utf-8")
    print(f"\nThe page is {target}.")
    return int(any(one.regressions for one in comparisons))


def compared(entries: Sequence[Entry], compare: str) -> list[Comparison]:
    commit = None if compare == LAST else git("rev-parse", "--quiet", "--verify", compare) or compare
    pairs = ((now, history.before(entries, now, commit)) for now in history.last_run(entries))
    return [Comparison.of(now, before) for now, before in pairs if before]


if __name__ == "__main__":
    sys.exit(main())
