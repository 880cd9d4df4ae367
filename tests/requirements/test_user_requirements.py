"""Requirements that users write: what their laws refuse, and with which counterexample."""

import re
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pytest

from shoal.errors import RuleError
from shoal.requirements import UserRequirement
from shoal.requirements.user_requirement_laws import N_GROUPS, random_groups, unions
from shoal.user_rule import resting_on
from user_rule_examples import OwnEntropy, OwnSize


def rule(holds, **statements):
    """A requirement with these statements; one that is None is left out."""
    stated = {"monotone": True} | statements
    body = {"__annotations__": {}, "holds": holds} | {key: value for key, value in stated.items() if value is not None}
    return dataclass(frozen=True)(type("Own", (UserRequirement,), body))


def test_a_thousand_groups_are_tried():
    drawn = list(random_groups())
    assert sum(len(groups.totals) for groups in drawn) == N_GROUPS == 1_000
    assert {len(groups.whole) for groups in drawn} >= {1, 2, 8}
    groups = drawn[3]
    both = unions(groups, np.array([0, 4]), np.array([1, 2]))
    assert both.totals.tolist() == [groups.totals[:2].sum(), groups.totals[4] + groups.totals[2]]
    assert (both.sensitive.toarray()[0] == groups.sensitive.toarray()[:2].sum(axis=0)).all()


def test_the_counterexample_is_shown_and_is_one():
    with pytest.raises(RuleError, match="Own is declared monotone, but is not") as refused:
        rule(lambda self, groups: groups.totals <= 20)()
    one, other, both = (int(n.replace(",", "")) for n in re.findall(r"([\d,]+) records", str(refused.value))[:3])
    assert one + other == both
    assert one <= 20 >= other
    assert both > 20
    assert "random: they are not from a table" in str(refused.value)


NOT_MONOTONE = {
    "few": lambda self, groups: (groups.sensitive > 0).sum(axis=1) <= 2,
    "just": lambda self, groups: np.asarray((groups.sensitive > 0).sum(axis=1) == 2),
    "rare": lambda self, groups: groups.sensitive.toarray().max(axis=1) <= 5,
    "ten": lambda self, groups: groups.totals == 10,
    "uneven": lambda self, groups: groups.sensitive.toarray().max(axis=1) > 0.6 * groups.totals,
}


@pytest.mark.parametrize("holds", NOT_MONOTONE.values(), ids=NOT_MONOTONE)
def test_what_is_not_monotone_is_refused_and_may_be_declared_so(holds):
    with pytest.raises(RuleError, match="is declared monotone, but is not"):
        rule(holds)(column="s")
    assert not rule(holds, monotone=False)(column="s").monotone


@pytest.mark.parametrize(
    ("holds", "statements", "message"),
    [
        (lambda self, groups: groups.totals >= 2, {"monotone": None}, "must say whether it is monotone"),
        (lambda self, groups: groups.totals >= 2, {"monotone": 1}, "must say whether it is monotone"),
        (lambda self, groups: groups.totals >= 2, {"reads": "tree"}, "reads 'counts', or 'order'"),
        (
            lambda self, groups: groups.totals >= 2,
            {"least_records": 3},
            "least_records is 3, but it holds for 2 records",
        ),
        (lambda self, groups: groups.totals >= groups.totals.mean(), {"monotone": False}, "depends on the others"),
        (lambda self, groups: groups.totals > groups.totals[0], {"monotone": False}, "depends on the others"),
        (lambda self, groups: groups.totals, {}, r"must return a bool array \(50,\), one for every group, got int64"),
        (lambda self, groups: True, {}, "must return a bool array .* got bool"),
        (
            lambda self, groups: groups.sensitive,
            {},
            "does not run: TypeError: this requirement needs groups with counts",
        ),
    ],
)
def test_other_laws_are_checked_too(holds, statements, message):
    with pytest.raises(RuleError, match=message):
        rule(holds, **statements)()


def test_a_post_init_of_the_user_does_not_replace_the_check():
    @dataclass(frozen=True)
    class Few(UserRequirement):
        most: int
        monotone: ClassVar[bool] = True

        def __post_init__(self):
            if self.most < 1:
                raise ValueError("too few")

        def holds(self, groups):
            return groups.totals <= self.most

    with pytest.raises(ValueError, match="too few"):
        Few(0)
    with pytest.raises(RuleError, match="Few is declared monotone, but is not"):
        Few(10)


def test_a_class_without_its_decorator_is_refused():
    class Plain(UserRequirement):
        monotone = True

        def holds(self, groups):
            return groups.totals >= 2

    with pytest.raises(RuleError, match="Plain must be a frozen dataclass"):
        Plain()


def test_it_says_what_it_asks_and_what_a_proof_rests_on():
    assert (OwnSize(5).asked, OwnSize(5).least_records, OwnSize(5).name) == (5.0, 5, "OwnSize")
    plain = rule(lambda self, groups: groups.totals >= 2)()
    assert (plain.asked, plain.measure, plain.column, plain.columns) == (1.0, "holds", None, None)
    groups = next(random_groups())
    assert plain.reached(groups) == 0.0
    assert plain.reached(unions(groups, np.arange(50), np.arange(50))) == 1.0
    assert OwnEntropy(3.0, column="s").reached(groups) > 0
    assert resting_on([plain, "discernibility"]) == (
        "monotonicity of Own: declared by its author, no counterexample among 1,000 random groups",
    )
