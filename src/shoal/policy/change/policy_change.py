"""A change of a policy: a few steps, each with its words and its edits."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from shoal.policy.change.policy_edit import Place, PolicyEdit, edited_text
from shoal.policy.load import dump, load_text
from shoal.policy.policy import Policy


@dataclass(frozen=True)
class ChangeStep:
    """What is done in a few words, and the edits that do it."""

    words: str
    edits: tuple[PolicyEdit, ...]


@dataclass(frozen=True)
class PolicyChange:
    steps: tuple[ChangeStep, ...]

    @classmethod
    def of(cls, words: str, *edits: PolicyEdit) -> Self:
        """A change of one step."""
        return cls((ChangeStep(words, edits),))

    @property
    def title(self) -> str:
        return "; ".join(dict.fromkeys(step.words for step in self.steps))

    @property
    def edits(self) -> tuple[PolicyEdit, ...]:
        return tuple(edit for step in self.steps for edit in step.edits)

    @property
    def places(self) -> frozenset[Place]:
        return frozenset(place for edit in self.edits for place in edit.places)

    @property
    def tables(self) -> frozenset[Place]:
        return frozenset(edit.table for edit in self.edits if not edit.is_new)

    @property
    def dropped(self) -> frozenset[Place]:
        """The tables of the columns that it drops."""
        return frozenset(edit.table for edit in self.edits if edit.content.get("role") == "identifier")

    def contradicts(self, other: PolicyChange) -> bool:
        """Whether both set the same key differently, or one drops a column that the other treats."""
        one, two = self._without(other), other._without(self)
        return bool(one.places & two.places or one.tables & two.tables & (one.dropped | two.dropped))

    def _without(self, other: PolicyChange) -> PolicyChange:
        """What the other change does not do as well."""
        return PolicyChange(tuple(step for step in self.steps if not other.contains(PolicyChange((step,)))))

    def without_step(self, at: int) -> PolicyChange:
        return PolicyChange((*self.steps[:at], *self.steps[at + 1 :]))

    def contains(self, other: PolicyChange) -> bool:
        """Whether it makes all edits of the other one."""
        return all(edit in self.edits for edit in other.edits)

    def joined(self, other: PolicyChange) -> PolicyChange:
        """Both changes together, each step once."""
        return PolicyChange((*self.steps, *other._without(self).steps))

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
    return load_text(text, like.file)
