"""Arrow's errors while a file is read, replaced by our own: Arrow's may show a cell."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pyarrow as pa

from shoal.errors import SourceError


@contextmanager
def plain_errors(path: Path) -> Iterator[None]:
    """Raises SourceError for a damaged file. A lack of memory is not damage of the file."""
    try:
        yield
    except MemoryError:
        raise
    except (pa.ArrowException, OSError):
        raise SourceError.damaged(path) from None


@contextmanager
def enough_memory(where: object) -> Iterator[None]:
    try:
        yield
    except MemoryError:
        raise SourceError.no_memory(where) from None
