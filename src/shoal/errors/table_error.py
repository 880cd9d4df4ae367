"""Errors of the values of a table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

from shoal.errors.base import ShoalError, listed, policy_key


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
            f"If they are codes, set kind = 'nominal'; if they identify persons, set role = 'identifier'."
        )

    @classmethod
    def infinite(cls, column: str) -> Self:
        return cls(
            f"columns.{column} has infinite values, which have no mean. "
            "Set them to missing, or replace them by a bound."
        )

    @classmethod
    def too_large(cls, column: str, most: float) -> Self:
        return cls(
            f"columns.{column} has numbers beyond {most:g}: nothing can be computed with them, since their squares "
            "overflow. If they stand for unknown values, add them to missing under [source]; otherwise correct "
            "them in the table."
        )

    @classmethod
    def no_numeric_column(cls) -> Self:
        return cls(
            "the table has no numeric column, so no map can be computed. Pass a policy: the map then uses its "
            "quasi-identifiers of every kind. 'shoal init DATA' writes a policy."
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
            f"columns.{column}: {n} dates are before the year 1 or after 9999. "
            f"If they are codes for unknown values, set them to missing; otherwise correct them."
        )

    @classmethod
    def not_comparable(cls, column: str) -> Self:
        return cls(
            f"columns.{column}: its cells are not single values, so they cannot be compared. "
            f"Split it into columns, or set role = 'identifier' to drop it."
        )

    @classmethod
    def invalid_weights(cls, column: str, n: int) -> Self:
        return cls(
            f"columns.{column}: {n} weights are missing, zero or negative. A weight is the number of persons that a "
            f"record represents. Correct them, or set role = 'other' to release the column without weighting by it."
        )

    @classmethod
    def all_missing(cls, column: str) -> Self:
        return cls(f"columns.{column}: every value is missing. Set role = 'identifier' to drop the column.")

    @classmethod
    def outside_order(cls, column: str, n_values: int, n_records: int) -> Self:
        return cls(
            f"columns.{column}.order: {n_values} values of the column, in {n_records} records, are not in the order. "
            f"Add them where they belong, or list the marks of missing values in [source]."
        )

    @classmethod
    def not_in_order(cls, column: str, n_values: int) -> Self:
        return cls(f"columns.{column}.order: {n_values} values are not in the order. Add them where they belong.")

    @classmethod
    def too_wide(cls, n_records: int, d: int, most: int) -> Self:
        return cls(
            f"{n_records} records with {d} coordinates need {n_records * d * 8 / 2**30:.1f} GiB, more than "
            f"{most / 2**30:.0f}: every nominal value is a coordinate. Use coarser values, or fewer nominal columns."
        )

    @classmethod
    def too_many_values(cls, column: str, n: int, most: int) -> Self:
        return cls(
            f"columns.{column}: {n} different nominal values, more than {most}: nearly every record would be alone. "
            f"Use coarser values, set kind = 'ordinal' if their order is meaningful, or role = 'identifier'."
        )

    @classmethod
    def k_above_n(cls, k: int, n_records: int, row: str = "k") -> Self:
        """``row``: of the policy, which states k."""
        if n_records == 0:
            return cls("the table has no records, so there is nothing to protect. Give a table with records.")
        remedy = f"Set {row} = {n_records} or less, or add records." if n_records > 1 else "Add records."
        return cls(f"{row} = {k} needs at least {k} records, but the table has {n_records}. {remedy}")

    @classmethod
    def k_above_units(cls, k: int, n_units: int) -> Self:
        return cls(
            f"k = {k} needs at least {k} different units, but the records are of {n_units}. Set k = {n_units} or less, "
            f"or add records."
        )

    @classmethod
    def no_records(cls) -> Self:
        return cls("the table has no records, so there is nothing to count. Give a table with records.")

    @classmethod
    def name_taken(cls, name: str, purpose: str) -> Self:
        return cls(f"the table has a column '{name}', which is the name of a column that {purpose} adds. Rename it.")

    @classmethod
    def unknown_values(cls, column: str, n_values: int, n_records: int) -> Self:
        return cls(
            f"column '{column}': {n_values} values, in {n_records} records, are unknown to the plan. "
            f"Compute the plan from a table that contains them, or use a taxonomy that contains them."
        )

    @classmethod
    def unexpected_missing(cls, column: str, n_records: int) -> Self:
        return cls(
            f"column '{column}': {n_records} values are missing, but no value was missing where the plan was computed. "
            f"Fill them, or compute the plan from a table that has missing values."
        )

    @classmethod
    def invalid_counts(cls, n_rows: int) -> Self:
        what = f"{n_rows} rows with a negative count" if n_rows else "no records"
        return cls(
            f"the table of combinations has {what}. Its last column must be the number of records with each "
            "combination, 0 or more."
        )

    @classmethod
    def differs_in_household(cls, column: str, n_households: int) -> Self:
        return cls(
            f"columns.{column}: level = 'household', but members of {n_households} households have different values. "
            f"Correct them, or remove the level."
        )

    @classmethod
    def shared_in_household(cls, column: str, n_households: int) -> Self:
        return cls(
            f"columns.{column}: all members of each of {n_households} households have the same value, which a "
            f"requirement protects: the classes of several members together could reveal it. Set "
            f"{policy_key('columns', column, 'level')} = 'household', so that households are grouped as a whole."
        )

    @classmethod
    def repeated_pseudonym(cls, column: str, n_values: int, n_records: int) -> Self:
        return cls(
            f"columns.{column}: {n_values} of its values occur in several records, {n_records} in all. A pseudonym "
            f"would link the records of a person, and the classes of these records together distinguish persons. "
            f"Set role = 'unit' (dropped, and counted by requirements) or 'household' (numbered where k others have "
            f"the same composition), or remove the pseudonym."
        )

    @classmethod
    def unit_count_differs(cls, n_records: int, n_units: int) -> Self:
        return cls(
            f"the release has {n_records} records, but units are given for {n_units}. Give the unit of every record."
        )

    @classmethod
    def amount_count_differs(cls, n_records: int, n_amounts: int) -> Self:
        return cls(
            f"the release has {n_records} records, but amounts are given for {n_amounts}. Give those of every record."
        )

    @classmethod
    def invalid_cut_tree(cls) -> Self:
        return cls(
            "this is not a valid cut tree: parents must come before their children, and the children of a node must "
            "divide its whole part of one column among them. Write it again with to_json()."
        )

    @classmethod
    def too_many_combinations(cls, names: Sequence[str]) -> Self:
        return cls(
            f"columns {listed(names)}: together they have too many different values to be distinguished in 128 bits. "
            f"Use coarser values, or set role = 'identifier' for columns that distinguish nearly all records."
        )

    @classmethod
    def combinations_differ(cls) -> Self:
        return cls(
            "the records of the table are not those for which the suppressed cells were chosen. Count its combinations "
            "again."
        )

    @classmethod
    def population_too_small(cls, n_population: int, n_released: int) -> Self:
        return cls(
            f"the population has {n_population:,} persons and the release {n_released:,}: a population holds everybody "
            "of the release. Give the whole population, or counts of it in a column 'count'."
        )

    @classmethod
    def population_lacks(cls, names: Sequence[str]) -> Self:
        return cls(
            f"the population has no column {listed(names)}. It needs every quasi-identifier of the release, under the "
            "same name and with values as in the original."
        )

    @classmethod
    def population_counts(cls, column: str, n: int) -> Self:
        return cls(
            f"the population: {n:,} cells of '{column}' are not whole numbers from 0. Each is the number of persons "
            "with a combination of quasi-identifiers; correct them, or rename the column if it has another meaning."
        )

    @classmethod
    def not_compared(cls, name: str) -> Self:
        return cls(
            f"column '{name}': the release has no such column, or its cells cannot be compared with the original. Name "
            f"another one under [[analyses]]."
        )

    @classmethod
    def blurred_target(cls, name: str, percent: float) -> Self:
        return cls(
            f"column '{name}': {percent:.3g} % of its released cells are no single value of the original, but means, "
            f"nodes or sets of values, so it cannot be predicted. Explain another column under [[analyses]]."
        )

    @classmethod
    def many_valued_target(cls, name: str, n_values: int) -> Self:
        return cls(
            f"column '{name}' has {n_values} values, and a formula explains numbers or one of two values. Write "
            f"target = '{name}' instead of the formula."
        )

    @classmethod
    def constant_target(cls, name: str, table: str) -> Self:
        return cls(f"column '{name}': all records of the {table} that could be used have the same value.")

    @classmethod
    def separated_target(cls, name: str, table: str) -> Self:
        return cls(
            f"column '{name}': in the {table}, other columns of the formula tell its two values apart without error, "
            f"so that there is no finite estimate. Remove such a column from the formula."
        )

    @classmethod
    def too_few_for_analysis(cls, least: int) -> Self:
        return cls(
            f"fewer than {least} records that know all columns of the analysis are left to fit or to hold out. Name "
            f"fewer columns under [[analyses]]."
        )

    @classmethod
    def constant_held_out(cls) -> Self:
        return cls("all records that were held out have the same value, so that nothing can be predicted.")

    @classmethod
    def no_features(cls) -> Self:
        return cls("no column that predicts the target has a known value. Name others as features under [[analyses]].")
