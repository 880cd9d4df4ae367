"""Writes docs/commands.md: every command of the shell with its arguments and options, from the commands themselves."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

from typer.main import get_command

from shoal.cli.commands import EXIT_CODES, app

PAGE = Path(__file__).resolve().parent.parent / "docs" / "commands.md"
WORDS = {Path: "path", str: "text", int: "whole number", float: "number"}
INTRODUCTION = f"""# All commands

Every command of `shoal` with its arguments and options. `make schema` writes this page from the commands; in the shell
`shoal COMMAND --help` shows the same. `shoal --version` prints the version, with `--verbose` also what a bug report
should say: Python, system, memory, and the version of every library.

{EXIT_CODES}
"""


def page_text() -> str:
    commands: dict[str, Any] = get_command(app).commands  # type: ignore[attr-defined]
    listed = [f"- [`shoal {name}`](#shoal-{name}): {_first(command.help)}" for name, command in commands.items()]
    sections = [line for name, command in commands.items() for line in _section(name, command)]
    return "\n".join([INTRODUCTION, *listed, "", *sections]).rstrip("\n") + "\n"


def _first(text: str) -> str:
    return " ".join(text.split()).partition(". ")[0].rstrip(".") + "."


def _section(name: str, command: Any) -> Iterator[str]:
    parameters = [each for each in command.params if not getattr(each, "hidden", False) and "--help" not in each.opts]
    arguments = [each for each in parameters if each.param_type_name == "argument"]
    usage = " ".join(f"{each.name.upper()}{' ...' if each.nargs == -1 else ''}" for each in arguments)
    yield from [
        f"## `shoal {name}`",
        "",
        " ".join(command.help.split()),
        "",
        f"Usage: `shoal {' '.join(filter(None, [name, usage]))} [OPTIONS]`",
        "",
    ]
    yield from ["| argument or option | value | default | meaning |", "|---|---|---|---|"]
    yield from (
        f"| {' '.join(_cell(text) for text in _names(each))} | {_value(each)} | {_default(each)} | {_meaning(each)} |"
        for each in parameters
    )
    yield ""


def _names(parameter: Any) -> list[str]:
    if parameter.param_type_name == "argument":
        return [parameter.name.upper()]
    return [*parameter.opts, *parameter.secondary_opts]


def _cell(text: str) -> str:
    return f"`{text}`"


def _value(parameter: Any) -> str:
    if getattr(parameter, "is_flag", False):
        return ""
    annotation = parameter.type_descriptor.annotation
    choices = get_args(annotation)
    return ", ".join(_cell(str(choice)) for choice in choices) if choices else WORDS[annotation]


def _default(parameter: Any) -> str:
    if parameter.required:
        return "required"
    default = parameter.default
    is_empty = default is None or default is False or default in ((), [])
    return "" if is_empty or callable(default) else _cell(str(default))


def _meaning(parameter: Any) -> str:
    return " ".join((parameter.help or "").split()).replace("|", "\\|")


if __name__ == "__main__":
    PAGE.write_text(page_text(), encoding="utf-8")
