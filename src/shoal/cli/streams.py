"""Standard streams of the shell: unprintable characters are escaped, a closed or full stream gives a plain error."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, TextIO, cast

from shoal.errors import SourceError

STDERR = 2
STDOUT = "standard output"


class Stdout:
    """Standard output whose errors carry its name, which distinguishes them from errors of other files."""

    def __init__(self, stream: Any) -> None:
        self._stream = stream

    def write(self, what: Any) -> Any:
        with _named():
            return self._stream.write(what)

    def flush(self) -> None:
        with _named():
            self._stream.flush()

    @property
    def buffer(self) -> Stdout:
        return Stdout(self._stream.buffer)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


@contextmanager
def _named() -> Iterator[None]:
    try:
        yield
    except OSError as error:
        error.filename = STDOUT
        raise


def prepare() -> None:
    """Prepares the streams. Must run before any file is opened: a file could otherwise get the number of a closed
    stream, and messages would be written into it."""
    has_stdout = sys.stdout is not None
    _occupy_closed()
    sys.stdout, sys.stderr = cast(TextIO, Stdout(_open(sys.stdout))), _open(sys.stderr)
    if not has_stdout:
        raise SourceError.closed_stdout()


def is_stdout_error(error: OSError) -> bool:
    """Whether the error is about standard output and not about a file."""
    return bool(error.filename == STDOUT)


def _occupy_closed() -> None:
    while (number := os.open(os.devnull, os.O_RDWR)) <= STDERR:
        pass
    os.close(number)


def _open(stream: TextIO | None) -> TextIO:
    if stream is None:
        return io.StringIO()  # discarded
    if isinstance(stream, io.TextIOWrapper):
        stream.reconfigure(errors="backslashreplace")
    return stream
