"""The policy of a sitting: its text is the one truth. Forms edit the text, which keeps its comments, and show what the
text says."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Self

from shoal.errors import PolicyError, StudioError
from shoal.policy.change.policy_edit import PolicyEdit, edited_text
from shoal.policy.load import load_text, parsed
from shoal.policy.policy import Policy


@dataclass(frozen=True)
class PolicyDocument:
    text: str
    file: Path  # where it is kept, or will be: paths in it are relative to its folder
    is_saved: bool = False
    was_read: bool = False  # whether the file is this document at an earlier time, so that saving may replace it

    @property
    def policy(self) -> Policy:
        """Raises PolicyError where the text is no policy."""
        return load_text(self.text, self.file)

    @property
    def content(self) -> dict[str, Any] | None:
        """The tables of the text; None where it is no TOML."""
        try:
            return parsed(self.text, self.file.name)
        except PolicyError:
            return None

    def with_text(self, text: str) -> Self:
        return self if text == self.text else replace(self, text=text, is_saved=False)

    def edited(self, edits: Sequence[PolicyEdit]) -> Self:
        """The document with these edits made in its text. Raises PolicyError where that is no TOML."""
        parsed(self.text, self.file.name)
        try:
            return self.with_text(edited_text(self.text, edits))
        except (KeyError, IndexError, TypeError, AttributeError, ValueError):  # of tomlkit, whose own words may be long
            named = ".".join(map(str, next((edit.table for edit in edits), ())))
            raise StudioError.no_table_of_lists(named) from None

    def with_settings(self, settings: Mapping[str, Any]) -> Self:
        """The document with settings of a grid, such as method.k: names first, which clear the table that they are in,
        because the keys of one method do not apply to another."""
        changed = self
        for key in sorted(settings, key=lambda key: not key.endswith("name")):
            changed = changed.edited([changed._edit(key, settings[key])])
        return changed

    def _edit(self, key: str, value: Any) -> PolicyEdit:
        *tables, last = (int(part) if part.isdecimal() else part for part in key.split("."))
        others = self._keys_at(tables) if last == "name" else ()
        return PolicyEdit(tuple(tables), {**dict.fromkeys(others), last: value})

    def _keys_at(self, place: Sequence[str | int]) -> tuple[str, ...]:
        at: Any = self.content
        for part in place:
            at = at[part] if isinstance(part, int) else at.get(part, {})
        return tuple(at)
