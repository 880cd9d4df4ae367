"""Runs a command of the shell and turns every error into a plain message and an exit code."""

from __future__ import annotations

import os
import signal
import sys
from typing import NoReturn

import typer
from typer.main import get_command

from shoal.cli import SIGNALED, streams
from shoal.cli.commands import app
from shoal.cli.console import print_error
from shoal.errors import ShoalError, SourceError
from shoal.errors.plain_error import plain_error

INTERRUPTED = SIGNALED + signal.SIGINT
COMMAND = get_command(app)


def run_command() -> None:
    """Runs the command; raises KeyboardInterrupt if it was stopped."""
    try:
        streams.prepare()
        COMMAND()
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
    if isinstance(error, OSError) and streams.is_stdout_error(error):
        return SourceError.output_failed(error)
    return plain_error(error)


def _exit_with(error: ShoalError) -> NoReturn:
    print_error(*error.lines)
    sys.exit(error.exit_code)
