"""The command line: one command per file, each a thin layer over ``run``."""

# ruff: noqa: E402
from __future__ import annotations

import sys


def stopped_early(error: type[BaseException], value: BaseException, trace: TracebackType | None) -> None:
    """Says in one line that Ctrl-C came before ``main``; Python then exits with the code of the signal."""
    if issubclass(error, KeyboardInterrupt):
        sys.stderr.write("error: stopped. Nothing was written.\n")
    else:
        usual_hook(error, value, trace)


usual_hook, sys.excepthook = sys.excepthook, stopped_early  # while the rest is imported

import signal
from contextlib import suppress
from types import FrameType, TracebackType

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
        sys.excepthook = usual_hook
        from shoal.cli.door import run_command

        run_command()
    except KeyboardInterrupt:
        with suppress(OSError, AttributeError):  # if stderr is closed, only the exit code is left
            sys.stderr.write(f"error: stopped. {_outcome(*sys.argv[1:2])}\n")
        sys.exit(SIGNALED + signals[-1])


def _outcome(command: str = "") -> str:
    return OUTCOMES.get(command, "Nothing was written.")
