"""Writes docs/policy_keys.md: every key of a policy with its values, its default and its meaning, from the model."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from shoal.policy import json_schema

PAGE = Path(__file__).resolve().parent.parent / "docs" / "policy_keys.md"
Node = Mapping[str, Any]  # of the JSON Schema

INTRODUCTION = """# All keys of policy.toml

Every table of a policy with its keys, their values, defaults and meanings. `make schema` writes this page from the
model that reads policies. [policy.md](policy.md) explains how the parts work together, and shows a whole policy.
"""
PARTS = {  # key of the policy -> its table in the file
    "source": "[source]",
    "columns": "[columns.NAME]",
    "requirements": "[[requirements]]",
    "rules": "[rules]",
    "perturbations": "[[perturbations]]",
    "method": "[method]",
    "blocking": "[blocking]",
    "suppression": "[suppression]",
    "local_suppression": "[local_suppression]",
    "output": "[output]",
    "warn": "[warn]",
    "limits": "[limits]",
}

FURTHER = {  # tables within other tables -> their models
    "[[rules.requirements]]": "RuleEntry",
    "[rules.loss]": "LossEntry",
    "taxonomy": "TaxonomyRule",
    "map": "MapRules",
}

WORDS = {
    "integer": "whole number",
    "number": "number",
    "string": "text",
    "boolean": "`true`, `false`",
    "array": "list",
    "object": "table",
}


def page_text() -> str:
    schema = json_schema()
    plain = {key: node for key, node in schema["properties"].items() if key not in PARTS}
    sections = ["## The policy", "", *_table(plain)]
    for key, heading in PARTS.items():
        node = schema["properties"][key]
        sections += ["", f"## `{heading}`", "", *_part(schema, node)]
    for heading, name in FURTHER.items():
        sections += ["", f"## `{heading}`", "", *_definition(schema, name)]
    return "\n".join([INTRODUCTION, *sections]) + "\n"


def _part(schema: Node, node: Node) -> Iterator[str]:
    """The table of a part, or one table for each of the models that its ``name`` selects."""
    choice = node.get("items", node)
    if "discriminator" in choice:
        yield str(node["description"])
        for name, reference in sorted(choice["discriminator"]["mapping"].items()):
            yield from ["", f'### `name = "{name}"`', "", *_definition(schema, reference.rsplit("/", 1)[-1])]
    else:
        yield from _definition(schema, _reference(node))


def _reference(node: Node) -> str:
    """The name of the definition that a node refers to."""
    nodes = [node, node.get("additionalProperties", {}), *node.get("anyOf", ())]
    return next(str(each["$ref"]).rsplit("/", 1)[-1] for each in nodes if isinstance(each, dict) and "$ref" in each)


def _definition(schema: Node, name: str) -> Iterator[str]:
    found = schema["$defs"][name]
    keys = {key: node for key, node in found["properties"].items() if key != "name"}
    yield str(found.get("description", "")).partition("\n")[0].replace("``", "`")
    yield from ["", *_table(keys, found.get("required", ()))] if keys else ()


def _table(keys: Node, required: Any = ()) -> Iterator[str]:
    yield "| key | values | default | meaning |"
    yield "|---|---|---|---|"
    for key, node in keys.items():
        default = "required" if key in required else _default(node)
        meaning = " ".join(str(node.get("description", "")).split()).replace("|", "\\|").replace("``", "`")
        yield f"| `{key}` | {_values(node)} | {default} | {meaning} |"


def _default(node: Node) -> str:
    default = node.get("default")
    return "" if default in (None, [], {}) or isinstance(default, dict) else f"`{json.dumps(default)}`"


def _values(node: Node) -> str:
    """The values that a key can have, in words."""
    if "enum" in node:
        return ", ".join(f"`{json.dumps(value)}`" for value in node["enum"])
    if "const" in node:
        return f"`{json.dumps(node['const'])}`"
    if "$ref" in node:
        return "a table"
    if "anyOf" in node:
        return " or ".join(dict.fromkeys(_values(each) for each in node["anyOf"] if each.get("type") != "null"))
    return WORDS.get(str(node.get("type")), "any")


if __name__ == "__main__":
    PAGE.write_text(page_text(), encoding="utf-8")
