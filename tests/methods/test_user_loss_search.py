"""Gensearch with losses that users write: the optimum of their twins, of brute force, and what it rests on."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import csv

import shoal
from reference.cut_problems import SCHEMA, a_problem, a_table
from shoal.encode.combination_counts import count_combinations
from shoal.errors import PolicyError
from shoal.methods.generalization.certificate import Certificate, check, classes_of, slack_of
from shoal.methods.generalization.coded_counts import CodedCounts
from shoal.methods.generalization.exhaustive_boxes import optimum
from user_rule_examples import TWINS, OwnDiscernibility, OwnMinority, OwnSize, OwnSquares


@pytest.mark.gate(but="True-discernibility")
@pytest.mark.parametrize("loss", TWINS)
@pytest.mark.parametrize("empty_blocks", [True, False])
def test_the_optimum_is_that_of_the_twin(loss, empty_blocks):
    for seed in range(5):
        table, schema, cuts, *_ = a_problem(seed)
        more = {"target": "s", "cuts": cuts, "empty_blocks": empty_blocks}
        k = 2 + seed % 2
        own = shoal.gensearch(table, schema, [OwnSize(k)], loss=TWINS[loss], **more)
        twin = shoal.gensearch(table, schema, [shoal.KAnonymity(k)], loss=loss, **more)
        assert own.is_optimal
        assert twin.is_optimal
        assert own.cost == pytest.approx(twin.cost, rel=1e-12), seed


@pytest.mark.gate
@pytest.mark.parametrize("loss", [OwnSquares(1.5), TWINS["classification"], TWINS["certainty"]], ids=repr)
def test_rules_that_shoal_has_not_are_solved_as_by_plain_recursion(loss):
    n_cut = 0
    for seed in range(5):
        table, schema, cuts, *_ = a_problem(seed)
        counts, wanted = count_combinations(table, table.column_names), [OwnMinority(1, column="s")]
        coded = CodedCounts.read(counts, schema, wanted, cuts)
        if not coded.can_hold:
            continue
        for empty_blocks in (True, False):
            best = optimum(coded, loss, classes_of(coded.counts, "s"), empty_blocks)
            found = shoal.gensearch(table, schema, wanted, loss=loss, target="s", cuts=cuts, empty_blocks=empty_blocks)
            assert found.is_optimal
            assert found.cost == pytest.approx(best, rel=1e-9), seed
            n_cut += found.tree.n_blocks > 1
            for nodes in (1, 10) if empty_blocks else ():
                some = shoal.gensearch(
                    table, schema, wanted, loss=loss, target="s", cuts=cuts, empty_blocks=empty_blocks, nodes=nodes
                )
                assert some.lower_bound <= best + slack_of(loss.name, best)
                assert some.cost >= best - slack_of(loss.name, best)
    assert n_cut


@pytest.mark.long
@pytest.mark.parametrize("batch", range(10))
def test_rules_of_users_are_solved_as_by_plain_recursion_often(batch):
    for seed in range(1_000 + 50 * batch, 1_050 + 50 * batch):
        table, schema, cuts, *_ = a_problem(seed)
        counts, wanted = count_combinations(table, table.column_names), [OwnMinority(seed % 3, column="s")]
        coded = CodedCounts.read(counts, schema, wanted, cuts)
        for loss in (OwnSquares(1.5), *TWINS.values()) if coded.can_hold else ():
            best = optimum(coded, loss, classes_of(coded.counts, "s"), bool(seed % 2))
            found = shoal.gensearch(
                table, schema, wanted, loss=loss, target="s", cuts=cuts, empty_blocks=bool(seed % 2)
            )
            assert found.is_optimal
            assert found.cost == pytest.approx(best, rel=1e-9), (seed, loss)


def test_least_makes_the_proof_cheaper_and_not_another():
    table, wanted = a_table(2, n=80), [shoal.KAnonymity(6)]
    with_bound, without = (
        shoal.gensearch(table, SCHEMA, wanted, loss=loss) for loss in (OwnDiscernibility(), OwnSquares())
    )
    twin = shoal.gensearch(table, SCHEMA, wanted)
    assert with_bound.cost == without.cost == twin.cost == twin.lower_bound
    assert with_bound.is_optimal
    assert without.is_optimal
    assert with_bound.n_nodes <= without.n_nodes


def test_the_certificate_names_the_loss_and_needs_it():
    table, wanted, loss = a_table(2, n=60), [shoal.KAnonymity(6)], OwnSquares(1.5)
    found = shoal.gensearch(table, SCHEMA, wanted, loss=loss)
    counts = count_combinations(table, table.column_names)
    assert found.certificate.loss == "OwnSquares(power=1.5)"
    assert found.certificate.rests_on == (loss.rests_on,)
    assert Certificate.from_json(found.certificate.to_json()) == found.certificate
    checked = check(found.certificate, counts, SCHEMA, wanted, loss=loss)
    assert checked.holds
    assert checked.bound_holds
    dearer = replace(found.certificate, lower_bound=found.cost * 1.01)
    assert not check(dearer, counts, SCHEMA, wanted, loss=loss).bound_holds
    for other in (None, OwnSquares(2.0)):
        with pytest.raises(PolicyError, match="loss is"):
            check(found.certificate, counts, SCHEMA, wanted, loss=other)


def test_the_policy_of_the_example_is_searched_and_verified(tmp_path):
    for name in ("own_rules.py", "own_rules.toml"):
        (tmp_path / name).write_text((Path(__file__).parents[2] / "examples" / name).read_text())
    chance = np.random.default_rng(1)
    people = {"age": chance.integers(20, 26, 150), "sex": chance.choice(["f", "m"], 150)}
    csv.write_csv(pa.table({**people, "illness": chance.choice(["flu", "gout", "none"], 150)}), tmp_path / "people.csv")
    policy, rules = tmp_path / "own_rules.toml", tmp_path / "own_rules.py"
    release = shoal.protect(tmp_path / "people.csv", policy, output=tmp_path / "r.csv", rules=rules)
    (plan,) = release.assessment.plans
    assert plan.search.is_optimal
    assert plan.search.loss == "SpreadOfRecords(p=2.0)"
    assert len(plan.search.rests_on) == 2
    proof = shoal.verify(
        tmp_path / "r.csv",
        policy,
        certificate=tmp_path / "r.certificate.json",
        original=tmp_path / "people.csv",
        rules=rules,
    )
    assert proof.holds
    assert {check.what: check.holds for check in proof.checks}["bound"] is True
