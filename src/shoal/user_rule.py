"""Base of requirements and losses that users write in Python: frozen dataclasses that are checked when constructed.

Whatever ``__post_init__`` a class of the user has, the search for counterexamples follows it: an object that exists has
passed it. An exception in a method of the user becomes a RuleError without its text, which may show a cell.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from functools import wraps
from typing import Any

from shoal.errors import RuleError, ShoalError

ANSWERS = ("holds", "reached", "loss", "least")  # methods of users that answer for groups or blocks


class UserRule(ABC):
    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        if "__post_init__" in cls.__dict__:
            cls.__post_init__ = _followed_by_check(cls.__dict__["__post_init__"])  # type: ignore[method-assign, assignment]
        for name in ANSWERS:
            if name in cls.__dict__:
                setattr(cls, name, _without_cells(cls.__dict__[name]))

    def __post_init__(self) -> None:
        _check_once(self)

    @property
    @abstractmethod
    def rests_on(self) -> str:
        """What a proof by a search takes on trust."""

    @abstractmethod
    def check_laws(self) -> None:
        """Raises RuleError with the first counterexample among random groups or blocks."""


def _followed_by_check(own: Callable[[UserRule], None]) -> Callable[[UserRule], None]:
    @wraps(own)
    def with_check(self: UserRule) -> None:
        own(self)
        _check_once(self)

    return with_check


def _without_cells(own: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(own)
    def answer(self: UserRule, *asked: Any) -> Any:
        try:
            return own(self, *asked)
        except ShoalError:
            raise
        except Exception as reason:
            raise RuleError.failed_on_table(f"{type(self).__name__}.{own.__name__}", reason) from reason

    return answer


def _check_once(rule: UserRule) -> None:
    if not hasattr(rule, "_has_passed"):
        if "__dataclass_params__" not in type(rule).__dict__:
            raise RuleError.no_dataclass(type(rule).__name__)
        rule.check_laws()
        object.__setattr__(rule, "_has_passed", True)


def resting_on(rules: Iterable[object]) -> tuple[str, ...]:
    """What a proof with these requirements and losses takes on trust; nothing where no user wrote one."""
    return tuple(rule.rests_on for rule in rules if isinstance(rule, UserRule))
