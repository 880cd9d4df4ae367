"""The streams of the shell: what they cannot show is escaped, and one that is closed or full is a plain error."""

from __future__ import annotations

import errno
import io
import os
import sys
from typing import TextIO

from shoal.errors import SourceError

STDERR = 2
UNWRITABLE = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EBADF)


def prepare() -> None:
    """Before any file is opened: else it would get the number of a closed stream, and what is said would go there."""
    can_say = sys.stdout is not None
    _occupy_closed()
    sys.stdout, sys.stderr = _open(sys.stdout), _open(sys.stderr)
    if not can_say:
        raise SourceError.no_stdout()


def is_of_stdout(error: OSError) -> bool:
    """Whether it is about what was said, not about a file: that has a name."""
    return error.filename is None and error.errno in UNWRITABLE


def _occupy_closed() -> None:
    while (number := os.open(os.devnull, os.O_RDWR)) <= STDERR:
        pass
    os.close(number)


def _open(stream: TextIO | None) -> TextIO:
    if stream is None:
        return io.StringIO()  # for nobody
    if isinstance(stream, io.TextIOWrapper):
        stream.reconfigure(errors="backslashreplace")
    return stream
