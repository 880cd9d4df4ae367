"""Prices of cells: no block of a small table is priced above its loss, and what the first round finds is the least."""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

import shoal
from reference.all_blocks import all_blocks
from reference.cut_problems import SCHEMA, a_problem, a_table, asked_of
from shoal import kernels
from shoal.encode.combination_counts import count_combinations
from shoal.methods.generalization import boxes as boxes_module
from shoal.methods.generalization.boxes import Boxes
from shoal.methods.generalization.certificate import classes_of
from shoal.methods.generalization.coded_counts import CodedCounts

LOSSES = ("discernibility", "classification", "volume", "certainty")
EVERYTHING = 10**9  # work


class Case:
    """A small problem with all of its blocks."""

    def __init__(self, table, schema, wanted, cuts, loss):
        counts = count_combinations(table, table.column_names)
        coded = CodedCounts.of(counts, schema, wanted, cuts)
        classes = classes_of(coded.counts, "s") if loss == "classification" else None
        self.boxes = Boxes.of(coded, loss, classes)
        cell = {tuple(codes): at for at, codes in enumerate(self.boxes.cells.tolist())}
        of_row = np.array([cell[tuple(codes)] for codes in coded.codes.tolist()])
        self.blocks = [(np.unique(of_row[rows]), lost) for rows, lost in all_blocks(coded, loss, classes)]

    def ratios(self, prices, reach):
        """Of blocks that cost less than ``reach`` per record."""
        least = np.full(len(self.boxes.n), np.inf)
        for cells, lost in self.blocks:
            if prices[cells].sum() > 0 and lost < reach * self.boxes.n[cells].sum():
                least[cells] = np.minimum(least[cells], lost / prices[cells].sum())
        return least


@cache
def cases(loss):
    small = [(seed, *a_problem(seed)) for seed in range(12)]
    k, cuts = shoal.KAnonymity(4), {"age": list(range(19, 24))}
    long = [k, shoal.MinimumLength(2, "age"), shoal.MinimumLength(1, "job")]
    return [
        *(Case(table, schema, asked_of(seed, rows)[0], cuts, loss) for seed, table, schema, cuts, rows, _ in small),
        Case(a_table(1, 40, gaps=0.05), SCHEMA, [k, shoal.TCloseness(0.4, "s")], cuts, loss),
        Case(a_table(2, 40), SCHEMA, long, cuts, loss),
    ]


@pytest.mark.gate(but="discernibility")
@pytest.mark.parametrize("loss", LOSSES)
def test_least_ratios_are_those_of_all_blocks(loss):
    for number, case in enumerate(cases(loss)):
        chance = np.random.default_rng(number)
        n = case.boxes.n.astype(float)
        free = {"volume": 6.0, "certainty": 0.71}.get(loss, np.inf)
        for prices, reach in ((n, np.inf), (n * chance.integers(0, 4, n.size), np.inf), (n, free)):
            found = kernels.box_ratios(**case.boxes._problem, prices=prices, reach=reach, most_work=EVERYTHING)
            assert found == pytest.approx(case.ratios(prices, reach), rel=1e-4), number


@pytest.mark.gate(but=("discernibility-1000000000", "discernibility-300", "classification-300", "volume-300"))
@pytest.mark.parametrize("work", [EVERYTHING, 300])
@pytest.mark.parametrize("loss", LOSSES)
def test_no_block_is_priced_above_its_loss(loss, work, monkeypatch):
    monkeypatch.setattr(boxes_module, "PRICE_WORK", work)
    n_raised = 0
    for number, case in enumerate(cases(loss)):
        boxes = replace(case.boxes)  # its prices are not known yet
        prices, floors = boxes.floors, boxes._floors_by_cell
        assert all(prices[cells].sum() <= lost + boxes.grain_of_loss for cells, lost in case.blocks), number
        assert prices.sum() >= floors.sum(), number
        n_raised += prices.sum() > floors.sum()
    assert n_raised > 5 or (work < EVERYTHING and loss in ("discernibility", "classification"))
