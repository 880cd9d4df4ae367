"""Execution of jobs in parallel threads, while the calling thread handles signals and progress.

A job runs a kernel in small steps and reports each of them; the report raises ``Cancellation`` once the caller has
stopped. Results are in the order of the jobs, so the number of threads affects the running time only.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_EXCEPTION, Future, ThreadPoolExecutor, wait
from typing import TypeVar

from shoal.errors import ArrayError
from shoal.progress import Advance

Report = Callable[[int], None]  # called with the amount of work since the last call
Result = TypeVar("Result")


class Cancellation(Exception):  # noqa: N818  ends a job, not an error
    """Raised in a job after the caller has stopped waiting for it."""


def n_threads(threads: int | None) -> int:
    """``threads``, or the number of CPUs available to this process if None."""
    if threads is None:
        return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    if threads < 1:
        raise ArrayError.too_small("threads", 1, threads)
    return threads


def run(jobs: Sequence[Callable[[Report], Result]], threads: int, at: Advance) -> list[Result]:
    """The results of all jobs, in order. ``at`` is called with the total work reported so far."""
    stopped = threading.Event()
    done = [0] * len(jobs)

    def work(number: int) -> Result:
        def report(n: int) -> None:
            done[number] += n
            if stopped.is_set():
                raise Cancellation

        return jobs[number](report)

    with ThreadPoolExecutor(min(threads, len(jobs))) as pool:
        results: list[Future[Result]] = []
        try:
            results.extend(pool.submit(work, number) for number in range(len(jobs)))
            waiting = set(results)
            while waiting:
                _, waiting = wait(waiting, timeout=0.1, return_when=FIRST_EXCEPTION)
                at(sum(done))
            return [result.result() for result in results]
        except BaseException:
            stopped.set()
            for result in results:
                result.cancel()
            raise
