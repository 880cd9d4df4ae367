"""Errors of requirements and losses that users write in Python."""

from __future__ import annotations

from pathlib import Path
from typing import Self

from shoal.errors.base import ShoalError, listed, nearest

RANDOM = "The numbers are random: they are not from a table."


class RuleError(ShoalError, ValueError):
    """A requirement or a loss written by a user cannot be used: its file, its class, or a law that it breaks."""

    @classmethod
    def not_allowed(cls, file: str) -> Self:
        return cls(
            f"rules.file: the policy runs code of {file}, and code runs only where you allow it. Read the file, then "
            f"add --rules {file} in the shell, or load the policy by shoal.Policy.with_rules in Python."
        )

    @classmethod
    def other_file(cls, wanted: Path, allowed: Path) -> Self:
        return cls(
            f"rules.file: the policy needs {wanted}, but {allowed} was allowed. Allow the file beside the policy."
        )

    @classmethod
    def not_needed(cls, allowed: Path) -> Self:
        return cls(f"{allowed} was allowed, but the policy has no rules of a user. Leave it out, or add [rules].")

    @classmethod
    def not_beside(cls, file: str) -> Self:
        return cls(f"rules.file is '{file}': it must be the name of a .py file in the folder of the policy.")

    @classmethod
    def unreadable(cls, file: Path, reason: str) -> Self:
        return cls(f"{file} cannot be read: {reason}.")

    @classmethod
    def other_code(cls, file: Path, wanted: str, found: str) -> Self:
        return cls(
            f"rules.sha256: {file} is not the file that the policy names: its SHA-256 is {found}, not {wanted}. Read "
            "what changed, then write the new one into the policy."
        )

    @classmethod
    def does_not_run(cls, file: Path, reason: Exception) -> Self:
        return cls(f"{file} does not run: {type(reason).__name__}: {reason}")

    @classmethod
    def no_class(cls, where: str, name: str, kind: str, known: list[str]) -> Self:
        there = f" It has: {listed(known)}." if known else " It has none."
        return cls(f"{where}: the file has no class '{name}' that derives from {kind}.{nearest(name, known)}{there}")

    @classmethod
    def wrong_parameters(cls, where: str, name: str, reason: Exception) -> Self:
        return cls(f"{where}: {name} cannot be made with these parameters: {reason}")

    @classmethod
    def no_dataclass(cls, name: str) -> Self:
        return cls(f"{name} must be a frozen dataclass: write @dataclass(frozen=True) above the class.")

    @classmethod
    def no_monotone(cls, name: str, got: object) -> Self:
        return cls(
            f"{name} must say whether it is monotone: write monotone = True if two groups that hold always hold "
            f"together, otherwise monotone = False. Got {got!r}."
        )

    @classmethod
    def cannot_read(cls, name: str, reads: str) -> Self:
        return cls(f"{name}.reads is '{reads}'. A rule of a user reads 'counts', or 'order' where values have one.")

    @classmethod
    def not_monotone(cls, name: str, one: str, other: str, both: str, whole: str) -> Self:
        return cls(
            f"{name} is declared monotone, but is not: it holds for {one}, holds for {other}, and does not hold for "
            f"both together, {both}{whole}. Correct holds, or set monotone = False. {RANDOM}"
        )

    @classmethod
    def needs_monotone(cls, name: str) -> Self:
        return cls(
            f"{name} is not monotone, and generalization cuts only blocks that hold: it could miss every plan that "
            "does. Use microaggregation, whose groups are checked one by one, or a monotone requirement."
        )

    @classmethod
    def too_few_hold(cls, name: str, least: int, group: str) -> Self:
        return cls(f"{name}.least_records is {least}, but it holds for {group}. State a smaller number. {RANDOM}")

    @classmethod
    def depends_on_others(cls, name: str, what: str) -> Self:
        return cls(
            f"{name}: its answer for {what} depends on the others that are asked for together with it. It must depend "
            f"on each alone. {RANDOM}"
        )

    @classmethod
    def wrong_answer(cls, name: str, expected: str, got: str) -> Self:
        return cls(f"{name} must return {expected}, got {got}.")

    @classmethod
    def failed(cls, name: str, reason: Exception) -> Self:
        """Of random groups, whose numbers the reason may show."""
        return cls(f"{name} does not run: {type(reason).__name__}: {reason}. {RANDOM}")

    @classmethod
    def failed_on_table(cls, name: str, reason: Exception) -> Self:
        """Of a table: without the text of the reason, which may show a cell."""
        return cls(
            f"{name} does not run on this table: {type(reason).__name__}. It did on random groups. With Python, the "
            "error before this one says more."
        )

    @classmethod
    def of_nothing(cls, name: str, loss: float) -> Self:
        return cls(f"{name} of a block without records must be 0, got {loss:g}: an empty block loses nothing.")

    @classmethod
    def grows(cls, name: str, whole: str, parts: tuple[str, str]) -> Self:
        return cls(
            f"{name} grows when a block is cut: {whole}, cut into {parts[0]} and {parts[1]}. A block must cost "
            f"at least what its parts cost together: no bound would hold otherwise. {RANDOM}"
        )

    @classmethod
    def least_too_high(cls, name: str, n: int, k: int, least: float, loss: float) -> Self:
        return cls(
            f"{name}.least says that {n} records in blocks of at least {k} cost no less than {least:g}, but a plan of "
            f"them costs {loss:g}. {RANDOM}"
        )
