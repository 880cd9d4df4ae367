"""The rules of a policy that a user wrote: which classes of which file, and these as objects.

A policy names a file beside it, and the file runs only where the caller allows it by its path (``Policy.with_rules``).
What is hashed is what runs; the manifest states the hash.
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path, PurePath
from types import ModuleType
from typing import Any, Self

from pydantic import Field, model_validator

from shoal.errors import RuleError, ShoalError
from shoal.losses import UserLoss
from shoal.policy.key_path import key_path
from shoal.policy.policy_part import PolicyPart
from shoal.requirements import UserRequirement


class RuleEntry(PolicyPart):
    """A requirement that a user wrote."""

    rule: str
    """The class in the file."""
    column: str | None = None
    """The sensitive column; left out: it reads the sizes of groups alone."""
    columns: tuple[str, ...] | None = None
    """The quasi-identifiers that make a class; left out: all of them."""
    parameters: dict[str, Any] = Field(default_factory=dict)
    """The fields of the class, by name."""


class LossEntry(PolicyPart):
    """The loss that a user wrote, for gensearch, and for mondrian in mode greedy."""

    rule: str
    """The class in the file."""
    target: str | None = None
    """The column whose values are the classes that the loss reads; left out: it reads none."""
    parameters: dict[str, Any] = Field(default_factory=dict)
    """The fields of the class, by name."""


class RuleFile(PolicyPart):
    """Requirements and a loss that users wrote in Python. The file runs only where the caller allows it."""

    file: str
    """A .py file beside the policy."""
    sha256: str | None = None
    """The file must have this hash; left out: any file of this name. Manifests state it."""
    requirements: tuple[RuleEntry, ...] = ()
    """Requirements of the file, besides those of the policy."""
    loss: LossEntry | None = None
    """The loss of the method, instead of ``method.loss``."""

    @model_validator(mode="after")
    def _check_file(self) -> Self:
        if PurePath(self.file).name != self.file or "\\" in self.file or not self.file.endswith(".py"):
            raise RuleError.not_beside(self.file)
        return self


@dataclass(frozen=True)
class UserRules:
    """The rules of a policy as objects, which have passed their checks."""

    requirements: tuple[UserRequirement, ...]
    loss: UserLoss | None
    target: str | None
    file: str
    sha256: str

    @property
    def notes(self) -> tuple[str, ...]:
        """What a proof of the requirements says, for its reader."""
        return tuple(
            f"{name} is code of {self.file} (SHA-256 {self.sha256}), not of Shoal: the proof says that it holds for "
            "every class, not what that protects from."
            for name in dict.fromkeys(requirement.name for requirement in self.requirements)
        )


def run_rules(entries: RuleFile, file: Path) -> UserRules:
    """Runs the file, and constructs what the entries name."""
    try:
        content = file.read_bytes()
    except OSError as reason:
        raise RuleError.unreadable(file, reason.strerror or "unreadable") from None
    found = hashlib.sha256(content).hexdigest()
    if entries.sha256 is not None and entries.sha256 != found:
        raise RuleError.other_code(file, entries.sha256, found)
    classes = _classes(content, file, found)
    requirements = tuple(
        _construct(
            UserRequirement,
            key_path(("rules", "requirements", at)),
            entry.rule,
            {"column": entry.column, "columns": entry.columns, **entry.parameters},
            classes,
        )
        for at, entry in enumerate(entries.requirements)
    )
    if entries.loss is None:
        return UserRules(requirements, None, None, entries.file, found)
    loss = _construct(UserLoss, "rules.loss", entries.loss.rule, entries.loss.parameters, classes)
    return UserRules(requirements, loss, entries.loss.target, entries.file, found)


def _classes(content: bytes, file: Path, sha256: str) -> dict[str, type]:
    """The classes that the file defines. Its module is named by its hash, since dataclasses look it up by name."""
    module = ModuleType(f"shoal_rules_{sha256[:16]}")
    module.__file__ = str(file)
    sys.modules[module.__name__] = module
    try:
        exec(compile(content, str(file), "exec"), module.__dict__)
    except Exception as reason:
        raise RuleError.does_not_run(file, reason) from reason
    found = {name: each for name, each in vars(module).items() if isinstance(each, type)}
    return {name: each for name, each in found.items() if each.__module__ == module.__name__}


def _construct(
    kind: type[Any], where: str, name: str, parameters: Mapping[str, Any], classes: Mapping[str, type]
) -> Any:
    """An object of the class, which is checked by that."""
    known = {each: cls for each, cls in classes.items() if issubclass(cls, kind)}
    if name not in known:
        raise RuleError.no_class(f"{where}.rule", name, kind.__name__, list(known))
    try:
        return known[name](**parameters)
    except ShoalError:
        raise
    except (TypeError, ValueError) as reason:
        raise RuleError.wrong_parameters(f"{where}.parameters", name, reason) from None
