"""Edits of the text of a policy.toml, which keep its comments and its layout.

Every change is made in the text and read back, so that what is proposed is what was tried.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

Place = tuple[str | int, ...]  # a table: ("columns", "age"), ("requirements", 0)


@dataclass(frozen=True)
class PolicyEdit:
    """Keys of one table that are set.

    table    where they are; an index counts the tables of a list from 0
    content  the keys with their new values; None: the key is removed, or the table of that index
    is_new   the content is a further table of the list ``table``
    """

    table: Place
    content: Mapping[Any, Any]
    is_new: bool = False

    @property
    def places(self) -> frozenset[Place]:
        """The keys that it sets; a further table of a list sets none that is there."""
        return frozenset() if self.is_new else frozenset((*self.table, key) for key in self.content)


def edits_of(lines: str) -> tuple[PolicyEdit, ...]:
    """The edits that lines of TOML stand for: keys of tables are set, tables of a list are added."""
    import tomlkit

    found: list[PolicyEdit] = []
    for name, content in tomlkit.parse(lines).unwrap().items():
        if isinstance(content, list):
            found += [PolicyEdit((name,), each, is_new=True) for each in content]
        elif name == "columns":
            found += [PolicyEdit((name, column), keys) for column, keys in content.items()]
        else:
            found.append(PolicyEdit((name,), content))
    return tuple(found)


def edited_text(text: str, edits: Sequence[PolicyEdit]) -> str:
    """The text of the policy with all edits made in it."""
    import tomlkit

    document = tomlkit.parse(text)
    for edit in edits:
        (_add_table if edit.is_new else _set_keys)(document, edit)
    return tomlkit.dumps(document)


def _add_table(document: Any, edit: PolicyEdit) -> None:
    import tomlkit
    from tomlkit.items import Array

    name = edit.table[0]
    if name not in document:
        document[name] = tomlkit.aot()
    written = _inline(edit.content) if isinstance(document[name], Array) else _table(edit.content)
    document[name].append(written)


def _set_keys(document: Any, edit: PolicyEdit) -> None:
    import tomlkit
    from tomlkit.items import InlineTable

    at = document
    for part in edit.table:
        if isinstance(part, str) and part not in at:
            at[part] = tomlkit.inline_table() if isinstance(at, InlineTable) else tomlkit.table()
        at = at[part]
    for key, value in edit.content.items():
        if value is None and isinstance(key, int):
            del at[key]
        elif value is None:
            at.pop(key, None)
        else:
            at[key] = _inline(value) if isinstance(value, Mapping) else value


def _table(content: Mapping[str, Any]) -> Any:
    import tomlkit

    table = tomlkit.table()
    for key, value in content.items():
        table[key] = value
    return table.add(tomlkit.nl())


def _inline(content: Mapping[str, Any]) -> Any:
    import tomlkit

    table = tomlkit.inline_table()
    for key, value in content.items():
        table[key] = value
    return table


def edit_lines(text: str, edits: Sequence[PolicyEdit]) -> tuple[str, ...]:
    """Lines to paste into the policy ``text``. The head of a table that is there already is a comment, since TOML
    allows it only once; a value that is replaced is named in a comment, too."""
    import tomlkit

    content = tomlkit.parse(text).unwrap()
    blocks = [(_head(content, edit), _key_lines(content, edit)) for edit in edits]
    written: list[str] = []
    for at, (head, lines) in enumerate(blocks):
        is_same = at > 0 and head == blocks[at - 1][0] and not edits[at].is_new
        written += lines if is_same else [head, *lines]
    return tuple(written)


def _head(content: Mapping[str, Any], edit: PolicyEdit) -> str:
    import tomlkit

    if edit.is_new:
        return f"[[{edit.table[0]}]]"
    if isinstance(edit.table[-1], int):
        return f"# in [[{edit.table[0]}]] number {edit.table[-1] + 1}:"
    name = ".".join(tomlkit.key(str(part)).as_string() for part in edit.table)
    return f"# in [{name}]:" if _table_at(content, edit.table) is not None else f"[{name}]"


def _key_lines(content: Mapping[str, Any], edit: PolicyEdit) -> list[str]:
    before = {} if edit.is_new else _table_at(content, edit.table) or {}
    changed = {key: value for key, value in edit.content.items() if value != before.get(key)}
    return [_key_line(key, value, before.get(key)) for key, value in changed.items()]


def _key_line(key: str, value: Any, before: Any) -> str:
    if value is None:
        return f"# remove {_written(key, before)}"
    replaced = "" if before is None else f"  # instead of {_written(key, before)}"
    return f"{_written(key, value)}{replaced}"


def _written(key: str, value: Any) -> str:
    import tomlkit

    document = tomlkit.document()
    document[key] = _inline(value) if isinstance(value, Mapping) else value
    return " ".join(tomlkit.dumps(document).split("\n")).strip()


def _table_at(content: Any, place: Place) -> Any:
    """The table at this place; None where there is none."""
    for part in place:
        if isinstance(content, Mapping):
            content = content.get(str(part))
        else:
            content = content[part] if isinstance(content, list) and isinstance(part, int) else None
    return content
