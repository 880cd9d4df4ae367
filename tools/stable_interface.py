"""Writes tests/stable_interface.txt: what docs/stability.md promises to keep, one line for each name, key and code.

Lines are only added: what is taken away is taken out of the file by hand, with a line in CHANGELOG.md.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Iterator, Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any

from typer.main import get_command

import shoal
from shoal.cli.commands import app
from shoal.policy import json_schema
from shoal.release.manifest import Manifest
from shoal.report.page_json import page_schema

ROOT = Path(__file__).resolve().parent.parent
KEPT = ROOT / "tests" / "stable_interface.txt"
sys.path[:0] = [str(ROOT / "tests")]
from namespaces import names_of  # noqa: E402


def interface() -> set[str]:
    lines = {*_names(), *_commands(), *_exit_codes()}
    lines |= {f"policy: {key}" for key in _keys(json_schema())}
    lines |= {f"page: {key}" for key in _keys(page_schema())}
    return lines | {f"manifest: {each.name}" for each in fields(Manifest)}


def kept() -> set[str]:
    return set(KEPT.read_text(encoding="utf-8").splitlines())


def _names() -> Iterator[str]:
    spaces = [getattr(shoal, name) for name in shoal.__all__ if inspect.ismodule(getattr(shoal, name))]
    for module in (shoal, *spaces):
        names = shoal.__all__ if module is shoal else names_of(module)
        for name in names:
            yield from _signature(f"{module.__name__}.{name}", getattr(module, name))


def _signature(name: str, value: object) -> Iterator[str]:
    """The name, the arguments that it needs, its options, and the type of its result."""
    yield f"name: {name}"
    if inspect.isfunction(value):
        found = inspect.signature(value)
        needed = [each.name for each in found.parameters.values() if each.default is each.empty]
        yield f"call: {name}({', '.join(needed)}) -> {found.return_annotation}"
        yield from (f"option: {name} {each}" for each in found.parameters if each not in needed)


def _commands() -> Iterator[str]:
    for name, command in get_command(app).commands.items():  # type: ignore[attr-defined]
        yield f"command: {name}"
        yield from (f"command: {name} {option}" for each in command.params for option in each.opts)


def _exit_codes() -> Iterator[str]:
    for name in names_of(shoal.errors):
        yield f"exit code: {name} {getattr(shoal.errors, name).exit_code}"


def _keys(schema: Mapping[str, Any]) -> Iterator[str]:
    """Keys of all tables with their values where these are words."""
    tables = {"": schema, **schema.get("$defs", {})}
    for table, node in tables.items():
        for key, value in node.get("properties", {}).items():
            yield f"{table}.{key}"
            yield from (f"{table}.{key} = {word}" for word in _words(value))


def _words(node: Mapping[str, Any]) -> Iterator[str]:
    yield from (str(word) for word in (*node.get("enum", ()), *([node["const"]] if "const" in node else ())))
    for other in node.get("anyOf", ()):
        yield from _words(other)


def main() -> None:
    KEPT.write_text("\n".join(sorted(interface() | kept())) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
