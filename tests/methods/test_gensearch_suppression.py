"""Gensearch with suppression: against every way to cut and to suppress, and at any number of threads."""

import numpy as np
import pytest

import shoal
from reference.best_cuts import loss_of, splits, leaves
from reference.cut_problems import SCHEMA, a_problem, a_table, asked_of
from shoal.encode.combination_counts import count_combinations
from shoal.methods.generalization.certificate import check
from shoal.methods.generalization.suppression_price import PriceRange

COST_OF_SUPPRESSED = {
    "discernibility": lambda records, box: len(records),
    "classification": lambda records, box: 1,
    "volume": lambda records, box: int(np.prod([len(leaves(part)) for part in box])),
}


def least_losses(records, box, holds, loss, empty_blocks, suppressed, most):
    """(most + 1,) the least cost with exactly so many records suppressed, by trying everything."""
    best = np.full(most + 1, np.inf)
    if holds(records):
        best[0] = loss_of(loss, records, box)
    elif len(records) <= most:
        best[len(records)] = len(records) * suppressed
    for column, part in enumerate(box):
        for parts in splits(part):
            inside = [[record for record in records if record[column] in leaves(one)] for one in parts]
            if not empty_blocks and not all(inside):
                continue
            cost = np.full(most + 1, np.inf)
            cost[0] = 0
            for members, one in zip(inside, parts, strict=True):
                if members:
                    below = (*box[:column], one, *box[column + 1 :])
                    found = least_losses(members, below, holds, loss, empty_blocks, suppressed, most)
                    cost = np.array([min(cost[i - j] + found[j] for j in range(i + 1)) for i in range(most + 1)])
            best = np.minimum(best, cost)
    return best


def compare_with_brute_force(seeds, loss, share, threads=(1, 2)):
    """How many of the problems were proven, and how many suppress a record."""
    n_proven, n_suppressing = 0, 0
    for seed in seeds:
        table, schema, cuts, records, box = a_problem(seed)
        wanted, holds = asked_of(seed, records)
        empty_blocks = bool(seed % 3) or loss == "volume"
        suppressed = COST_OF_SUPPRESSED[loss](records, box)
        most = int(share * len(records) + 1e-9)
        least = least_losses(records, box, holds, loss, empty_blocks, suppressed, most).min()
        found = [
            shoal.gensearch(
                table,
                schema,
                wanted,
                cuts=cuts,
                loss=loss,
                target="s" if loss == "classification" else None,
                empty_blocks=empty_blocks,
                suppression=share,
                threads=n,
            )
            for n in threads
        ]
        assert all(one.certificate == found[0].certificate for one in found), seed
        one = found[0]
        assert one.lower_bound <= least + 1e-9, seed
        assert one.cost >= least - 1e-9, seed
        assert one.n_suppressed <= most
        if one.is_optimal:
            assert one.cost == least, seed
        n_proven += one.is_optimal
        n_suppressing += one.n_suppressed > 0
        counts = count_combinations(table, table.column_names)
        assert check(one.certificate, counts, schema, wanted, cuts).holds, seed
    return n_proven, n_suppressing


@pytest.mark.parametrize("loss", ["discernibility", "classification", "volume"])
@pytest.mark.parametrize("share", [0.2, 1.0])
def test_cost_and_bound_are_those_of_brute_force(loss, share):
    n_proven, n_suppressing = compare_with_brute_force(range(12), loss, share)
    assert n_proven >= (12 if share == 1.0 else 8)
    assert n_suppressing > 0 or loss == "classification"
