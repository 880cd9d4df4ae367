"""Types of the keys of a policy: k = "5" and shuffle = "yes" are errors, although a program could guess their meaning.

content of a policy.toml, its JSON Schema -> the keys whose values are of another type than the schema states
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from numbers import Integral, Real
from pathlib import Path
from typing import Any

from shoal.errors import PolicyError
from shoal.policy.key_path import key_path

WORDS = {
    "integer": "a whole number",
    "number": "a number",
    "boolean": "true or false",
    "string": "a text",
    "array": "a list",
    "object": "a table",
}


@dataclass(frozen=True)
class WrongType:
    key: str
    error: PolicyError


def wrong_types_in(content: Mapping[str, Any], schema: Mapping[str, Any]) -> Iterator[WrongType]:
    """Keys whose values are of another type than the schema states; unknown keys are left to the validation."""
    return _wrong_types(schema, schema, content, ())


def _wrong_types(
    schema: Mapping[str, Any], at: Mapping[str, Any], value: object, location: tuple[int | str, ...]
) -> Iterator[WrongType]:
    choices = list(_choices(schema, at, value))
    found = _type_of(value)
    if found is None or not all("type" in choice for choice in choices):
        return
    fitting = [choice for choice in choices if _fits(found, choice["type"])]
    if not fitting and choices:
        key = key_path(location)
        yield WrongType(key, PolicyError.wrong_type(key, _expected(choices), value))
        return
    for part, inner, one in _parts(fitting, value):
        yield from _wrong_types(schema, inner, one, (*location, part))


def _choices(schema: Mapping[str, Any], at: Mapping[str, Any], value: object) -> Iterator[Mapping[str, Any]]:
    """All shapes that a value may have here; of methods, requirements and perturbations the one that it names."""
    if "$ref" in at:
        yield from _choices(schema, schema["$defs"][at["$ref"].rsplit("/", 1)[-1]], value)
    elif "discriminator" in at:
        name = value.get("name") if isinstance(value, Mapping) else None
        reference = at["discriminator"]["mapping"].get(name) if isinstance(name, str) else None
        yield from _choices(schema, {"$ref": reference}, value) if reference else ({"type": "object"},)
    elif "anyOf" in at:
        for choice in at["anyOf"]:
            yield from _choices(schema, choice, value)
    else:
        yield at


def _type_of(value: object) -> str | None:
    """The JSON type of a value; None for an object that only Python has."""
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, Integral):
        return "integer"
    if isinstance(value, Real):
        return "number"
    if isinstance(value, str | Path):
        return "string"
    if isinstance(value, list | tuple):
        return "array"
    return "object" if isinstance(value, Mapping) else None


def _fits(found: str, allowed: str) -> bool:
    return found == allowed or (found, allowed) == ("integer", "number")


def _expected(choices: Sequence[Mapping[str, Any]]) -> list[str]:
    words = [
        " or ".join(f"'{text}'" for text in choice["enum"]) if "enum" in choice else _word(choice)
        for choice in choices
        if choice["type"] != "null"
    ]
    return list(dict.fromkeys(words))


def _word(choice: Mapping[str, Any]) -> str:
    return f"'{choice['const']}'" if "const" in choice else WORDS[choice["type"]]


def _parts(
    choices: Sequence[Mapping[str, Any]], value: object
) -> Iterator[tuple[int | str, Mapping[str, Any], object]]:
    """The parts of a table or a list, each with its name and its schema."""
    for choice in choices:
        if isinstance(value, Mapping):
            others = choice.get("additionalProperties")
            for name, one in value.items():
                inner = choice.get("properties", {}).get(name, others)
                if isinstance(inner, Mapping):
                    yield str(name), inner, one
        elif isinstance(value, list | tuple) and isinstance(choice.get("items"), Mapping):
            yield from ((at, choice["items"], one) for at, one in enumerate(value))
