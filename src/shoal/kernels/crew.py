"""Jobs side by side on threads, while the caller's thread keeps the clock, signals and progress.

A job does a kernel's work in small steps and tells each of them; that is also where it hears that it should stop.
Results come in the order of the jobs, so the number of threads decides nothing but the time.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_EXCEPTION, Future, ThreadPoolExecutor, wait
from typing import TypeVar

from shoal.errors import ArrayError
from shoal.progress import Advance

Tell = Callable[[int], None]  # told how much was done since the last time
Result = TypeVar("Result")


class Stopped(Exception):  # noqa: N818  what a job hears, no complaint
    """Raised inside a job when the caller wants no more of it."""


def n_threads(threads: int | None) -> int:
    """As many as asked for, or as this process may use."""
    if threads is None:
        return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    if threads < 1:
        raise ArrayError.too_small("threads", 1, threads)
    return threads


def run(jobs: Sequence[Callable[[Tell], Result]], threads: int, at: Advance) -> list[Result]:
    """The results of all jobs. ``at`` is told the sum of what they have done."""
    stopped = threading.Event()
    done = [0] * len(jobs)

    def work(number: int) -> Result:
        def tell(n: int) -> None:
            done[number] += n
            if stopped.is_set():
                raise Stopped

        return jobs[number](tell)

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
