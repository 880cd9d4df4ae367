"""An extension of Griffe: docstrings that explain names in two columns are read as lists."""

from __future__ import annotations

import re
from typing import Any

import griffe

ENTRY = re.compile(r"(?P<name>[`\w\[][^ ]*(?: ?[,/] ?[^ ]+)*) {2,}(?P<meaning>\S.*)")


def listed(docstring: str) -> str:
    """The same text, with an item for every line ``name  meaning`` and its indented continuation."""
    lines: list[str] = []
    in_list = False
    for line in docstring.splitlines():
        entry = ENTRY.fullmatch(line)
        if entry:
            lines += [] if in_list else [""]
            lines.append(f"- `{entry['name'].strip('`')}`: {entry['meaning']}")
        elif in_list and line.startswith("  "):
            lines[-1] += " " + line.strip()
            continue
        else:
            lines += [""] if in_list and line else []
            lines.append(line)
        in_list = entry is not None
    return "\n".join(lines)


class DocstringLists(griffe.Extension):
    def on_object(self, *, obj: griffe.Object, **_: Any) -> None:
        if obj.docstring:
            obj.docstring.value = listed(obj.docstring.value)
