"""Errors of Python and of libraries as errors of Shoal: their own texts may contain a cell value."""

from __future__ import annotations

import errno

from shoal.errors.base import ShoalError
from shoal.errors.engine_error import EngineError
from shoal.errors.source_error import SourceError

OUT_OF_MEMORY_MESSAGES = (  # messages of threads and libraries that have no error class for it
    "can't start new thread",
    "Resource temporarily unavailable",
    "failed to map segment from shared object",
    "cannot map zero-fill pages",
)


def plain_error(error: Exception) -> ShoalError:
    """The error without its original text."""
    if isinstance(error, ShoalError):
        return error
    if _is_out_of_memory(error):
        return EngineError.none_left()
    return SourceError.system_error(error) if isinstance(error, OSError) else ShoalError.unforeseen(error)


def _is_out_of_memory(error: Exception) -> bool:
    if isinstance(error, OSError):
        return error.errno == errno.ENOMEM
    return isinstance(error, MemoryError) or any(words in str(error) for words in OUT_OF_MEMORY_MESSAGES)
