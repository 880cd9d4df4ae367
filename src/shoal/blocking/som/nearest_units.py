"""Search of the best matching unit of every record, in parallel threads."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np

from shoal import kernels
from shoal.kernels import Labels, Matrix, thread_pool

RECORDS_PER_JOB = 25_000
RECORDS_PER_STEP = 5_000

UnitSearch = Callable[[Matrix, Labels], Labels]


def nearest_units(X: Matrix, units: Matrix, hints: Labels, threads: int) -> Labels:
    """(n_records,) the nearest unit by the observed values, the lower on ties. ``hints``: initial guesses."""
    return _run_in_parallel(kernels.UnitTree(units).nearest, X, hints, threads)


def second_units(X: Matrix, units: Matrix, nearest: Labels, threads: int) -> Labels:
    """(n_records,) the second nearest unit."""
    return _run_in_parallel(kernels.UnitTree(units).nearest_but, X, nearest, threads)


def _run_in_parallel(search: UnitSearch, X: Matrix, labels: Labels, threads: int) -> Labels:
    def searched(first: int, report: thread_pool.Report) -> Labels:
        found = []
        for at in range(first, min(len(X), first + RECORDS_PER_JOB), RECORDS_PER_STEP):
            some = slice(at, min(at + RECORDS_PER_STEP, first + RECORDS_PER_JOB))
            found.append(search(X[some], labels[some]))
            report(len(found[-1]))
        return np.concatenate(found)

    if len(X) <= RECORDS_PER_STEP:
        return search(X, labels)
    jobs = [partial(searched, first) for first in range(0, len(X), RECORDS_PER_JOB)]
    return np.concatenate(thread_pool.run(jobs, threads, lambda done: None))
