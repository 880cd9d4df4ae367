"""Weights of columns from policy to release: every engine alike, proved, and refused where they have no effect."""

import numpy as np
import pyarrow as pa
import pytest

import shoal
from shoal.errors import PolicyError
from shoal.policy import load
from survey_example import of_records, survey, survey_policy, write_csv

KEY = bytes(range(32))
METHODS = {
    "mdav": {"name": "mdav"},
    "vmdav": {"name": "vmdav", "gamma": 0.3},
    "micro_som": {"name": "micro_som", "map": {"size": [4, 4], "shape": "toroid"}},
    "mondrian": {"name": "mondrian"},
    "global_recoding": {"name": "global_recoding", "loss": "certainty"},
    "gensearch": {"name": "gensearch", "loss": "certainty", "nodes": 3000, "cuts": {"age": 4, "born": 4}},
}


def policy(weights, **more):
    made = of_records(survey_policy(**more))
    for name, weight in weights.items():
        made["columns"][name]["weight"] = weight
    return made


def released(weights, n=60, **more):
    return shoal.protect(survey(n), policy(weights, **more), key=KEY).table


def written(folder, engine, weights, **more):
    """The bytes of the release on an engine."""
    data, out = write_csv(survey(60), folder / "survey.csv"), folder / f"{engine}.csv"
    shoal.protect(data, policy(weights, **more), output=out, engine=engine, key=KEY)
    return out.read_bytes()


@pytest.mark.gate
@pytest.mark.parametrize("method", METHODS)
def test_weights_give_the_same_release_on_every_engine_and_another_than_without(method, tmp_path):
    weights, chosen = {"zip": 4, "age": 0.5}, METHODS[method]
    assert written(tmp_path, "memory", weights, method=chosen) == written(tmp_path, "duckdb", weights, method=chosen)
    found, plain = released(weights, method=chosen), released({}, method=chosen)
    assert not found.select(["zip", "age", "born"]).equals(plain.select(["zip", "age", "born"]))


def test_the_values_of_groups_without_a_column_are_those_with_its_weight_0():
    """The column of weight 0 is still released as a value of the group."""
    weighted = released({"age": 0})
    without = policy({})
    without["columns"]["age"]["role"] = "other"
    left_out = shoal.protect(survey(60), without, key=KEY).table
    assert weighted.select(["zip", "grade"]).equals(left_out.select(["zip", "grade"]))
    assert weighted["age"].to_pylist() != left_out["age"].to_pylist()


@pytest.mark.parametrize("passes", [1, 2])
def test_no_pass_of_the_repair_sees_a_column_of_weight_0(passes):
    chance = np.random.default_rng(5)
    first, second, hidden = (chance.normal(size=400) for _ in range(3))
    number = {"role": "quasi_identifier", "kind": "numeric"}
    rules = {
        "columns": {"a": number, "b": number, "c": {**number, "weight": 0}},
        "requirements": [{"name": "k_anonymity", "k": 3}],
        "blocking": {"method": "twod_tree", "limit": 60, "repair": True, "passes": passes},
    }
    one, two = (
        shoal.protect(pa.table({"a": first, "b": second, "c": values}), rules, key=KEY).groups
        for values in (hidden, 7 * hidden[::-1])
    )
    assert one.equals(two)


def test_a_column_of_weight_0_divides_no_block():
    blocks = {"method": "twod_tree", "limit": 20}
    weighted = released({"age": 0, "zip": 0, "grade": 0}, n=200, blocking=blocks)
    without = policy({}, blocking=blocks)
    for name in ("age", "zip", "grade"):
        without["columns"][name]["role"] = "other"
    left_out = shoal.protect(survey(200), without, key=KEY)
    assert weighted["born"].equals(left_out.table["born"])


@pytest.mark.gate
def test_a_certificate_names_the_weights_and_is_proved_again_with_them(tmp_path):
    data, rules, out = survey(60), policy({"zip": 4}, method=METHODS["gensearch"]), tmp_path / "release.csv"
    release = shoal.protect(data, rules, output=out, key=KEY)
    assert [dict(each.certificate.weights) for each in release.certificates] == [{"zip": 4}]
    proof = shoal.verify(out, rules, certificate=release.certificates, original=data)
    assert proof.holds
    checks = {check.what: check.holds for check in proof.checks}
    assert [checks["matches the policy"], checks["cost of the original"]] == [True, True]
    other = policy({"zip": 5}, method=METHODS["gensearch"])
    failures = shoal.verify(out, other, certificate=release.certificates, original=data).failures
    assert [failure.partition(":")[0] for failure in failures] == [
        "certificate, matches the policy",
        "certificate, cost of the original",
        "certificate, bound",
    ]


def test_a_policy_of_weight_1_is_the_policy_without_weights():
    """The same digest, so the same random numbers and the same release."""
    plain, ones = (load(policy(weights)) for weights in ({}, {"age": 1, "zip": 1.0}))
    assert plain.digest() == ones.digest()
    assert plain.digest() != load(policy({"age": 2})).digest()


@pytest.mark.parametrize(
    "method", [{"name": "gensearch"}, {"name": "global_recoding"}, {"name": "mondrian", "mode": "greedy"}]
)
def test_a_weight_without_effect_is_refused(method):
    with pytest.raises(PolicyError, match=r"columns\.age\.weight has no effect: method '\w+' .* 'certainty'"):
        load(policy({"age": 2}, method=method))
    load(policy({"age": 0}, method=method))


def test_all_weights_0_are_refused():
    with pytest.raises(PolicyError, match="nothing says which records are alike"):
        released(dict.fromkeys(("zip", "age", "grade", "born"), 0))


def test_a_key_set_of_weights_0_is_refused():
    requirements = [
        {"name": "k_anonymity", "k": 3, "columns": ["zip", "age"]},
        {"name": "k_anonymity", "k": 3, "columns": ["grade", "born"]},
    ]
    with pytest.raises(PolicyError, match=r"grouped together \(grade, born\)"):
        released({"grade": 0, "born": 0}, requirements=requirements)


def test_a_blank_costs_the_weight_of_its_column_unless_its_importance_is_given():
    def blanks(weights, **importance):
        found = released(weights, local_suppression={"importance": importance})
        return {name: found[name].null_count for name in ("zip", "age", "grade", "born")}

    assert blanks({"zip": 9, "age": 3}) == blanks({}, zip=9, age=3)
    assert blanks({"zip": 9, "age": 3}) != blanks({})
    assert blanks({"zip": 9, "age": 3}, zip=1, age=1) == blanks({}, zip=1, age=1)


def test_blanks_that_cost_nothing_are_refused():
    with pytest.raises(PolicyError, match=r"columns\.age\.weight = 0 would make blank cells .* cost nothing"):
        load(policy({"age": 0}, local_suppression={}))
    load(policy({"age": 0}, local_suppression={"importance": {"age": 2}}, method={"name": "mdav"}))
