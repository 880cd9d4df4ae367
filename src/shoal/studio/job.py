"""Jobs: what Studio has been asked to do, and how far it is. Frozen values, which the pages show."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any, Literal, Self

from shoal.studio.messages import StageAt, StageBegan, StageEnded
from shoal.studio.tasks import JobKind

Status = Literal["waiting", "running", "done", "failed", "canceled", "dead"]
OVER: tuple[Status, ...] = ("done", "failed", "canceled", "dead")
MOST_LINES = 200  # of a log
END_WORDS: dict[Status, str] = {
    "done": "done",
    "failed": "not possible",
    "canceled": "canceled; its files were removed",
    "dead": "the process ended unexpectedly; its files were removed",
}


@dataclass(frozen=True)
class Stage:
    number: int
    what: str
    total: int  # 0: not known
    done: int = 0

    def to_dict(self) -> dict[str, Any]:
        return {"what": self.what, "done": self.done, "total": self.total}


@dataclass(frozen=True)
class Job:
    id: int
    kind: JobKind
    title: str
    status: Status = "waiting"
    stages: tuple[Stage, ...] = ()  # now open, the outermost first
    log: tuple[str, ...] = ()
    started: datetime | None = None
    ended: datetime | None = None
    error: tuple[str, ...] = ()
    run: int | None = None  # that it makes
    result: Any = None  # of a forecast

    @property
    def is_over(self) -> bool:
        return self.status in OVER

    def begun(self) -> Self:
        return replace(self, status="running", started=_now())

    def at_stage(self, message: StageBegan | StageAt | StageEnded) -> Self:
        match message:
            case StageBegan(number, what, total):
                stages = (*self.stages, Stage(number, what, total))
                return replace(self, stages=stages, log=(*self.log, what)[-MOST_LINES:])
            case StageAt(number, done):
                stages = tuple(replace(each, done=done) if each.number == number else each for each in self.stages)
                return replace(self, stages=stages)
            case StageEnded(number):
                return replace(self, stages=tuple(each for each in self.stages if each.number != number))

    def over(self, status: Status, error: tuple[str, ...] = ()) -> Self:
        log = (*self.log, END_WORDS[status])
        return replace(self, status=status, stages=(), log=log, ended=_now(), error=error)

    @property
    def seconds(self) -> float | None:
        if self.started is None or self.ended is None:
            return None
        return (self.ended - self.started).total_seconds()

    def to_dict(self) -> dict[str, Any]:
        return {
            "id": self.id,
            "kind": self.kind,
            "title": self.title,
            "status": self.status,
            "stages": [stage.to_dict() for stage in self.stages],
            "log": list(self.log),
            "started": self.started.isoformat() if self.started else None,
            "seconds": self.seconds,
            "error": {"lines": list(self.error)} if self.error else None,
            "run": self.run,
            "result": self.result,
        }


def _now() -> datetime:
    return datetime.now(UTC)
