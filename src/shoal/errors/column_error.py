"""Errors of what a policy says about a column."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Self

from shoal.errors.base import listed, policy_key
from shoal.errors.policy_error import PolicyError


class ColumnError(PolicyError):
    """A rule of [columns] is invalid: a role, a weight, a level, a recoding, the key of a pseudonym."""

    @classmethod
    def named_alike(cls, first: str, second: str) -> Self:
        return cls(
            f"columns.{first} and columns.{second} differ only in case or in how letters are encoded: databases and "
            f"programs that read the release may take them for one. Give one of them another name in the table."
        )

    @classmethod
    def only_one(cls, role: str, names: Sequence[str]) -> Self:
        return cls(f"columns: {listed(names)} all have role '{role}'. Only one column can have it.")

    @classmethod
    def no_household(cls, column: str) -> Self:
        return cls(
            f"columns.{column}.level is 'household', but no column has the role 'household'. Remove it, or give this "
            f"role to the column that holds the households."
        )

    @classmethod
    def reveals_order(cls, where: str, name: str, role: str) -> Self:
        return cls(
            f"{where}: members cannot be ordered by '{name}', whose role is {role}: their places in the order would "
            f"reveal it. Name quasi-identifiers, or columns of role 'other'."
        )

    @classmethod
    def no_key(cls, column: str, path: Path, reason: str) -> Self:
        return cls(
            f"columns.{column}.pseudonym: the key file {path} cannot be read: {reason}. "
            f"Create one with: python -c 'import secrets; print(secrets.token_hex(32))' > {path.name}"
        )

    @classmethod
    def short_key(cls, column: str, path: Path, shortest: int) -> Self:
        return cls(
            f"columns.{column}.pseudonym: the key in {path} has fewer than {shortest} bytes and could be guessed. "
            f"Create one with: python -c 'import secrets; print(secrets.token_hex(32))' > {path.name}"
        )

    @classmethod
    def no_weight(cls, names: Sequence[str]) -> Self:
        return cls(
            f"columns: all quasi-identifiers that are grouped together ({listed(names)}) have weight = 0, so nothing "
            f"says which records are alike. Leave the weight out of at least one of them."
        )

    @classmethod
    def unused_weight(cls, column: str, method: str) -> Self:
        return cls(
            f"columns.{column}.weight has no effect: method '{method}' with these settings measures nothing column by "
            f"column. Remove the weight, or choose what does: mdav and its kin, mondrian in mode 'strict', or "
            f"method.loss = 'certainty' for mondrian in mode 'greedy', gensearch and global_recoding."
        )

    @classmethod
    def free_blanks(cls, column: str) -> Self:
        return cls(
            f"columns.{column}.weight = 0 would make blank cells of the column cost nothing, and all would be blanked. "
            f"Give their cost as local_suppression.importance = {{ {policy_key(column)} = 0.1 }}, or raise the weight."
        )

    @classmethod
    def nothing_generalized(cls, where: str, method: str, representation: str) -> Self:
        return cls(
            f"{where} limits the levels that a method chooses, but method '{method}' with representation "
            f"'{representation}' releases no levels of this column. Set output.representation = 'extents' with a "
            f"method that uses its taxonomy (global_recoding, mondrian, gensearch; mdav and its kin for nominal "
            f"columns), or recode the column to one level."
        )

    @classmethod
    def no_max_level(cls, column: str, method: str) -> Self:
        return cls(
            f"columns.{column}.max_level: method '{method}' proves its result for trees that begin with all records in "
            f"one block, so it cannot be limited from above. Remove max_level, or use global_recoding or mondrian."
        )

    @classmethod
    def levels_too_fine(cls, limits: Mapping[str, int], n_failing: int, n_records: int) -> Self:
        columns = listed([f"{policy_key('columns', name, 'max_level')} = {level}" for name, level in limits.items()])
        share = "method.suppression, the share of the records in such classes, and suppression.limit"
        suppressed = f", or raise {share}" if n_failing < n_records else ""
        return cls(
            f"{columns}: even at these levels, with all other columns fully generalized, {n_failing:,} of "
            f"{n_records:,} records are in classes that fail the requirements. Raise max_level, or weaken the "
            f"requirements{suppressed}."
        )

    @classmethod
    def level_above_root(cls, where: str, level: int, height: int) -> Self:
        return cls(f"{where} is {level}, but the root of the taxonomy is level {height}. Set it to {height} or less.")

    @classmethod
    def unfit_recoding(cls, key: str, kind: str, fitting: Sequence[str]) -> Self:
        expected = " or ".join(f"'{each}'" for each in fitting)
        return cls(
            f"recode.{key} needs kind = {expected}, but kind = '{kind}'. Change the kind of the column if it is "
            f"wrong, or recode by another key: intervals, width, top and bottom for numbers, date_part for dates, "
            f"prefix for codes, merge for categories, level with a taxonomy."
        )

    @classmethod
    def not_finite(cls, where: str) -> Self:
        return cls(f"{where}: an infinite bound bounds nothing. Leave it out, or give a number.")

    @classmethod
    def no_year(cls, where: str, got: float) -> Self:
        return cls(f"{where}: the top or bottom code of a year must be a whole year, got {got:g}.")

    @classmethod
    def not_ascending(cls, where: str, got: Sequence[float]) -> Self:
        return cls(f"{where} must be ascending bounds, such as [0, 18, 30, 65], got {list(got)}.")

    @classmethod
    def empty_merge(cls, name: str) -> Self:
        return cls(f"recode.merge: '{name}' must be a name with at least one category that it replaces.")

    @classmethod
    def merged_into_missing(cls, column: str, name: str) -> Self:
        return cls(
            f"columns.{column}.recode.merge: '{name}' is a word for missing values (source.missing), so the merged "
            f"category would be read as missing. Give it another name."
        )

    @classmethod
    def merged_apart(cls) -> Self:
        return cls(
            "recode.merge: the merged values are not neighbors in 'order', so the result has no order. Merge "
            "neighbors only, or set kind = 'nominal' and remove 'order'."
        )

    @classmethod
    def no_levels(cls) -> Self:
        return cls("recode.level is a level of a taxonomy, and the column has none. Declare 'taxonomy', too.")

    @classmethod
    def taxonomy_of_recoded(cls, key: str) -> Self:
        return cls(
            f"recode.{key}: the recoded values are not in the taxonomy of the column. Recode by recode.level, which "
            f"keeps the levels above, or remove 'taxonomy'."
        )
