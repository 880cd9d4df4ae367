"""Turns of all fuzzers, one after the other, each in a process of its own, until the time is up.

    PYTHONPATH=tests python -m soak --minutes 60
    PYTHONPATH=tests python -m soak --fuzzer readers --seed 1234      one turn, once more

Exit code 1 and a list of calls that fail again, where anything was found.
"""

from __future__ import annotations

import argparse
import secrets
import subprocess
import sys
import time
from itertools import count

from soak.fuzzers import FUZZERS

MOST_SECONDS = 1800  # of one turn, as a net: whoever hangs has failed
LINES = 60  # of what a failing turn says


def main() -> int:
    asked = argparse.ArgumentParser(prog="soak", description=__doc__.splitlines()[0])
    asked.add_argument("--minutes", type=float, default=60)
    asked.add_argument("--fuzzer", choices=FUZZERS, action="append", help="only this one; may be given again")
    asked.add_argument("--seed", type=int, help="of one turn; left out, a new one for every turn")
    asked.add_argument("--examples", type=int, help="of a turn")
    given = asked.parse_args()
    if given.seed is not None:
        for name in given.fuzzer or FUZZERS:
            FUZZERS[name].run(given.seed, given.examples)
        return 0
    return _soak(given.minutes, given.fuzzer or list(FUZZERS), given.examples)


def _soak(minutes: float, names: list[str], n_examples: int | None) -> int:
    until, failed = time.monotonic() + 60 * minutes, []
    for turn in count():
        if time.monotonic() >= until:
            break
        name, seed = names[turn % len(names)], secrets.randbits(32)
        call = f"PYTHONPATH=tests python -m soak --fuzzer {name} --seed {seed}"
        call += f" --examples {n_examples}" if n_examples else ""
        print(call, flush=True)  # noqa: T201
        words = _turn(call.split()[2:])
        if words is not None:
            print(words, flush=True)  # noqa: T201
            failed.append(call)
    print(f"{turn} turns, {len(failed)} failed", *failed, sep="\n")  # noqa: T201
    return int(bool(failed))


def _turn(arguments: list[str]) -> str | None:
    """What a turn says that fails; a crash of the whole process is one, too."""
    try:
        ran = subprocess.run([sys.executable, *arguments], capture_output=True, text=True, timeout=MOST_SECONDS)
    except subprocess.TimeoutExpired:
        return f"did not end in {MOST_SECONDS} seconds"
    if ran.returncode == 0:
        return None
    return "\n".join([f"exit code {ran.returncode}", *(ran.stdout + ran.stderr).splitlines()[-LINES:]])


sys.exit(main())
