"""Errors of the values of a table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

from shoal.errors.base import ShoalError, listed


class TableError(ShoalError, ValueError):
    """The values of a table do not fit what the policy declares. Messages show counts, never values."""

    @classmethod
    def not_numeric(cls, column: str, found: str) -> Self:
        return cls(
            f"columns.{column}: declared numeric or date, but the table holds {found}. "
            f"Set kind = 'nominal' or 'ordinal', or convert the column."
        )

    @classmethod
    def integer_too_large(cls, column: str, n: int) -> Self:
        return cls(
            f"columns.{column}: {n} integers are beyond 2^53 and cannot be averaged exactly. "
            f"If they are codes set kind = 'nominal', if they name persons set role = 'identifier'."
        )

    @classmethod
    def infinite(cls, column: str, n: int) -> Self:
        return cls(
            f"columns.{column}: {n} values are infinite; they have no mean. "
            f"Make them missing, or put a bound in their place."
        )

    @classmethod
    def too_large(cls, column: str, n: int, most: float) -> Self:
        return cls(
            f"columns.{column}: {n} values are beyond {most:g}; their squares are no numbers. "
            f"Are they codes for 'not known'? Make them missing, or put a bound in their place."
        )

    @classmethod
    def no_numeric_column(cls) -> Self:
        return cls(
            "the table has no column of numbers to make a map of. Give a policy: its quasi-identifiers of every kind "
            "are mapped; 'shoal init DATA' writes one."
        )

    @classmethod
    def not_dates(cls, column: str, found: str) -> Self:
        return cls(
            f"columns.{column}: declared date, but the table holds {found}. "
            f"Set kind = 'numeric', or convert the column."
        )

    @classmethod
    def dates_out_of_range(cls, column: str, n: int) -> Self:
        return cls(
            f"columns.{column}: {n} dates are before the year 1 or after 9999. Are they codes for 'not known'? "
            f"Make them missing, or mend them."
        )

    @classmethod
    def not_comparable(cls, column: str) -> Self:
        return cls(
            f"columns.{column}: its cells are no single values, so they cannot be compared. "
            f"Make columns of their parts, or set role = 'identifier' to drop it."
        )

    @classmethod
    def invalid_weights(cls, column: str, n: int) -> Self:
        return cls(
            f"columns.{column}: {n} weights are missing, zero or negative. A weight says how many persons a record "
            f"stands for; mend them, or set role = 'other' to release the column and not to weigh."
        )

    @classmethod
    def all_missing(cls, column: str) -> Self:
        return cls(f"columns.{column}: every value is missing. Set role = 'identifier' to drop the column.")

    @classmethod
    def outside_order(cls, column: str, n_values: int, n_records: int) -> Self:
        return cls(
            f"columns.{column}.order: {n_values} values of the column, in {n_records} records, are not in the order. "
            f"Add them where they belong, or declare what means missing in [source]."
        )

    @classmethod
    def not_in_order(cls, column: str, n_values: int) -> Self:
        return cls(f"columns.{column}.order: {n_values} values are not in the order. Add them where they belong.")

    @classmethod
    def too_wide(cls, n_records: int, d: int, most: int) -> Self:
        return cls(
            f"{n_records} records with {d} coordinates need {n_records * d * 8 / 2**30:.1f} GiB, more than "
            f"{most / 2**30:.0f}: every nominal value is a coordinate. Give coarser values, or fewer nominal columns."
        )

    @classmethod
    def too_many_values(cls, column: str, n: int, most: int) -> Self:
        return cls(
            f"columns.{column}: {n} different nominal values, more than {most}: nearly every record would stand alone. "
            f"Give coarser values, set kind = 'ordinal' if their order means something, or role = 'identifier'."
        )

    @classmethod
    def k_above_n(cls, k: int, n_records: int) -> Self:
        return cls(f"k = {k} needs at least {k} records, the table has {n_records}. Lower k or bring more records.")

    @classmethod
    def name_taken(cls, name: str, purpose: str) -> Self:
        return cls(f"the table has a column '{name}', which is the name of a column that {purpose} adds. Rename it.")

    @classmethod
    def unknown_values(cls, column: str, n_values: int, n_records: int) -> Self:
        return cls(
            f"column '{column}': {n_values} values, in {n_records} records, are none that the plan knows. "
            f"Make the plan from a table that has them, or give a taxonomy that holds them."
        )

    @classmethod
    def unexpected_missing(cls, column: str, n_records: int) -> Self:
        return cls(
            f"column '{column}': {n_records} values are missing, and the plan was made where none was. "
            f"Fill them, or make the plan from a table that has them."
        )

    @classmethod
    def invalid_counts(cls, n_rows: int) -> Self:
        what = f"{n_rows} rows have fewer than 0 records" if n_rows else "it has no record"
        return cls(f"the table of combinations: {what}. Its last column says how many records have each, 0 or more.")

    @classmethod
    def differs_in_household(cls, column: str, n_households: int) -> Self:
        return cls(
            f"columns.{column}: level = 'household', but members of {n_households} households have different values. "
            f"Mend them, or remove the level."
        )

    @classmethod
    def repeated_pseudonym(cls, column: str, n_values: int, n_records: int) -> Self:
        return cls(
            f"columns.{column}: {n_values} of its values stand in several records, {n_records} in all. One pseudonym "
            f"for them would tie the records of a person, and the classes of these together tell persons apart. "
            f"Set role = 'unit' (dropped, and counted by requirements) or 'household' (numbered where k others are "
            f"composed alike), or remove the pseudonym."
        )

    @classmethod
    def unit_count_differs(cls, n_records: int, n_units: int) -> Self:
        return cls(
            f"the release has {n_records} records, and units are told of {n_units}. Tell the unit of every record."
        )

    @classmethod
    def invalid_cut_tree(cls) -> Self:
        return cls(
            "this is no cut tree: parents must come before their children, and the children of a node must divide "
            "all of its part of one column among them. Write it anew with to_json()."
        )

    @classmethod
    def too_many_combinations(cls, names: Sequence[str]) -> Self:
        return cls(
            f"columns {listed(names)}: together they have too many different values to be told apart in 128 bits. "
            f"Give coarser values, or set role = 'identifier' for columns that tell nearly all records apart."
        )

    @classmethod
    def combinations_differ(cls) -> Self:
        return cls(
            "the table has other records than those that the blanks were chosen for. Count its combinations again."
        )
