"""A change of a policy: a few edits, told in words."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from shoal.policy.change.policy_edit import Place, PolicyEdit, edited_text
from shoal.policy.load import dump, load_text
from shoal.policy.policy import Policy


@dataclass(frozen=True)
class PolicyChange:
    """``title``: what it does, in a few words."""

    title: str
    edits: tuple[PolicyEdit, ...]

    @property
    def places(self) -> frozenset[Place]:
        return frozenset(place for edit in self.edits for place in edit.places)

    def contradicts(self, other: PolicyChange) -> bool:
        """Whether both set the same key, or the one a key inside of what the other sets."""
        return any(one[: len(two)] == two or two[: len(one)] == one for one in self.places for two in other.places)

    def joined(self, other: PolicyChange) -> Self:
        """Both changes together, each edit once."""
        further = tuple(edit for edit in other.edits if edit not in self.edits)
        return type(self)(f"{self.title}; {other.title}", (*self.edits, *further))

    def text(self, policy: str) -> str:
        """The text of a policy with this change."""
        return edited_text(policy, self.edits)


def policy_source(policy: Policy) -> str:
    """The text of the policy: that of its file, else written from its values."""
    return policy.file.read_text(encoding="utf-8") if policy.file else dump(policy)


def policy_at(text: str, like: Policy, file: Path) -> str:
    """The text of a policy for another folder: the files that it names stay those of ``like``."""
    edits: list[PolicyEdit] = []
    for name, rule in policy_of_text(text, like).columns.items():
        if rule.taxonomy is not None and rule.taxonomy.file is not None:
            edits.append(PolicyEdit(("columns", name), {"taxonomy": _path_from(file, like, rule.taxonomy.file)}))
        if rule.pseudonym is not None:
            edits.append(PolicyEdit(("columns", name), {"pseudonym": _path_from(file, like, rule.pseudonym)}))
    moved = [edit for edit in edits if like.file is None or file.resolve().parent != like.file.resolve().parent]
    return edited_text(text, moved)


def _path_from(file: Path, like: Policy, named: Path) -> str:
    """The path of a file that ``like`` names, as the policy ``file`` must name it."""
    return str(named) if named.is_absolute() else os.path.relpath(like.path_of(named).resolve(), file.resolve().parent)


def policy_of_text(text: str, like: Policy) -> Policy:
    """The policy of a text, with the paths of ``like``."""
    changed = load_text(text)
    return changed.read_from(like.file) if like.file else changed
