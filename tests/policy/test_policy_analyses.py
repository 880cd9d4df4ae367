"""Analyses of a policy: what is refused, and that they decide nothing."""

from __future__ import annotations

from typing import Any

import pytest

from shoal.errors import PolicyError
from shoal.policy import load
from shoal.policy.load import dump, load_text
from shoal.policy.release_plan import ReleasePlan
from survey_example import survey_policy

FORMULA = {"formula": "amount ~ age + grade:disease"}
TARGET = {"name": "ills", "target": "disease", "features": ["age", "zip"]}


def asked(*analyses: dict[str, Any]) -> dict[str, Any]:
    return survey_policy(analyses=list(analyses))


def test_they_have_names():
    plan = ReleasePlan.of(load(asked(FORMULA, TARGET, {"target": "grade"})))
    assert [analysis.name for analysis in plan.analyses] == [FORMULA["formula"], "ills", "prediction of grade"]
    assert plan.analyses[0].columns == ("amount", "age", "grade", "disease")
    assert [analysis.needs_sklearn for analysis in plan.analyses] == [False, True, True]


def test_they_change_no_digest_and_are_in_no_manifest():
    plain, more = load(survey_policy()), load(asked(FORMULA, TARGET))
    assert more.digest() == plain.digest()
    assert more.digest_of_values() == plain.digest_of_values()
    assert more.summary() == plain.summary()


def test_they_are_written_and_read_again():
    policy = load(asked(FORMULA, TARGET))
    assert load_text(dump(policy)).analyses == policy.analyses


@pytest.mark.parametrize(
    ("analyses", "said"),
    [
        ([{}], "analyses[1]: an analysis needs exactly one of formula, target, got none."),
        ([{"formula": "amount ~ age", "target": "age"}], "got formula, target."),
        (
            [{"formula": "amount ~ log(age)"}],
            "analyses[1]: the formula 'amount ~ log(age)' cannot be read at character 13",
        ),
        (
            [FORMULA, {"formula": "amount ~ aeg"}],
            "analyses[2].formula: the policy has no column 'aeg'. Did you mean 'age'?",
        ),
        ([{"target": "nothing"}], "analyses[1].target: the policy has no column 'nothing'."),
        ([{"target": "age", "features": ["zap"]}], "analyses[1].features: the policy has no column 'zap'."),
        ([{"formula": "age ~ person"}], "analyses[1].formula: column 'person' has role 'identifier'"),
        ([{"formula": "age ~ household"}], "column 'household' has role"),
        ([{"formula": "amount ~ age", "features": ["age"]}], "features is only allowed with a target"),
        ([{"target": "age", "features": ["age"]}], "target and features contains a value twice"),
        ([FORMULA, FORMULA], "analyses[2].name: 'amount ~ age + grade:disease' is the name of an earlier analysis"),
        ([{"formla": "a ~ b"}], "there is no such key. Did you mean 'formula'?"),
    ],
)
def test_what_is_refused(analyses, said):
    with pytest.raises(PolicyError) as raised:
        load(asked(*analyses))
    assert said in str(raised.value)
