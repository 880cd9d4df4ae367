"""Descriptions of the keys of a policy whose classes are dataclasses, from their docstrings.

A docstring has a line ``key  meaning`` for every key, and further lines of the meaning are indented. Keys that a class
inherits are described where they are declared.
"""

from __future__ import annotations

import inspect
import re
from typing import Any

KEY = re.compile(r"^(\w+) {2,}(\S.*)$")


def key_descriptions(cls: type[Any]) -> dict[str, str]:
    """The meaning of every key of ``cls`` that a docstring of it or of its bases describes."""
    found: dict[str, str] = {}
    for base in reversed(cls.__mro__):
        found |= _described(inspect.cleandoc(base.__doc__ or "")) if base is not object else {}
    return found


def _described(docstring: str) -> dict[str, str]:
    meanings: dict[str, list[str]] = {}
    key = None
    for line in docstring.splitlines()[1:]:
        if start := KEY.match(line):
            key = start[1]
            meanings[key] = [start[2]]
        elif key and line.startswith("  "):
            meanings[key].append(line.strip())
        else:
            key = None
    return {name: _sentence(" ".join(lines)) for name, lines in meanings.items()}


def _sentence(text: str) -> str:
    return f"{text[0].upper()}{text[1:].rstrip('.')}."
