"""Errors of policies."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Self

from shoal.errors.base import ShoalError, install, listed, nearest, policy_key
from shoal.errors.names import NO_HEADER_HINT, hint

NUMBER = re.compile(r"[+-]?\d+(\.\d+)?")
CHOICE = re.compile(r"'([^']+)'")  # a word that a key can be


def _other_case(names: Sequence[str], table_names: Sequence[str]) -> str:
    """The first name that the table has in another case; empty where there is none."""
    by_lowercase = {name.casefold(): name for name in table_names}
    pairs = ((name, by_lowercase.get(name.casefold())) for name in names if name not in table_names)
    return next((f"The table has '{there}' where the policy has '{name}'." for name, there in pairs if there), "")


def is_unquoted(text: str, expected: Sequence[str]) -> bool:
    """Whether this text would be of an expected type if it had no quotes."""
    is_number = "a number" in expected or "a whole number" in expected
    return bool(is_number and NUMBER.fullmatch(text)) or ("true or false" in expected and text in ("true", "false"))


def _weaker(measure: str, nearest: str | None) -> str:
    return "remove the requirement" if nearest is None else f"require {measure} = {nearest}"


class PolicyError(ShoalError, ValueError):
    """The policy is invalid, or does not fit the table: a key, a column, a parameter."""

    def in_file(self, file: Path | None) -> Self:
        """The same error, with the name of the policy file before a key of a column."""
        return type(self)(f"{file.name}, {self}") if file and str(self).startswith("columns.") else self

    @classmethod
    def wrong_type(cls, where: str, expected: Sequence[str], got: object) -> Self:
        """``expected``: what the key can be, such as "a whole number"; several tables of one key are a special case."""
        key = where.rsplit(".", 1)[-1]
        if isinstance(got, Mapping) and list(expected) == ["a list"]:
            return cls(f"{where}: write [[{key}]] in two pairs of brackets, above each of them.")
        many = "a table" if isinstance(got, Mapping) else "a list" if isinstance(got, list | tuple) else None
        shown = many or json.dumps(got, ensure_ascii=False, default=str)
        example = f" For one value: {key} = [{shown}]." if list(expected) == ["a list"] else ""
        quotes = " Remove the quotes." if isinstance(got, str) and is_unquoted(got, expected) else ""
        meant = nearest(got, CHOICE.findall(" ".join(expected))) if isinstance(got, str) else ""
        return cls(f"{where} must be {' or '.join(expected)}, got {shown}.{meant}{example}{quotes}")

    @classmethod
    def unknown_choice(cls, where: str, got: object, known: Sequence[str]) -> Self:
        return cls(f"{where} is {got!r}.{nearest(str(got), known)} It can be: {listed(known)}.")

    @classmethod
    def blocks_part_households(cls) -> Self:
        return cls(
            "blocking.method: blocks would separate the members of a household, or the records of a unit. Set "
            "blocking.method = 'none', or allow them in different groups with method.split_households = true."
        )

    @classmethod
    def one_dimension(cls, n_dimensions: int) -> Self:
        return cls(
            f"blocking.dimensions: blocking.method = 'univariate' divides one column into intervals, but there are "
            f"{n_dimensions}. Name one, or set blocking.method = 'twod_tree'."
        )

    @classmethod
    def repair_of_key_sets(cls) -> Self:
        return cls(
            "blocking.repair: the requirements name different quasi-identifiers, so a record has several groups, and "
            "only one of them could be repaired. Remove it, or give all requirements the same columns."
        )

    @classmethod
    def too_small(cls, where: str, least: float, got: object, reason: str) -> Self:
        return cls(f"{where} must be {least} or more, got {got}: {reason}.")

    @classmethod
    def not_above(cls, where: str, bound: float, got: object, reason: str) -> Self:
        return cls(f"{where} must be a number above {bound}, got {got}: {reason}.")

    @classmethod
    def not_between(cls, where: str, low: float, high: float, got: object, reason: str) -> Self:
        return cls(f"{where} must be above {low} and below {high}, got {got}: {reason}.")

    @classmethod
    def outside(cls, where: str, least: float, most: float, got: object) -> Self:
        return cls(f"{where} must be from {least} to {most}, got {got}.")

    @classmethod
    def suppresses_too_many(cls, share: float, limit: float) -> Self:
        return cls(
            f"method.suppression is {share}, but suppression.limit is {limit}: the method could suppress more records "
            f"than the release may lose. Set suppression.limit = {share}, or method.suppression = {limit}."
        )

    @classmethod
    def only_for(cls, where: str, expected: str, got: str) -> Self:
        return cls(f"{where} is only allowed with {expected}, got {got}. Remove it, or change the other setting.")

    @classmethod
    def nothing_grouped(cls, where: str) -> Self:
        return cls(
            f"{where} applies to groups of records, but method 'none' forms no groups. Remove it, or name a method "
            f"that forms groups, e.g. method.name = 'mdav'."
        )

    @classmethod
    def no_ends(cls, representation: str) -> Self:
        return cls(
            f"output.ends releases the ends of extents, but groups are released as {representation}. Remove it, or set "
            f"output.representation = 'extents'."
        )

    @classmethod
    def odd_toroid(cls, rows: int) -> Self:
        return cls(
            f"map.size has {rows} rows: on a hexagonal toroid, shifted and unshifted rows alternate, so the number of "
            f"rows must be even. Set one row more or less, or lattice = 'rectangular'."
        )

    @classmethod
    def repeated(cls, where: str) -> Self:
        return cls(f"{where} contains a value twice. List every value once.")

    @classmethod
    def two_roles(cls, name: str, first: str, second: str) -> Self:
        return cls(
            f"columns.{name} occurs twice, as {first} and as {second}. A column has one role; "
            f"where two apply, choose the stricter one: identifier, quasi_identifier, sensitive, other."
        )

    @classmethod
    def unknown_column(cls, where: str, name: str, known: Sequence[str]) -> Self:
        return cls(f"{where}: the table has no column '{name}'.{hint(name, known)}")

    @classmethod
    def other_columns(cls, names: Sequence[str], table_names: Sequence[str]) -> Self:
        """The other columns of the table are not shown, unless in another case: its first line may be a record."""
        n_there = len(set(names) & set(table_names))
        found = f"only {n_there}" if n_there else "none"
        return cls(
            f"columns: {found} of the {len(names)} columns of the policy "
            f"{'are' if n_there > 1 else 'is'} in the table, which has {len(table_names)}. Is it another table, or are "
            f"the names spelled differently? {_other_case(names, table_names) or NO_HEADER_HINT}"
        )

    @classmethod
    def unfit_query(cls, name: str, expected: str) -> Self:
        return cls(
            f"the query: column '{name}' is queried by {expected}, because the cut tree holds it so. Give these."
        )

    @classmethod
    def unreadable(cls, path: Path, reason: str) -> Self:
        return cls(f"{path}: the policy cannot be read: {reason}. 'shoal init DATA' writes a draft policy.")

    @classmethod
    def no_toml(cls, name: str, reason: str) -> Self:
        return cls(f"{name} is not valid TOML: {reason}.")

    @classmethod
    def key_twice(cls, name: str, line: int, key: str) -> Self:
        return cls(
            f"{name}, line {line}: '{key}' is there already. A key occurs once in its table, and a table such as "
            f"[columns.NAME] once in the policy: keep one of the two."
        )

    @classmethod
    def one_of(cls, what: str, names: Sequence[str], given: Sequence[str]) -> Self:
        return cls(f"{what} needs exactly one of {listed(names)}, got {listed(given) or 'none'}.")

    @classmethod
    def unlisted_in_policy(cls, where: str, name: str, known: Sequence[str]) -> Self:
        return cls(f"{where}: the policy has no column '{name}'.{nearest(name, known)} It has: {listed(known)}.")

    @classmethod
    def wrong_role(cls, where: str, name: str, expected: str, got: str) -> Self:
        return cls(f"{where}: column '{name}' must have role '{expected}', but it has role '{got}'.")

    @classmethod
    def not_in_classes(cls, where: str, name: str, columns: Sequence[str]) -> Self:
        return cls(f"{where}: classes on {listed(columns)} do not show '{name}'. Add it, or remove 'columns'.")

    @classmethod
    def no_order(cls, where: str, name: str, kind: str) -> Self:
        return cls(
            f"{where} = 'ordered' needs values with an order; column '{name}' is {kind}"
            f"{' without an order' if kind == 'ordinal' else ''}. Set kind = 'numeric' or 'date', or kind = 'ordinal' "
            f"with an order, under columns.{name}; or set distance = 'equal'."
        )

    @classmethod
    def no_tree(cls, where: str, name: str) -> Self:
        return cls(
            f"{where} = 'hierarchical' needs a taxonomy of column '{name}'. Declare one as "
            f"{policy_key('columns', name, 'taxonomy')}, or set distance = 'equal'."
        )

    @classmethod
    def no_tolerance(cls, where: str, got: str) -> Self:
        return cls(
            f"{where} is {got!r}. Write an amount, such as 100, or a share of the value from 0.1 to 100 percent, "
            f"such as '5%'."
        )

    @classmethod
    def tolerates_numbers(cls, where: str, name: str, kind: str) -> Self:
        return cls(
            f"{where}: column '{name}' is {kind}, and only numbers have an amount by which they differ. Set "
            f"kind = 'numeric' under columns.{name}, or remove tolerance."
        )

    @classmethod
    def no_population(cls, where: str) -> Self:
        return cls(
            f"{where} needs the size of the population. Name a file of it as 'population', or the column of weights as "
            f"'column', or set 'sampling_fraction', the records per person of the population. If the table is the "
            f"population itself, use prosecutor_risk."
        )

    @classmethod
    def two_populations(cls, where: str) -> Self:
        return cls(
            f"{where}: 'column' (weights), 'sampling_fraction' and 'population' each state the size of the population. "
            "Keep one."
        )

    @classmethod
    def many_populations(cls, files: Sequence[str]) -> Self:
        return cls(
            f"requirements: 'population' names {len(files)} files, {listed(files)}. The persons of a release are of "
            "one population: name one file."
        )

    @classmethod
    def population_not_read(cls) -> Self:
        return cls(
            "requirements: the file named as 'population' is read by shoal.protect, shoal.verify and the commands, "
            "and not by single methods. Call shoal.protect with a policy."
        )

    @classmethod
    def unfit_for_population(cls, what: str, remedy: str) -> Self:
        return cls(
            f"requirements: 'population' cannot be used with {what}: which persons of the population a class contains "
            f"could not be counted. {remedy}"
        )

    @classmethod
    def no_fraction(cls, where: str, got: object) -> Self:
        return cls(f"{where} must be above 0 and at most 1, got {got}: it is the share of the population in the table.")

    @classmethod
    def no_cells_of_totals(cls, name: str) -> Self:
        return cls(
            f"output.totals_by: the release has means or intervals of '{name}' instead of its values, so there are no "
            f"subtotals to compare. Name '{name}' in 'within', which releases it unchanged, or another column."
        )

    @classmethod
    def no_amounts(cls, where: str, name: str, kind: str) -> Self:
        return cls(f"{where}: column '{name}' is {kind}, and only numbers can be added up. Set kind = 'numeric'.")

    @classmethod
    def no_extents(cls, column: str) -> Self:
        return cls(
            f"minimum_length of '{column}': the release shows points, not intervals or taxonomy nodes of blocks, so no "
            f"class has a length. Remove the requirement, or release the extents of a method that cuts: method.name = "
            f"'mondrian', with output.representation = 'extents'."
        )

    @classmethod
    def no_length_of_blanks(cls, column: str) -> Self:
        return cls(
            f"minimum_length of '{column}': local suppression compares cells and no lengths. Remove the requirement, "
            f"or remove [local_suppression]."
        )

    @classmethod
    def bad_cuts(cls, where: str) -> Self:
        return cls(
            f"{where} must be a number of intervals, or a list of finite numbers or dates; c splits into < c and >= c."
        )

    @classmethod
    def no_target(cls) -> Self:
        return cls("loss = 'classification' needs a target: the column whose values are to be predicted.")

    @classmethod
    def too_many_splits(cls, n_splits: int, most: int) -> Self:
        return cls(
            f"cuts: {n_splits} splits are too many to enumerate their partitions; the maximum is {most}. Declare with "
            f"'cuts' where numbers may be cut, or declare taxonomies."
        )

    @classmethod
    def no_priority(cls) -> Self:
        return cls("priority: the function returned a value that is not a finite number; partitions cannot be ordered.")

    @classmethod
    def not_native(cls, name: str) -> Self:
        return cls(f"{name}: gensearch needs a compiled test of every requirement; this one has none. Use 'mondrian'.")

    @classmethod
    def loss_too_large(cls, loss: str) -> Self:
        return cls(
            f"loss = '{loss}': the sum over all records exceeds 2^53, so it is not exact and nothing could be "
            "proved. Declare fewer cuts of numeric columns, or set loss = 'discernibility'."
        )

    @classmethod
    def other_requirements(cls, proved: Sequence[str]) -> Self:
        return cls(f"the certificate proves other requirements: {listed(proved)}. Check it with these.")

    @classmethod
    def first_records_fail(
        cls, name: str, measure: str, required: float, reached: float, nearest: str | None, unit: str
    ) -> Self:
        return cls(
            f"{name}: not even all records as a single block satisfy {measure} = {required:g}; they reach {reached:g}. "
            f"Generalization counts only the first record of every unit of '{unit}'. Use a method that counts "
            f"whole units, such as mdav, {_weaker(measure, nearest)}, or use other records."
        )

    @classmethod
    def nothing_holds(cls, name: str, measure: str, required: float, reached: float, nearest: str | None) -> Self:
        """``nearest``: the strictest value that they meet; None: there is none that could be required."""
        weaker = _weaker(measure, nearest)
        return cls(
            f"{name}: not even all records as a single block satisfy {measure} = {required:g}; they reach {reached:g}, "
            f"and no cut can improve on that without suppressing records. {weaker[0].upper()}{weaker[1:]}, or use "
            "other records."
        )

    @classmethod
    def no_second_table(cls) -> Self:
        return cls("output.representation is 'anatomy': the proof also needs the second table. Pass it as 'sensitive'.")

    @classmethod
    def no_length(cls, name: str) -> Self:
        return cls(
            f"minimum_length of '{name}': it cannot be read from a release if the taxonomy of the column is generated "
            "by a rule. Remove the taxonomy (numbers and dates have a length without one), or give it as a file."
        )

    @classmethod
    def no_quasi_identifier(cls) -> Self:
        return cls(
            "no column has role 'quasi_identifier', so there is nothing to protect. "
            "Which columns could an intruder know from elsewhere? Give them this role."
        )

    @classmethod
    def nothing_sensitive(cls, method: str) -> Self:
        return cls(
            f"{method} hides the values of sensitive columns, but no column has role 'sensitive'. "
            f"Which columns must nobody learn about a person? Give them this role."
        )

    @classmethod
    def no_k_of_groups(cls, method: str) -> Self:
        return cls(
            f"method: '{method}' forms groups of k records, and no k is given. Set method.k = 5, or require "
            f"k-anonymity: [[requirements]] name = 'k_anonymity', k = 5."
        )

    @classmethod
    def no_class_fails(cls, requirements: Sequence[str]) -> Self:
        asked = f"{listed(requirements)} limits a figure of the whole release" if requirements else "there is none"
        return cls(
            f"requirements: {asked}, so that the method may release every record as a class of its own. Require "
            f"k-anonymity: [[requirements]] name = 'k_anonymity', k = 5."
        )

    @classmethod
    def in_no_key_set(cls, names: Sequence[str]) -> Self:
        return cls(
            f"requirements: every requirement names its columns, but none names {listed(names)}. Add one for them, or "
            "remove 'columns' from one: it then applies to all quasi-identifiers."
        )

    @classmethod
    def one_key_set(cls, where: str, n_sets: int) -> Self:
        return cls(
            f"{where}: the requirements name {n_sets} disjoint sets of columns, but this option allows only one."
        )

    @classmethod
    def noise_of_two_levels(cls, of_households: Sequence[str]) -> Self:
        return cls(
            f"perturbations: correlated noise is added to columns of households and of persons together. A column "
            f"that a household shares ({', '.join(of_households)}) gets the same noise for all members, which cannot "
            f"be correlated with the noise of each. Give it a separate perturbation, or set kind = 'independent'."
        )

    @classmethod
    def units_of_wildcards(cls, unit: str) -> Self:
        return cls(
            f"local_suppression.blanks: where a blank may be any value, records are counted and not units, but "
            f"columns.{unit} says which records belong to one unit. Set blanks = 'value', or give the column role = "
            f"'identifier', which drops it."
        )

    @classmethod
    def unlisted_columns(cls, names: Sequence[str]) -> Self:
        return cls(
            f"the table has columns that the policy does not name: {listed(names)}. Give each a role: "
            f"'identifier' drops it, 'other' releases it unchanged."
        )

    @classmethod
    def unreadable_formula(cls, formula: str, reason: str, position: int | None) -> Self:
        """``position``: of the character that cannot be read, from 1."""
        where = "" if position is None else f" at character {position}"
        return cls(
            f"the formula '{formula}' cannot be read{where}: {reason}. Write it as: income ~ age + sex + age:sex"
        )

    @classmethod
    def not_released(cls, where: str, name: str, role: str) -> Self:
        return cls(
            f"{where}: column '{name}' has role '{role}' and is not released as it is, so no analysis of it can be "
            f"compared. Name another column."
        )

    @classmethod
    def named_twice(cls, where: str, name: str) -> Self:
        return cls(f"{where}: '{name}' is the name of an earlier analysis. Give every analysis a name of its own.")

    @classmethod
    def missing_package(cls, name: str) -> Self:
        return cls(
            f"analyses: '{name}' predicts a target, which needs scikit-learn. {install('analyses')}. Or write a "
            "formula, which needs nothing."
        )
