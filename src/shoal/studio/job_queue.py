"""The queue of jobs: one process at a time, in the order in which they were asked for."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from shoal.errors import StudioError
from shoal.studio.job import Job, Status
from shoal.studio.job_process import GONE, JobProcess, JobStarter
from shoal.studio.messages import Answered, Canceled, Done, Failed, Message, StageAt, StageBegan, StageEnded
from shoal.studio.tasks import Task

GRACE = 20.0  # seconds in which a canceled job cleans up; then it is killed


@dataclass(frozen=True)
class Order:
    """A task, and who is told its answers, and its end where it does not end well."""

    task: Task
    take: Callable[[Any], None]
    failed: Callable[[Status, tuple[str, ...]], None]


class JobQueue:
    def __init__(self, starter: JobStarter, changed: Callable[[], None]) -> None:
        self._starter, self._changed = starter, changed
        self._jobs: dict[int, Job] = {}
        self._orders: dict[int, Order] = {}
        self._waiting: asyncio.Queue[int] = asyncio.Queue()
        self._process: JobProcess | None = None
        self._running: int | None = None
        self._canceled: set[int] = set()

    @property
    def jobs(self) -> tuple[Job, ...]:
        return tuple(self._jobs.values())

    @property
    def process(self) -> JobProcess | None:
        """That of the running job."""
        return self._process

    def job(self, number: int) -> Job:
        if number not in self._jobs:
            raise StudioError.no_job(number)
        return self._jobs[number]

    def add(self, order: Order, run: int | None = None) -> Job:
        number = len(self._jobs) + 1
        self._orders[number] = order
        self._waiting.put_nowait(number)
        self._set(Job(number, order.task.kind, order.task.title, run=run))
        return self._jobs[number]

    def change(self, number: int, **fields: Any) -> None:
        self._set(replace(self._jobs[number], **fields))

    def cancel(self, number: int) -> Job:
        """A waiting job is over at once, a running one as soon as it has cleaned up."""
        job = self.job(number)
        if job.status == "waiting":
            self._end(number, "canceled")
        elif number == self._running and number not in self._canceled:
            self._canceled.add(number)
            self._stop()
        return self._jobs[number]

    def _stop(self) -> None:
        if self._process is not None:
            self._process.stop()
            asyncio.get_running_loop().call_later(GRACE, self._process.kill)

    async def work(self) -> None:
        """Runs one job after the other, until it is canceled itself: then the running one is stopped."""
        while True:
            number = await self._waiting.get()
            if not self._jobs[number].is_over:
                await self._run(number)

    async def close(self) -> None:
        """Cancels all jobs, and waits until the running one has cleaned up."""
        for job in self.jobs:
            self.cancel(job.id)
        while self._running is not None:
            await asyncio.sleep(0.01)

    async def _run(self, number: int) -> None:
        loop = asyncio.get_running_loop()
        outcomes: list[Message] = []
        self._running = number
        self._set(self._jobs[number].begun())
        try:
            process = self._process = await asyncio.to_thread(self._starter.start, self._orders[number].task)
        except GONE:
            self._running = None
            return self._end(number, "dead", StudioError.worker_died("it could not be started").lines)
        if number in self._canceled:
            self._stop()

        def read() -> str:
            for message in process.messages():
                loop.call_soon_threadsafe(self._receive, number, message, outcomes)
            return process.ended()

        how = await asyncio.to_thread(read)
        self._process = self._running = None
        return self._end(number, *_status(outcomes, how, was_canceled=number in self._canceled))

    def _receive(self, number: int, message: Message, outcomes: list[Message]) -> None:
        match message:
            case StageBegan() | StageAt() | StageEnded():
                self._set(self._jobs[number].at_stage(message))
            case Answered(value):
                self._orders[number].take(value)
                self._changed()
            case Failed() | Canceled() | Done():
                outcomes.append(message)

    def _end(self, number: int, status: Status, error: tuple[str, ...] = ()) -> None:
        if status != "done":
            self._orders[number].failed(status, error)
        self._set(self._jobs[number].over(status, error))

    def _set(self, job: Job) -> None:
        self._jobs[job.id] = job
        self._changed()


def _status(outcomes: list[Message], how: str, *, was_canceled: bool) -> tuple[Status, tuple[str, ...]]:
    """How a job ended. One that was canceled when it was done already is done."""
    match outcomes:
        case [Done()]:
            return "done", ()
        case [Failed(lines)] if not was_canceled:
            return "failed", lines
    if was_canceled:
        return "canceled", ()
    return "dead", StudioError.worker_died(how).lines
