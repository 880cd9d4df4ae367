"""The base class of all errors, and helpers that word lists, counts and suggested names."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal
from difflib import get_close_matches
from math import isfinite
from pathlib import Path
from typing import Generic, Self, TypeVar

MOST_PROBLEMS = 10  # shown in one message


class ShoalError(Exception):
    """Base class of all errors that Shoal raises."""

    exit_code = 2
    problems: tuple[str, ...] = ()  # of an error that lists several
    lines: tuple[str, ...]  # of the message: the first, and one for every problem

    def __init__(self, message: str = "") -> None:
        super().__init__(message)
        self.lines = (message,)

    @classmethod
    def of_all(cls, where: object, problems: Sequence[str]) -> Self:
        """One error for all problems found, each a message about a part of ``where``."""
        if len(problems) == 1:
            return cls(f"{where}, {problems[0]}")
        short = [problem.removeprefix(f"{where}, ").removeprefix(f"{where}: ") for problem in problems]
        rest = len(short) - MOST_PROBLEMS
        error = cls(f"{where}: {len(short)} problems.")
        error.lines = (str(error), *short[:MOST_PROBLEMS], *([f"and {rest} more"] if rest > 0 else []))
        error.args = ("\n  ".join(error.lines),)
        error.problems = tuple(short)
        return error

    @classmethod
    def unforeseen(cls, error: Exception) -> Self:
        """An internal error of Shoal. The text of the original error is omitted: it may show a cell value."""
        at = error.__traceback__
        while at is not None and at.tb_next is not None:
            at = at.tb_next
        where = f"{Path(at.tb_frame.f_code.co_filename).name}, line {at.tb_lineno}" if at else "unknown"
        return cls(
            f"this should not happen: {type(error).__name__} in {where}. Nothing was released. Please report it; "
            f"with SHOAL_TRACEBACK=1 set, Shoal shows more, which may include values of your data."
        )


E = TypeVar("E", bound=ShoalError)


class ErrorList(Generic[E]):
    """Errors of one class that are raised together, so that they can be corrected together."""

    def __init__(self, kind: type[E]) -> None:
        self.kind = kind
        self.errors: list[E] = []

    @contextmanager
    def collect(self) -> Iterator[None]:
        """Keeps an error of this class that the block raises, and goes on."""
        try:
            yield
        except self.kind as error:
            self.errors.append(error)

    def raise_all(self, where: object) -> None:
        """Raises the only error as it is, several as one; ``where``: what all of them are about."""
        if len(self.errors) == 1:
            raise self.errors[0]
        if self.errors:
            raise self.kind.of_all(where, [each for error in self.errors for each in error.problems or [str(error)]])


def listed(names: Iterable[object], most: int = 12) -> str:
    """``a, b, c and 5 more``: at most ``most`` names, so that messages stay short."""
    shown = [str(name) for name in names]
    rest = len(shown) - most
    return ", ".join(shown[:most]) + (f" and {rest} more" if rest > 0 else "")


def install(extra: str) -> str:
    """How the libraries of an extra of Shoal are installed."""
    return f"Install it with: pip install 'shoal[{extra}]'"


def plural(n: int, one: str, many: str | None = None) -> str:
    """The singular or plural form for ``n`` items: record, records; class, classes."""
    return one if n == 1 else many or one + "s"


def different_cells(n: int) -> str:
    """Cells counted by their different texts; a verb in the plural follows."""
    return f"{n} different cells" if n > 1 else "cells of one text"


def nearest(name: str, known: Sequence[str]) -> str:
    """A suggestion for a misspelled name, in whatever case; empty where no known name is similar."""
    by_lowercase = {each.casefold(): each for each in known}
    close = get_close_matches(name.casefold(), by_lowercase, n=1, cutoff=0.6)
    return f" Did you mean '{by_lowercase[close[0]]}'?" if close else ""


def policy_key(*parts: str) -> str:
    """A key as the text of a policy writes it: names with blanks, dots and the like are in quotes."""
    from tomlkit import key

    return key(list(parts)).as_string()


def rounded_away(value: float, *, up: bool, digits: int = 4) -> str:
    """The value with a few digits, rounded up or down, so that a limit that is met before rounding is met after it."""
    if not isfinite(value) or not value:
        return f"{value:g}"
    exact = Decimal(repr(float(value)))
    step = Decimal(1).scaleb(exact.adjusted() - digits + 1)
    return f"{exact.quantize(step, ROUND_CEILING if up else ROUND_FLOOR).normalize():f}"
