"""Errors of taxonomies."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Self

from shoal.errors.base import listed
from shoal.errors.policy_error import PolicyError


class TaxonomyError(PolicyError):
    """A hierarchy is not a tree, or does not cover its column. Line numbers start at 1."""

    @classmethod
    def empty(cls, name: str) -> Self:
        return cls(f"{name}: the hierarchy file is empty. Write one line per value: value;parent;...;*")

    @classmethod
    def no_file(cls, path: Path, reason: Exception) -> Self:
        what = reason.strerror if isinstance(reason, OSError) else "it is not UTF-8 text"
        return cls(f"{path}: the hierarchy file cannot be read: {what}.")

    @classmethod
    def not_written(cls, name: str) -> Self:
        return cls(
            f"{name}: a name in this tree has a line break, a quotation mark or nothing in it, so that a hierarchy "
            "file cannot hold it. Rename it."
        )

    @classmethod
    def flat(cls, name: str) -> Self:
        return cls(
            f"{name}: the lines have one field and so no parent. Write value;parent;...;* with ';' or ','; value;* "
            "where nothing is between a value and all of them."
        )

    @classmethod
    def ragged(cls, name: str, line: int, found: int, expected: int) -> Self:
        return cls(
            f"{name}, line {line}: {found} levels, but the first line has {expected}. "
            f"Repeat a value to fill a level that does not exist."
        )

    @classmethod
    def two_parents(cls, name: str, line: int, level: int) -> Self:
        return cls(
            f"{name}, line {line}: the entry in field {level + 1} has another parent than in a line above, "
            f"so this is not a tree. Give it one parent, or use two different names."
        )

    @classmethod
    def repeated_value(cls, name: str, n: int) -> Self:
        return cls(f"{name}: {n} values are listed more than once. List every value once.")

    @classmethod
    def many_roots(cls, name: str, n: int) -> Self:
        return cls(f"{name}: the last fields differ ({n} different values). End every line with one root, usually '*'.")

    @classmethod
    def not_covered(cls, column: str, name: str, n_values: int, n_records: int) -> Self:
        return cls(
            f"columns.{column}: {n_values} values of the column, in {n_records} records, are not in {name}. "
            f"Add a line for each of them, or declare them as missing under [source]."
        )

    @classmethod
    def values_outside(cls, name: str, n_values: int) -> Self:
        return cls(f"{name}: {n_values} values are not in the taxonomy. Add a line for each of them.")

    @classmethod
    def other_cells(cls, column: str, rule: str, expected: str, found: str, kind: str) -> Self:
        return cls(
            f"columns.{column}.taxonomy: {rule} are formed from {expected}, but the column holds {found}. "
            f"Set kind = '{kind}', or give another taxonomy."
        )

    @classmethod
    def bad_prefixes(cls, lengths: Sequence[int]) -> Self:
        return cls(f"prefixes must be decreasing lengths of at least 1, such as [3, 1], got {list(lengths)}.")

    @classmethod
    def bad_widths(cls, widths: Sequence[float]) -> Self:
        return cls(
            f"intervals must be positive widths, each a multiple of the one before, such as [5, 10, 20], "
            f"got {list(widths)}."
        )

    @classmethod
    def bad_date_parts(cls, parts: Sequence[str], known: Sequence[str]) -> Self:
        return cls(f"date_parts must be some of {listed(known)}, finest first, got {list(parts)}.")
