"""Requirements and losses that users write, in Mondrian, gensearch and the gate: as those that Shoal has."""

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
import pytest

import shoal
from reference.best_cuts import least_loss
from reference.cut_problems import SCHEMA, a_problem, a_table
from shoal.encode.combination_counts import count_combinations
from shoal.errors import PolicyError, RuleError
from shoal.gate.gate import prove_counts
from shoal.methods.generalization.certificate import Certificate, check
from shoal.requirements import UserRequirement
from user_rule_examples import TWINS, OwnEntropy, OwnMinority, OwnSize

BUILT_IN = [shoal.KAnonymity(7), shoal.EntropyLDiversity(2.2, "s")]
OWN = [OwnSize(7), OwnEntropy(2.2, column="s")]


@pytest.mark.gate(but="0.05")
@pytest.mark.parametrize("gaps", [0.0, 0.05])
def test_requirements_of_a_user_give_the_plans_of_their_twins(gaps):
    """Of a search the same cost: of a rule that Shoal knows its bounds know more, and it may find another best plan."""
    table = a_table(3, gaps=gaps)
    for cut in (shoal.mondrian, lambda *asked: shoal.mondrian(*asked, mode="greedy", loss="certainty")):
        assert cut(table, SCHEMA, OWN).to_json() == cut(table, SCHEMA, BUILT_IN).to_json()
    assert np.array_equal(*(shoal.relaxed_mondrian(table, SCHEMA, asked).labels for asked in (OWN, BUILT_IN)))
    found, twin = (shoal.gensearch(table, SCHEMA, asked) for asked in (OWN, BUILT_IN))
    assert found.is_optimal
    assert twin.is_optimal
    assert found.cost == twin.cost


@pytest.mark.gate
def test_the_certificate_says_what_it_rests_on_and_is_checked_as_others():
    table = a_table(3)
    found = shoal.gensearch(table, SCHEMA, OWN)
    assert [text.partition(":")[0] for text in found.certificate.rests_on] == [
        "monotonicity of OwnSize",
        "monotonicity of OwnEntropy",
    ]
    assert Certificate.from_json(found.certificate.to_json()) == found.certificate
    counts = count_combinations(table, table.column_names)
    checked = check(found.certificate, counts, SCHEMA, OWN)
    assert checked.holds
    assert checked.bound_holds
    with pytest.raises(PolicyError, match="certificate"):
        check(found.certificate, counts, SCHEMA, BUILT_IN)
    assert "rests_on" not in shoal.gensearch(table, SCHEMA, BUILT_IN).certificate.to_dict()


@pytest.mark.parametrize("is_tampered", [False, True])
def test_the_gate_proves_them_as_their_twins(is_tampered):
    counts = a_table(3).group_by(["age", "s"]).aggregate([([], "count_all")])
    schema = shoal.Schema(column for column in SCHEMA.columns if column.name in ("age", "s"))
    asked = (BUILT_IN, OWN) if is_tampered else ([shoal.KAnonymity(2)], [OwnSize(2)])
    twin, own = (prove_counts(counts, schema, some) for some in asked)
    assert twin.holds == own.holds
    renamed = [
        replace(verdict, requirement=each.requirement)
        for verdict, each in zip(own.verdicts, twin.verdicts, strict=True)
    ]
    assert [str(each) for each in renamed] == [str(each) for each in twin.verdicts]


def has_minority(members):
    """The same as a predicate of records."""
    values = [record[-1] for record in members]
    return len(values) - max(map(values.count, values)) >= 2


@pytest.mark.gate
def test_a_requirement_that_shoal_has_not_is_solved_as_by_brute_force():
    n_cut = 0
    for seed in range(12):
        table, schema, cuts, records, box = a_problem(seed)
        if not has_minority(records):
            continue
        for empty_blocks in (True, False):
            found = shoal.gensearch(table, schema, [OwnMinority(2, column="s")], cuts=cuts, empty_blocks=empty_blocks)
            assert found.is_optimal
            assert found.cost == least_loss(records, box, has_minority, "discernibility", empty_blocks), seed
            n_cut += found.tree.n_blocks > 1
    assert n_cut > 3


@pytest.mark.parametrize("loss", ["classification", "volume", "certainty"])
@pytest.mark.parametrize("unordered", ["line", "subsets"])
def test_a_loss_of_a_user_gives_the_greedy_tree_of_its_twin(loss, unordered):
    """Discernibility has a choice of its own in Mondrian."""
    for seed in range(3):
        table = a_table(seed)
        own, twin = (
            shoal.mondrian(
                table, SCHEMA, [shoal.KAnonymity(4)], mode="greedy", loss=each, target="s", unordered=unordered
            )
            for each in (TWINS[loss], loss)
        )
        assert own.to_json() == twin.to_json()
        assert own.n_blocks > 5


@dataclass(frozen=True)
class OwnFault(UserRequirement):
    """Fails for groups that are larger than all random ones, unless they are the whole table."""

    monotone: ClassVar[bool] = True

    def holds(self, groups):
        if 4_000 < groups.totals.max() < 9_000:
            raise KeyError("a cell value")
        return groups.totals >= 2


@pytest.mark.parametrize("method", [shoal.gensearch, shoal.mondrian])
def test_an_error_of_a_rule_ends_the_search_and_shows_no_cell(method):
    with pytest.raises(RuleError, match=r"OwnFault\.holds does not run on this table: KeyError") as stopped:
        method(a_table(3, n=9_000), SCHEMA, [OwnFault()])
    assert "cell value" not in str(stopped.value)


def test_a_requirement_that_is_not_monotone_is_refused_by_generalization():
    @dataclass(frozen=True)
    class OwnBounded(UserRequirement):
        monotone: ClassVar[bool] = False

        def holds(self, groups):
            return groups.totals <= 50

    for method in (shoal.mondrian, shoal.gensearch, shoal.global_recoding):
        with pytest.raises(RuleError, match="OwnBounded is not monotone"):
            method(a_table(3), SCHEMA, [shoal.KAnonymity(2), OwnBounded()])
