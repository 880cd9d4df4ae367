"""Gensearch with suppression: against every way to cut and to suppress, and at any number of threads."""

import json
import random
from collections import Counter
from dataclasses import replace

import numpy as np
import pyarrow as pa
import pytest

import shoal
from reference import requirements as twin
from reference.best_cuts import leaves, loss_of, splits
from reference.cut_problems import SCHEMA, a_problem, a_table, asked_of
from reference.suppression import boxes, stable
from shoal.encode.combination_counts import count_combinations
from shoal.errors import PolicyError
from shoal.losses import loss_of as loss_named
from shoal.losses import measure
from shoal.methods.generalization.certificate import Certificate, check, classes_of
from shoal.methods.generalization.coded_counts import CodedCounts
from shoal.methods.generalization.exhaustive_boxes import optimum
from shoal.methods.generalization.suppression_price import PriceRange
from user_rule_examples import TWINS, OwnMinority, OwnSquares

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


@pytest.mark.gate(but="0.2-discernibility")
@pytest.mark.parametrize("loss", ["discernibility", "classification", "volume"])
@pytest.mark.parametrize("share", [0.2, pytest.param(1.0, marks=pytest.mark.long)])
def test_cost_and_bound_are_those_of_brute_force(loss, share):
    n_proven, n_suppressing = compare_with_brute_force(range(12), loss, share)
    assert n_proven >= (12 if share == 1.0 else 8)
    assert n_suppressing > 0 or loss == "classification"


@pytest.mark.long
@pytest.mark.parametrize("loss", ["discernibility", "classification", "volume"])
@pytest.mark.parametrize("share", [0.1, 0.2, 0.4, 1.0])
def test_cost_and_bound_are_those_of_brute_force_for_long(loss, share):
    n_proven, _ = compare_with_brute_force(range(12, 179), loss, share, threads=(1, 2, 4))
    assert n_proven >= (167 if share == 1.0 else 100)


def compare_with_recursion(seeds, loss, wanted_of):
    """Where all records may be suppressed, the price is 0 and the optimum that of plain recursion."""
    n_suppressing = 0
    for seed in seeds:
        table, schema, cuts, *_ = a_problem(seed)
        counts, wanted = count_combinations(table, table.column_names), wanted_of(seed)
        coded = CodedCounts.read(counts, schema, wanted, cuts)
        if not coded.can_hold:
            continue
        found = shoal.gensearch(table, schema, wanted, loss=loss, target="s", cuts=cuts, suppression=1.0)
        suppressed = loss_named(loss).of_suppressed(measure(found.tree, counts, "s", coded.weights))
        best = optimum(coded, loss, classes_of(coded.counts, "s"), True, suppressed=suppressed)
        assert found.is_optimal, seed
        assert found.cost == pytest.approx(best, rel=1e-6), seed
        n_suppressing += found.n_suppressed > 0
    return n_suppressing


OF_RECURSION = pytest.mark.parametrize(
    ("loss", "wanted_of"),
    [
        ("certainty", lambda seed: [shoal.KAnonymity(2 + seed % 3)]),
        ("certainty", lambda seed: [shoal.KAnonymity(3), shoal.DistinctLDiversity(2, "s")]),
        (OwnSquares(1.5), lambda seed: [OwnMinority(1, column="s")]),
        (TWINS["certainty"], lambda seed: [shoal.KAnonymity(3)]),
        ("discernibility", lambda seed: [shoal.KAnonymity(2), shoal.MinimumLength(1.5, "c0")]),
    ],
    ids=["k", "l", "user", "twin", "length"],
)


@pytest.mark.gate(but=("k", "l"))
@OF_RECURSION
def test_the_optimum_is_that_of_plain_recursion(loss, wanted_of):
    seeds = range(8)
    if isinstance(wanted_of(0)[-1], shoal.MinimumLength):
        seeds = [seed for seed in range(20) if a_problem(seed)[1]["c0"].kind == "numeric"]
    n_suppressing = compare_with_recursion(seeds, loss, wanted_of)
    assert n_suppressing > 0 or loss == "discernibility"


@pytest.mark.parametrize(
    "seeds", [(11, 116, 241), pytest.param(range(60), marks=pytest.mark.long)], ids=["few", "many"]
)
def test_a_plan_is_priced_by_what_is_left(seeds):
    """Blocks that hold beside all records may fail beside what is left: they are suppressed, counted, and avoided."""
    schema = shoal.Schema([SCHEMA["age"], SCHEMA["s"]])

    def holds(q, p):
        return len(q) >= 2 and twin.beta(q, p, enhanced=False) <= 1 + 1e-9

    def cost(classes, values):
        kept = stable([classes], values, holds)
        sizes = Counter(classes[at] for at in kept).values()
        return sum(n**2 for n in sizes) + (12 - len(kept)) * 12, 12 - len(kept)

    for seed in seeds:
        draw = random.Random(seed)
        records = [(min(int(draw.expovariate(0.6)), 3), 0, draw.choice("abc")) for _ in range(12)]
        values = [s for *_, s in records]
        table = pa.table({"age": [age for age, *_ in records], "s": values})
        wanted = [shoal.KAnonymity(2), shoal.BetaLikeness(1, "s")]
        found = shoal.gensearch(table, schema, wanted, suppression=0.4)
        least = min(n for n, n_lost in (cost(one, values) for one in boxes(records, (1, 2, 3))) if n_lost <= 4)
        assert (found.cost, found.n_suppressed) == cost(found.tree.block_of(table).tolist(), values)
        assert found.lower_bound <= least <= found.cost
        assert found.cost == least or not found.is_optimal
        assert found.cost == least or len(seeds) > 3


def test_less_is_suppressed_at_less_cost_than_without():
    table, wanted = a_table(3), [shoal.KAnonymity(12), shoal.DistinctLDiversity(3, "s")]
    costs = {}
    for share in (0.0, 0.02, 0.1, 1.0):
        found = shoal.gensearch(table, SCHEMA, wanted, loss="certainty", suppression=share, nodes=20_000)
        assert found.n_suppressed <= share * len(table)
        costs[share] = found.cost
    assert costs[1.0] < costs[0.0]
    assert costs[1.0] <= min(costs.values())


def test_a_certificate_says_what_may_be_and_what_is_suppressed():
    table, wanted = a_table(3), [shoal.KAnonymity(12)]
    found = shoal.gensearch(table, SCHEMA, wanted, loss="certainty", suppression=0.1, nodes=5_000)
    read = Certificate.from_json(found.certificate.to_json())
    assert read == found.certificate
    assert read.most_suppressed == 15
    assert 0 < read.n_suppressed <= 15
    plain = shoal.gensearch(table, SCHEMA, wanted, loss="certainty", nodes=5_000).certificate
    assert not {"most_suppressed", "n_suppressed", "price"} & set(plain.to_dict())


def test_a_share_is_from_0_to_1():
    with pytest.raises(PolicyError, match="suppression"):
        shoal.gensearch(a_table(1), SCHEMA, [shoal.KAnonymity(3)], suppression=1.5)


def test_prices_rise_until_one_keeps_the_limit_and_are_then_halved():
    prices = PriceRange(grain=1.0, most=1e6, first=10.0)
    tried = []
    while prices.is_open(prices.high is None):
        price = prices.next_price
        tried.append(price)
        prices = prices.after(price, price >= 137)
    assert tried[:4] == [10, 40, 160, 100]
    assert prices.low < 137 <= prices.high
    assert prices.high - prices.low <= 8


def test_no_price_is_above_what_sums_allow():
    prices = PriceRange(grain=1.0, most=25.0, first=10.0)
    while prices.is_open(suppresses_too_many=True):
        prices = prices.after(prices.next_price, is_within=False)
    assert prices.low == 25


def test_no_bound_is_proven_at_a_price_below_0():
    """There plans within the limit seem to cost more than they do, and a bound above the optimum seems to hold."""
    table, schema, cuts, records, _ = a_problem(0)
    wanted, _ = asked_of(0, records)
    best = shoal.gensearch(table, schema, wanted, cuts=cuts, suppression=0.4)
    assert best.is_optimal
    counts = count_combinations(table, table.column_names)
    one_block = {**json.loads(best.certificate.tree), "parents": [-1], "cut_on": [-1], "part_of": [0]}
    forged = replace(
        best.certificate,
        tree=json.dumps(one_block),
        n_suppressed=0,
        cost=float(len(records) ** 2),
        lower_bound=best.cost + 1,
        is_optimal=False,
        price=-1.0,
    )
    found = check(forged, counts, schema, wanted, cuts)
    assert found.cost_holds
    assert found.requirements_hold
    assert found.bound_holds is False


def test_fewer_records_than_a_block_needs_are_refused_whatever_may_be_suppressed():
    """The kernel divides by the number of blocks that there can be."""
    schema = shoal.Schema([shoal.Column("a", "quasi_identifier", "numeric")])
    with pytest.raises(PolicyError, match="k = 3"):
        shoal.gensearch({"a": [1, 2]}, schema, [shoal.KAnonymity(3)], suppression=1.0, nodes=10)
