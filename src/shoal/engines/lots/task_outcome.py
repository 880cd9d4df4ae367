"""What a worker hands back: a result or a fault.

Faults are data, since an error that is raised in another process is written to logs with what it quotes. They are
worded by Shoal, or only their type is named: messages of libraries may show cells.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, Self

from shoal.engines.lots.lot_carrier import R
from shoal.errors import EngineError, ShoalError
from shoal.sources.disk_space import FULL


@dataclass(frozen=True)
class TaskOutcome(Generic[R]):
    result: R | None = None
    fault: ShoalError | None = None
    kind: str | None = None
    is_disk_full: bool = False

    @classmethod
    def of(cls, job: Callable[[], R]) -> TaskOutcome[R]:
        try:
            return cls(job())
        except Exception as error:
            return cls.of_error(error)

    @classmethod
    def of_error(cls, error: Exception) -> Self:
        if isinstance(error, ShoalError):
            return cls(fault=error.with_traceback(None))
        if isinstance(error, MemoryError):
            return cls(fault=EngineError.none_left())
        return cls(kind=type(error).__name__, is_disk_full=isinstance(error, OSError) and error.errno in FULL)

    def value(self, folder: Path) -> Any:
        """The result. ``folder``: where a worker writes."""
        if self.fault is not None:
            raise self.fault
        if self.is_disk_full:
            raise EngineError.no_room(folder)
        if self.kind is not None:
            raise EngineError.worker_failed(self.kind)
        return self.result
