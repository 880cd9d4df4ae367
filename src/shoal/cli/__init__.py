"""The command line: one command per file, each a thin layer over ``run``."""

from __future__ import annotations

import signal
import sys
from contextlib import suppress
from types import FrameType

SIGNALED = 128  # plus the number of the signal: exit code of a stopped process, as in shells
OUTCOMES = {
    "protect": "Nothing was released.",
    "demo": "Files that were already finished are kept.",
    "reproduce": "Files that were already finished are kept.",
}


def main() -> None:
    """Entry point of ``shoal``. Everything else is imported inside, so that Ctrl-C is handled during the import."""
    signals = [signal.SIGINT]

    def stop(number: int, frame: FrameType | None) -> None:
        signals.append(signal.Signals(number))
        raise KeyboardInterrupt

    signal.signal(signal.SIGTERM, stop)  # clean up as after Ctrl-C
    try:
        from shoal.cli.door import run_command

        run_command()
    except KeyboardInterrupt:
        with suppress(OSError, AttributeError):  # if stderr is closed, only the exit code is left
            sys.stderr.write(f"error: stopped. {_outcome(*sys.argv[1:2])}\n")
        sys.exit(SIGNALED + signals[-1])


def _outcome(command: str = "") -> str:
    return OUTCOMES.get(command, "Nothing was written.")
