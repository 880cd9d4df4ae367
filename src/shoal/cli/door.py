"""Runs a command of the shell and turns every error into a plain message and an exit code."""

from __future__ import annotations

import errno
import os
import signal
import sys
from typing import NoReturn

import typer

from shoal.cli import SIGNALED, streams
from shoal.cli.commands import app
from shoal.cli.console import print_error
from shoal.errors import EngineError, ShoalError, SourceError

INTERRUPTED = SIGNALED + signal.SIGINT
OUT_OF_MEMORY_MESSAGES = (  # messages of threads and libraries that have no error class for it
    "can't start new thread",
    "Resource temporarily unavailable",
    "failed to map segment from shared object",
    "cannot map zero-fill pages",
)


def run_command() -> None:
    """Runs the command; raises KeyboardInterrupt if it was stopped."""
    try:
        streams.prepare()
        app()
    except ShoalError as error:
        _exit_with(error)
    except typer.Abort:
        raise KeyboardInterrupt from None
    except SystemExit as left:
        if left.code == INTERRUPTED:  # typer exits so, without a message
            raise KeyboardInterrupt from None
        raise
    except BrokenPipeError:
        sys.exit(INTERRUPTED)
    except Exception as error:
        if "SHOAL_TRACEBACK" in os.environ and not isinstance(error, OSError | MemoryError):
            raise
        _exit_with(_plain_error(error))


def _plain_error(error: Exception) -> ShoalError:
    """The error without its original text, which may contain a cell value."""
    if _is_out_of_memory(error):
        return EngineError.none_left()
    if isinstance(error, OSError):
        return SourceError.output_failed(error) if streams.is_stdout_error(error) else SourceError.system_error(error)
    return ShoalError.unforeseen(error)


def _is_out_of_memory(error: Exception) -> bool:
    if isinstance(error, OSError):
        return error.errno == errno.ENOMEM
    return isinstance(error, MemoryError) or any(words in str(error) for words in OUT_OF_MEMORY_MESSAGES)


def _exit_with(error: ShoalError) -> NoReturn:
    print_error(*error.lines)
    sys.exit(error.exit_code)
