"""Gensearch: the optimum and every bound of small problems, by brute force and by plain recursion."""

from dataclasses import replace

import numpy as np
import pyarrow as pa
import pytest

import shoal
from reference.best_cuts import least_loss
from reference.cut_problems import SCHEMA, a_problem, a_table, asked_of
from requirement_examples import REQUIREMENTS
from shoal.encode.combination_counts import count_combinations
from shoal.errors import PolicyError
from shoal.losses import LOSSES, measure, total
from shoal.methods.generalization.certificate import Certificate, check, slack_of
from shoal.methods.generalization.coded_counts import CodedCounts
from shoal.methods.generalization.exhaustive_boxes import optimum


@pytest.mark.gate(but="0-True-discernibility")
@pytest.mark.parametrize("loss", ["discernibility", "classification", "volume"])
@pytest.mark.parametrize("empty_blocks", [True, False])
@pytest.mark.parametrize("batch", [0, 1, *(pytest.param(batch, marks=pytest.mark.long) for batch in (2, 3))])
def test_the_optimum_is_that_of_brute_force(loss, empty_blocks, batch):
    for seed in range(10 * batch, 10 * batch + 10):
        table, schema, cuts, records, box = a_problem(seed)
        wanted, holds = asked_of(seed, records)
        found = shoal.gensearch(table, schema, wanted, loss=loss, target="s", cuts=cuts, empty_blocks=empty_blocks)
        assert found.is_optimal
        assert found.lower_bound == found.cost == least_loss(records, box, holds, loss, empty_blocks), seed
        counts = count_combinations(table, table.column_names)
        blocks = measure(found.tree, counts, "s")
        assert total(LOSSES[loss], blocks) == found.cost
        assert empty_blocks or blocks.totals.min() > 0
        labels = found.tree.block_of(table)
        assert all(holds([records[i] for i in np.flatnonzero(labels == b)]) for b in np.unique(labels))
        checked = check(found.certificate, counts, schema, wanted, cuts)
        assert checked.holds
        assert checked.bound_holds


def is_compiled(requirement):
    return requirement.reads == "totals" or requirement.native_test is not None


ASKED = [
    asked for each in REQUIREMENTS.values() for asked in each.searched or ([each.of_s],) if all(map(is_compiled, asked))
]


def test_a_requirement_without_a_compiled_test_is_refused(monkeypatch):
    monkeypatch.setattr(shoal.EntropyLDiversity, "native_test", None)
    wanted = [shoal.KAnonymity(12), shoal.EntropyLDiversity(2.5, "s")]
    with pytest.raises(PolicyError, match="entropy_l_diversity: gensearch needs a compiled test of every requirement"):
        shoal.gensearch(a_table(1), SCHEMA, wanted)


@pytest.mark.gate(
    but=(
        "discernibility-True-[]",
        "discernibility-True-[DistinctLDiversity(l=3, column='s', columns=None, tolerance=None, name='distinct_l_diversity')]",  # noqa: E501
        "discernibility-True-[EntropyLDiversity(l=2.5, column='s', columns=None, tolerance=None, name='entropy_l_diversity')]",  # noqa: E501
    )
)
@pytest.mark.parametrize("extra", ASKED, ids=repr)
@pytest.mark.parametrize(("loss", "empty_blocks"), [("discernibility", True), ("certainty", True), ("volume", False)])
def test_every_requirement_with_missing_values_is_solved_as_by_plain_recursion(extra, loss, empty_blocks):
    table, wanted = a_table(1, gaps=0.05), [shoal.KAnonymity(12), *extra]
    found = shoal.gensearch(table, SCHEMA, wanted, loss=loss, empty_blocks=empty_blocks)
    assert found.is_optimal
    counts = count_combinations(table, table.column_names)
    checked = check(found.certificate, counts, SCHEMA, wanted)
    assert checked.holds
    assert checked.bound_holds
    dearer = replace(found.certificate, lower_bound=found.cost * 1.01)
    assert not check(dearer, counts, SCHEMA, wanted).bound_holds
    assert Certificate.from_json(found.certificate.to_json()) == found.certificate


@pytest.mark.parametrize(("more", "n_blocks"), [(0.0, 1), (1e-6, 2)])
def test_no_cut_that_only_meets_delta_is_held_to_be_better(more, n_blocks):
    """Cut at x, a value would be twice as frequent in one half as in the whole: ln 2, which must be less."""
    table = pa.table({"age": [0] * 2 + [1] * 6, "s": ["a", "b", "a", *["b"] * 5]})
    schema = shoal.Schema([SCHEMA["age"], SCHEMA["s"]])
    found = shoal.gensearch(table, schema, [shoal.KAnonymity(2), shoal.DeltaDisclosure(np.log(2) + more, "s")])
    assert (found.is_optimal, found.tree.n_blocks) == (True, n_blocks)


LOSSES_ALL = ("discernibility", "classification", "volume", "certainty")
BUDGETS = (1, 10, 100, 1000)


@pytest.mark.gate
@pytest.mark.parametrize("loss", LOSSES_ALL)
def test_the_bound_of_an_unfinished_search_is_no_more_than_the_optimum(loss):
    """By brute force; for certainty, by plain recursion."""
    n_unfinished = 0
    for seed in range(20):
        table, schema, cuts, records, box = a_problem(seed)
        wanted, holds = asked_of(seed, records)
        if loss == "certainty":
            counts = count_combinations(table, table.column_names)
            best = optimum(CodedCounts.of(counts, schema, wanted, cuts), loss, None, True)
        else:
            best = least_loss(records, box, holds, loss, True)
        for nodes in BUDGETS:
            found = shoal.gensearch(table, schema, wanted, loss=loss, target="s", cuts=cuts, nodes=nodes)
            slack = slack_of(loss, best)
            assert all(moment.lower_bound <= best + slack for moment in found.history), (seed, nodes)
            assert found.lower_bound <= best + slack, (seed, nodes)
            assert best - slack <= found.cost, (seed, nodes)
            n_unfinished += not found.is_optimal
    assert n_unfinished


@pytest.mark.gate
@pytest.mark.parametrize(
    "loss", ["certainty", *(pytest.param(loss, marks=pytest.mark.long) for loss in LOSSES_ALL[:-1])]
)
def test_a_false_claim_of_optimality_is_noticed(loss):
    """Tree, cost and bound are true; only that nothing costs less is not."""
    n_false = 0
    for seed in range(4):
        table, wanted = a_table(seed), [shoal.KAnonymity(4)]
        target = "s" if loss == "classification" else None
        names = ["age", "job", "town", *([target] if target else [])]
        found = shoal.gensearch(table, SCHEMA, wanted, loss=loss, target=target, nodes=1)
        best = shoal.gensearch(table, SCHEMA, wanted, loss=loss, target=target)
        counts = count_combinations(table, names)
        assert check(found.certificate, counts, SCHEMA, wanted).bound_holds
        if found.cost > best.cost:
            n_false += 1
            for bound in (found.lower_bound, best.cost, found.cost):
                forged = replace(found.certificate, is_optimal=True, lower_bound=bound)
                assert check(forged, counts, SCHEMA, wanted).bound_holds is False
    assert n_false


def test_a_part_is_as_wide_as_its_values_not_as_the_cuts_around_it():
    """Between 1 and 9.9 lies nothing: cut at either, a is 0 on one side and 10 to 20 on the other."""
    table = pa.table({"b": [0, 10, 4, 6], "a": [0, 0, 10, 20]})
    schema = shoal.Schema([shoal.Column(name, role="quasi_identifier", kind="numeric") for name in "ba"])
    wanted, cuts = [shoal.KAnonymity(2)], {"a": [1, 9.9], "b": [5]}
    found = shoal.gensearch(table, schema, wanted, loss="certainty", cuts=cuts, empty_blocks=False)
    assert (found.cost, found.is_optimal) == (5.0, True)
    assert check(found.certificate, count_combinations(table, ["b", "a"]), schema, wanted, cuts).bound_holds
