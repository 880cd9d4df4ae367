"""Errors for a full disk, and temporary folders."""

from __future__ import annotations

import errno
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory, gettempdir

from shoal.errors import SourceError

FULL = (errno.ENOSPC, errno.EDQUOT)
NO_ROOM = (*FULL, errno.EFBIG)


@contextmanager
def temporary_folder() -> Iterator[Path]:
    """A folder for files that are removed when the block ends. A failed write there is reported without the name of the
    file, which the user would not know."""
    with TemporaryDirectory() as folder:
        try:
            yield Path(folder)
        except OSError as error:
            if error.errno in NO_ROOM:
                raise SourceError.no_temporary_space(Path(gettempdir())) from None
            raise
