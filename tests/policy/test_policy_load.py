"""policy.toml to Policy and back, and the files that it names."""

from pathlib import Path

import jsonschema
import pytest
import tomlkit
from hypothesis import given, settings

from example_numbers import examples
from policy_examples import FULL, OTHER_METHODS, policies
from requirement_examples import REQUIREMENTS
from shoal.policy import dump, json_schema, load
from survey_example import write_policy

SCHEMA = jsonschema.Draft202012Validator(json_schema())


def same(one, other):
    return one.model_dump() == other.model_dump()


@pytest.mark.gate
@settings(max_examples=examples(50), deadline=None)
@given(policies())
def test_there_and_back(policy):
    loaded = load(policy)
    text = dump(loaded)
    assert same(load(tomlkit.parse(text).unwrap()), loaded)
    assert dump(load(tomlkit.parse(text).unwrap())) == text


def test_the_full_policy_there_and_back(tmp_path):
    loaded = load(write_policy(FULL, tmp_path / "policy.toml"))
    (tmp_path / "again.toml").write_text(dump(loaded))
    again = load(tmp_path / "again.toml")
    assert same(loaded, again)
    assert loaded.digest() == again.digest()
    assert loaded.requirements == tuple(example.read for example in REQUIREMENTS.values())
    assert loaded.k == 4
    SCHEMA.validate(FULL)


@pytest.mark.gate(but=("mdav", "mu_approx", "micro_som"))
@pytest.mark.parametrize("method", OTHER_METHODS, ids=lambda method: method["name"])
def test_every_method_survives_toml(tmp_path, method):
    asked = FULL | {"method": method} | ({"output": {}} if method["name"] == "none" else {})
    loaded = load(write_policy(asked, tmp_path / "policy.toml"))
    (tmp_path / "again.toml").write_text(dump(loaded))
    assert same(loaded, load(tmp_path / "again.toml"))
    SCHEMA.validate(asked)


@pytest.mark.parametrize("method", ["mdav", None])
def test_a_method_beside_perturbations_survives_toml(method):
    perturbation = {"name": "rank_swap", "columns": ["age"], "p": 5}
    policy = {"columns": {"age": {"role": "quasi_identifier", "kind": "numeric"}}, "perturbations": [perturbation]}
    loaded = load(policy | ({"method": {"name": method}} if method else {}))
    assert loaded.method.name == (method or "none")
    assert same(load(tomlkit.parse(dump(loaded)).unwrap()), loaded)


def test_files_of_a_policy_are_beside_it(tmp_path):
    policy = load(write_policy(FULL, tmp_path / "policy.toml"))
    names = {"policy.toml", "secret.key", "jobs.csv", "towns.csv"}
    assert {path.name for path in policy.files} == names
    assert {path.parent for path in policy.files} == {tmp_path}
    assert {path.name for path in load(FULL).files} == names - {"policy.toml"}
    assert load(FULL).path_of(Path("x.csv")) == Path("x.csv")


def test_a_summary_holds_no_value():
    text = repr(load(FULL).summary())
    assert not [word for word in ("low", "high", "secret", "jobs.csv", "NA", "%d") if f"'{word}" in text]
