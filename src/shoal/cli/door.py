"""The door of the shell: a command is run, and whatever goes wrong becomes a plain complaint and an exit code."""

from __future__ import annotations

import errno
import os
import signal
import sys
from typing import NoReturn

import typer

from shoal.cli import SIGNALED, streams
from shoal.cli.commands import app
from shoal.cli.console import complain
from shoal.errors import EngineError, ShoalError, SourceError

INTERRUPTED = SIGNALED + signal.SIGINT
WANTS_OF_MEMORY = (  # of threads and libraries, which tell it by words alone
    "can't start new thread",
    "Resource temporarily unavailable",
    "failed to map segment from shared object",
    "cannot map zero-fill pages",
)


def enter() -> None:
    """Whoever is stopped leaves by KeyboardInterrupt."""
    try:
        streams.prepare()
        app()
    except ShoalError as error:
        _leave(error)
    except typer.Abort:
        raise KeyboardInterrupt from None
    except SystemExit as left:
        if left.code == INTERRUPTED:  # typer leaves so, without a word
            raise KeyboardInterrupt from None
        raise
    except BrokenPipeError:
        sys.exit(INTERRUPTED)
    except Exception as error:
        if "SHOAL_TRACEBACK" in os.environ and not isinstance(error, OSError | MemoryError):
            raise
        _leave(_plain(error))


def _plain(error: Exception) -> ShoalError:
    """Its own words are left out: they may show a cell value."""
    if _is_want_of_memory(error):
        return EngineError.none_left()
    if isinstance(error, OSError):
        return SourceError.not_shown(error) if streams.is_of_stdout(error) else SourceError.of_the_system(error)
    return ShoalError.unforeseen(error)


def _is_want_of_memory(error: Exception) -> bool:
    if isinstance(error, OSError):
        return error.errno == errno.ENOMEM
    return isinstance(error, MemoryError) or any(words in str(error) for words in WANTS_OF_MEMORY)


def _leave(error: ShoalError) -> NoReturn:
    complain(str(error))
    sys.exit(error.exit_code)
