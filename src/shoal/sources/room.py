"""Room on a disk, and what is said where there is none."""

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
    """For files that go when the block ends. A write that fails there has no name that the user would know."""
    with TemporaryDirectory() as folder:
        try:
            yield Path(folder)
        except OSError as error:
            if error.errno in NO_ROOM:
                raise SourceError.no_temporary_room(Path(gettempdir())) from None
            raise
