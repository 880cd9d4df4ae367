"""The shell: one command per file, each a few lines over ``run``."""

from __future__ import annotations

import signal
import sys
from contextlib import suppress
from types import FrameType

SIGNALED = 128  # and the number of the signal: what shells say of who was stopped by it
OUTCOMES = {
    "protect": "Nothing was released.",
    "demo": "Files that were finished before stay.",
    "reproduce": "Files that were finished before stay.",
}


def main() -> None:
    """What runs when somebody types ``shoal``; all else is imported inside, so that Ctrl-C is heard meanwhile."""
    heard = [signal.SIGINT]

    def stop(number: int, frame: FrameType | None) -> None:
        heard.append(signal.Signals(number))
        raise KeyboardInterrupt

    signal.signal(signal.SIGTERM, stop)  # clean up as after Ctrl-C
    try:
        from shoal.cli.door import enter

        enter()
    except KeyboardInterrupt:
        with suppress(OSError, AttributeError):  # where nobody can be told, the exit code must do
            sys.stderr.write(f"error: stopped. {_outcome(*sys.argv[1:2])}\n")
        sys.exit(SIGNALED + heard[-1])


def _outcome(command: str = "") -> str:
    return OUTCOMES.get(command, "Nothing was written.")
