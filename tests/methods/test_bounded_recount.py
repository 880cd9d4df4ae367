"""Proving a bound anew: as deep as cuts go, and no more work than is allowed."""

import inspect
import sys
from contextlib import contextmanager
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pytest

import shoal
from reference.cut_problems import SCHEMA, a_table
from shoal.encode.combination_counts import count_combinations
from shoal.methods.generalization.certificate import check
from shoal.methods.generalization.coded_counts import CodedCounts
from shoal.methods.generalization.exhaustive_boxes import SPLIT_WORK, TooLargeError, Work, optimum


def numbers(n_columns, n, seed=1):
    chance = np.random.default_rng(seed)
    table = pa.table({f"c{j}": chance.permutation(n) for j in range(n_columns)})
    return table, shoal.Schema([shoal.Column(name, "quasi_identifier", "numeric") for name in table.column_names])


def test_cuts_deeper_than_python_recurses_leave_the_bound_open():
    table, schema = numbers(1, 3000)
    wanted = [shoal.KAnonymity(2)]
    found = shoal.gensearch(table, schema, wanted, nodes=10)
    checked = check(found.certificate, count_combinations(table, table.column_names), schema, wanted, most_boxes=2000)
    assert checked.cost_holds
    assert checked.requirements_hold
    assert checked.bound_holds is None


def test_boxes_inside_of_boxes_take_no_frames():
    """Two by two cut off, 60 values are 30 boxes that lie inside of each other."""
    table, schema = numbers(1, 60)
    coded = CodedCounts.of(count_combinations(table, table.column_names), schema, [shoal.KAnonymity(2)])
    with only_frames(60):
        assert optimum(coded, "discernibility", None, True) == 30 * 2**2


@contextmanager
def only_frames(n):
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(len(inspect.stack(0)) + n)
    try:
        yield
    finally:
        sys.setrecursionlimit(limit)


@dataclass(frozen=True)
class Counted(shoal.KAnonymity):
    """Tells how often it was asked."""

    def holds(self, groups):
        ASKED.append(groups.totals.size)
        return super().holds(groups)


ASKED: list[int] = []


@pytest.mark.parametrize("most_splits", [1, 50, 700])
def test_splits_that_do_not_hold_are_counted_too(most_splits):
    """Few boxes hold at k = 15 of 40 records, but every one of their cuts is tried."""
    table, schema = numbers(3, 40)
    coded = CodedCounts.of(count_combinations(table, table.column_names), schema, [Counted(15)])
    ASKED.clear()
    with pytest.raises(TooLargeError):
        optimum(coded, "discernibility", None, True, most_boxes=10**9, work=Work(most_splits * (SPLIT_WORK + 80)))
    assert 0 < len(ASKED) <= 2 * most_splits


def test_what_ends_within_the_allowed_work_is_proved_whatever_is_left_of_it():
    table, wanted = a_table(1), [shoal.KAnonymity(12)]
    found = shoal.gensearch(table, SCHEMA, wanted)
    counts = count_combinations(table, table.column_names)
    held = [check(found.certificate, counts, SCHEMA, wanted, work=Work(10**n)).bound_holds for n in range(4, 13)]
    assert held == sorted(held, key=bool)
    assert (held[0], held[-1]) == (None, True)
