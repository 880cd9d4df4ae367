"""A 2^d-tree is the same for any number of threads that count its records and find their leaves."""

import numpy as np
import pytest

import shoal
from shoal.blocking import grid_cells, twod_rule
from shoal.kernels import thread_pool


@pytest.mark.parametrize("threads", [2, 3, 7])
def test_threads_decide_nothing(monkeypatch, threads):
    X = np.random.default_rng(0).lognormal(size=(5000, 3))
    alone = shoal.twod_tree(X, 3, limit=100)
    monkeypatch.setattr(grid_cells, "RECORDS_PER_STEP", 300)
    monkeypatch.setattr(twod_rule, "RECORDS_PER_JOB", 300)
    monkeypatch.setattr(thread_pool, "n_threads", lambda asked: threads)
    together = shoal.twod_tree(X, 3, limit=100)
    assert (together.labels == alone.labels).all()
    assert together.rule.to_json() == alone.rule.to_json()
