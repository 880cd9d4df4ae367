"""What the forms of the policy offer: roles, kinds, requirements and methods with their keys, as the JSON Schema of a
policy describes them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from inspect import getdoc
from sys import modules
from typing import Any

from shoal.methods import METHODS
from shoal.policy import json_schema
from shoal.requirements import REQUIREMENTS

# The keys of a column that have a field of their own, or none: paths and trees are edited elsewhere.
OWN_FIELDS = ("role", "kind", "taxonomy", "pseudonym", "reason")
TYPES = {"integer": "integer", "number": "number", "boolean": "boolean", "array": "list", "object": "table"}


@cache
def policy_choices() -> dict[str, Any]:
    schema = json_schema()
    columns = schema["$defs"]["ColumnRule"]["properties"]
    return {
        "roles": columns["role"]["enum"],
        "kinds": columns["kind"]["enum"],
        "requirements": [
            {"name": cls.name, "title": cls.title, "formula": cls.formula, **_described(schema, cls.__name__)}
            for cls in REQUIREMENTS
        ],
        "methods": [_method(schema, cls) for cls in METHODS],
        "column_keys": [_key(name, key, required=False) for name, key in columns.items() if name not in OWN_FIELDS],
        "output_keys": list(_keys(schema["$defs"]["Output"])),
        "suppression_keys": list(_keys(schema["$defs"]["Suppression"])),
    }


def _described(schema: Mapping[str, Any], model: str) -> dict[str, Any]:
    found = schema["$defs"][model]
    return {"words": found.get("description", "").partition("\n")[0], "keys": list(_keys(found))}


def _method(schema: Mapping[str, Any], cls: type[Any]) -> dict[str, Any]:
    """With the first line of its file, which says what it decides."""
    words = (getdoc(modules[cls.__module__]) or "").partition("\n")[0]
    return {"name": _name(schema, cls.__name__), **_described(schema, cls.__name__), "words": words}


def _name(schema: Mapping[str, Any], model: str) -> str:
    name: str = schema["$defs"][model]["properties"]["name"]["const"]
    return name


def _keys(model: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    for name, key in model["properties"].items():
        if name != "name":
            yield _key(name, key, required=name in model.get("required", ()))


def _key(name: str, key: Mapping[str, Any], *, required: bool) -> dict[str, Any]:
    shapes = [shape for shape in key.get("anyOf", [key]) if shape.get("type") != "null"]
    choices = [choice for shape in shapes for choice in shape.get("enum", [shape["const"]] if "const" in shape else [])]
    types = {_type(shape) for shape in shapes}
    return {
        "name": name,
        "words": key.get("description", "").replace("\n", " "),
        "type": types.pop() if len(types) == 1 else "choice" if choices else "text",
        "choices": choices,
        "default": key.get("default"),
        "required": required,
    }


def _type(shape: Mapping[str, Any]) -> str:
    if "enum" in shape or "const" in shape:
        return "choice"
    return TYPES.get(shape.get("type", ""), "table" if "$ref" in shape else "text")
