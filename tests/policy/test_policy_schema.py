"""The JSON Schema of policies: it takes what load takes, and names and explains every key."""

import jsonschema
import tomlkit
from hypothesis import given, settings

from example_numbers import examples
from policy_examples import FULL, OTHER_METHODS, policies
from shoal.policy import dump, json_schema, load

SCHEMA = jsonschema.Draft202012Validator(json_schema())


@settings(max_examples=examples(50), deadline=None)
@given(policies())
def test_the_schema_takes_what_load_takes(policy):
    SCHEMA.validate(policy)
    SCHEMA.validate(tomlkit.parse(dump(load(policy))).unwrap())


def keys_of(schema, at=None):
    """Every key that the schema names, with its path."""
    at = schema if at is None else at
    if "$ref" in at:
        return keys_of(schema, schema["$defs"][at["$ref"].rsplit("/", 1)[-1]])
    inside = [at.get("items"), at.get("additionalProperties"), *at.get("anyOf", ()), *at.get("oneOf", ())]
    found = set(at.get("properties", ()))
    for part in [*at.get("properties", {}).values(), *inside]:
        if isinstance(part, dict):
            found |= keys_of(schema, part)
    return found


def written_keys(value):
    if isinstance(value, dict):
        return set(value) | set().union(*map(written_keys, value.values()))
    return set().union(*map(written_keys, value)) if isinstance(value, list) else set()


CONTROLLED = {"output": {"categories": "controlled"}}  # not together with extents and their ends
EARLIER = {"earlier", "releases", "person", "stable"}  # not with local suppression
OWN_RULES = {"rules", "sha256", "rule", "parameters"}  # not without the file beside the policy
LIMITED = {"columns": {"job": {"min_level": 1, "max_level": 1}}}  # not with every method


def test_the_schema_names_every_key_and_no_other():
    written = written_keys(FULL).union(
        written_keys(CONTROLLED), written_keys(LIMITED), *map(written_keys, OTHER_METHODS)
    )
    assert keys_of(json_schema()) == (written - set(FULL["columns"])) | EARLIER | OWN_RULES


def test_every_key_is_explained():
    schema = json_schema()
    for room in (schema, *schema["$defs"].values()):
        for key, about in room.get("properties", {}).items():
            assert about.get("description") or "$ref" in about or key == "name", (room.get("title"), key)
