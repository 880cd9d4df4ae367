"""Every complaint of Shoal, worded in one place.

A message says what is wrong, where, what was there, and what to do; it never shows a cell value of the data.
The exit code is what the shell sees: 1 a requirement does not hold, 2 bad input or policy.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import Self


class ShoalError(Exception):
    """The one to catch: everything Shoal refuses is a subclass of it."""

    exit_code = 2

    @classmethod
    def unforeseen(cls, error: Exception) -> Self:
        """A fault of Shoal itself. The text of the error is left out: it may show a cell value."""
        at = error.__traceback__
        while at is not None and at.tb_next is not None:
            at = at.tb_next
        where = f"{Path(at.tb_frame.f_code.co_filename).name}, line {at.tb_lineno}" if at else "unknown"
        return cls(
            f"this should not happen: {type(error).__name__} in {where}. Nothing was released. Please report it; "
            f"with SHOAL_TRACEBACK=1 set, Shoal shows more, which may include values of your data."
        )


def listed(names: Iterable[object], most: int = 12) -> str:
    """``a, b, c`` and how many more, so that a message never fills a screen."""
    shown = [str(name) for name in names]
    rest = len(shown) - most
    return ", ".join(shown[:most]) + (f" and {rest} more" if rest > 0 else "")


def nearest(name: str, known: Sequence[str]) -> str:
    """A hint for a misspelled name, empty where nothing is near."""
    close = get_close_matches(name, known, n=1, cutoff=0.6)
    return f" Did you mean '{close[0]}'?" if close else ""


class SourceError(ShoalError):
    """A file or dataframe cannot be read, or a release cannot be written."""

    @classmethod
    def same_target(cls) -> Self:
        return cls("release, manifest, report and mapping must be different files.")

    @classmethod
    def not_empty(cls, folder: Path) -> Self:
        return cls(f"{folder} holds files that are not of a demo. Choose another folder with --folder.")

    @classmethod
    def not_found(cls, path: Path) -> Self:
        return cls(f"{path}: there is no such file. Check the path; it is taken from the current folder.")

    @classmethod
    def is_folder(cls, path: Path) -> Self:
        return cls(f"{path} is a folder. Name a file in it.")

    @classmethod
    def no_permission(cls, path: Path) -> Self:
        return cls(f"{path}: you may not read this file. Ask its owner, or change its permissions.")

    @classmethod
    def unknown_format(cls, path: Path, known: Iterable[str]) -> Self:
        return cls(
            f"{path}: '{path.suffix}' names no format that Shoal knows. Known: {listed(known, most=30)}; "
            "CSV also with .gz, .bz2, .zst or .xz after it."
        )

    @classmethod
    def unknown_object(cls, source: object) -> Self:
        return cls(
            f"{type(source).__module__}.{type(source).__qualname__} is no table. Give a path, a dataframe "
            "(pandas, polars, Arrow, DuckDB or any other with the Arrow interface), or a dict of columns."
        )

    @classmethod
    def empty(cls, path: Path) -> Self:
        return cls(f"{path} is empty. There is nothing to read.")

    @classmethod
    def no_records(cls, path: Path) -> Self:
        return cls(f"{path} holds names of columns but no records. There is nothing to protect.")

    @classmethod
    def damaged(cls, path: Path) -> Self:
        return cls(
            f"{path}: this is no valid {path.suffix} file, or only a part of one. Was the copy or download complete?"
        )

    @classmethod
    def not_text(cls, path: Path) -> Self:
        return cls(
            f"{path} is not text: it holds NUL or other control characters. If it is of another format, "
            "give it that extension; if it is text of another encoding, declare it: encoding = 'utf-16'."
        )

    @classmethod
    def not_decodable(cls, path: Path, encoding: str) -> Self:
        return cls(
            f"{path}: some bytes are not valid {encoding}. Declare the encoding it was written in, "
            "for example encoding = 'cp1252' or 'latin-1'."
        )

    @classmethod
    def wrong_delimiter(cls, path: Path, declared: str, other: str, n_columns: int) -> Self:
        return cls(
            f"{path}: with delimiter {declared!r} the file is one single column; with {other!r} it has "
            f"{n_columns}. Declare delimiter = {other!r}, or leave it out."
        )

    @classmethod
    def ragged(cls, path: Path, n_columns: int, lines: list[int], sizes: list[int], n_odd: int) -> Self:
        shown = ", ".join(f"line {line} has {size}" for line, size in zip(lines, sizes, strict=True))
        more = f" and {n_odd - len(lines)} more lines are wrong" if n_odd > len(lines) else ""
        return cls(
            f"{path}: every line should have {n_columns} cells, as the first has, but {shown}{more}. "
            "Is a cell that holds a delimiter not quoted, or the delimiter not the declared one?"
        )

    @classmethod
    def unclosed_quote(cls, path: Path, line: int) -> Self:
        return cls(
            f"{path}: a quote that opens in the record at line {line} never closes. Close it, or "
            "declare quote = '' if quotes in this file are plain characters."
        )

    @classmethod
    def reserved_columns(cls, where: object, names: Sequence[str]) -> Self:
        return cls(f"{where}: Shoal keeps these names of columns for itself: {listed(names)}. Rename them.")

    @classmethod
    def repeated_columns(cls, where: object, names: Sequence[str]) -> Self:
        return cls(f"{where}: several columns have the same name: {listed(names)}. Rename all but one.")

    @classmethod
    def repeated_in_first_line(cls, path: Path, places: Sequence[int]) -> Self:
        """By place: where the first line is a record after all, its words are cells."""
        return cls(
            f"{path}: several columns have the same name: columns {listed(places)}. Rename all but one; "
            "if the first line is a record, declare header = false under [source]."
        )

    @classmethod
    def unfit_names(cls, where: object, places: Sequence[int]) -> Self:
        return cls(f"{where}: the names of columns {listed(places)} are not valid Unicode. Rename them.")

    @classmethod
    def not_unicode(cls, where: object, column: str) -> Self:
        return cls(
            f"{where}, column '{column}': some of its texts are not valid Unicode (they hold halves of characters, or "
            "bytes of another encoding). Read the original with its right encoding, or remove them."
        )

    @classmethod
    def no_column(cls, where: object, column: str) -> Self:
        return cls(f"{where}, column '{column}': this is no column. Give a list or an array with a value per record.")

    @classmethod
    def wrong_option(cls, option: str, reason: str) -> Self:
        return cls(f"{option}: {reason}.")

    @classmethod
    def unknown_columns(cls, where: object, names: Sequence[str], there: Sequence[str]) -> Self:
        return cls(
            f"{where}: there is no column '{names[0]}'.{nearest(names[0], there)}"
            + (f" Nor: {listed(names[1:])}." if names[1:] else "")
            + f" It has: {listed(there)}."
        )

    @classmethod
    def unequal_columns(cls, where: object, lengths: Mapping[str, int]) -> Self:
        shown = listed(f"{name} {n}" for name, n in lengths.items())
        return cls(f"{where}: all columns must have the same number of records, got {shown}.")

    @classmethod
    def mixed_column(cls, where: object, column: str) -> Self:
        return cls(
            f"{where}, column '{column}': its values are of several types, or of one that has no Arrow type. "
            "Convert it to numbers, dates or text."
        )

    @classmethod
    def misfits(cls, where: object, column: str, kind: str, wanted: str, n: int, place: str) -> Self:
        cells = "1 cell holds" if n == 1 else f"{n} cells hold"
        written = "say how dates are written in `date_format`, such as '%d.%m.%Y', " if kind == "date" else ""
        return cls(
            f"{where}, column '{column}': declared {kind}, but {cells} no {wanted} ({place}"
            f"{', ...' if n > place.count(',') + 1 else ''}). Under [source], {written}list what means missing "
            "in `missing`; or correct the cells, or declare another kind."
        )

    @classmethod
    def unknown_sheet(cls, path: Path, sheet: str, there: Sequence[str]) -> Self:
        return cls(f"{path}: there is no sheet '{sheet}'.{nearest(sheet, there)} It has: {listed(there)}.")

    @classmethod
    def needs_extra(cls, path: Path, package: str) -> Self:
        return cls(f"{path}: {path.suffix} files need {package}. Install it with: pip install 'shoal[stat]'")

    @classmethod
    def cannot_write(cls, path: Path, known: Iterable[str]) -> Self:
        return cls(f"{path}: Shoal reads {path.suffix} but cannot write it. Write {listed(known)} instead.")

    @classmethod
    def cannot_write_column(cls, column: str, format_: str, reason: str) -> Self:
        return cls(f"column '{column}' cannot be written as {format_}: {reason}. Parquet takes any column.")

    @classmethod
    def refused(cls, path: Path) -> Self:
        return cls(
            f"{path}: a {path.suffix} file cannot hold this table. Names of columns must begin with a letter "
            "and hold no spaces, and have at most 32 characters. Parquet takes any table."
        )

    @classmethod
    def too_long_for_sheet(cls, path: Path, n_records: int, most: int) -> Self:
        return cls(f"{path}: a sheet holds {most} records, the table has {n_records}. Write Parquet or CSV.")

    @classmethod
    def no_folder(cls, path: Path) -> Self:
        return cls(f"{path}: there is no folder {path.parent}. Make it first.")

    @classmethod
    def folder_not_writable(cls, path: Path) -> Self:
        return cls(f"{path}: you may not write to the folder {path.parent}. Choose another.")

    @classmethod
    def exists(cls, path: Path) -> Self:
        return cls(f"{path} is already there. Choose another name, or replace it with --force (in Python force=True).")

    @classmethod
    def would_replace_input(cls, path: Path) -> Self:
        return cls(f"{path} is the input. A release never replaces the original: choose another name.")

    @classmethod
    def of_the_system(cls, error: OSError) -> Self:
        return cls(f"{error.filename or 'a file'}: {error.strerror or type(error).__name__}, says the system.")

    @classmethod
    def disk_full(cls, path: Path) -> Self:
        return cls(f"{path}: the disk is full. Nothing was written; make room, or choose another folder.")


class ArrayError(ShoalError, ValueError):
    """An array handed to a function that works on arrays does not fit."""

    @classmethod
    def not_a_matrix(cls, name: str, shape: tuple[int, ...]) -> Self:
        return cls(f"{name} must have two dimensions, (n_records, n_columns), got shape {shape}.")

    @classmethod
    def not_a_vector(cls, name: str, shape: tuple[int, ...]) -> Self:
        return cls(f"{name} must have one dimension, one value per record, got shape {shape}.")

    @classmethod
    def not_numeric(cls, name: str, dtype: object) -> Self:
        return cls(f"{name} must hold numbers, got dtype {dtype}. Encode categories first, or use shoal.protect.")

    @classmethod
    def empty(cls, name: str, shape: tuple[int, ...]) -> Self:
        return cls(f"{name} is empty: shape {shape}. There is nothing to group.")

    @classmethod
    def not_finite(cls, name: str, n_unfit: int, n_nan: int) -> Self:
        return cls(
            f"{name} has {n_nan} NaN and {n_unfit - n_nan} infinite values. Array functions refuse both: "
            f"impute or drop them first, or use shoal.protect, which has a rule for missing values."
        )

    @classmethod
    def not_labels(cls, shape: tuple[int, ...], dtype: object) -> Self:
        return cls(f"labels must be one integer per record, got shape {shape} and dtype {dtype}.")

    @classmethod
    def labels_with_gaps(cls) -> Self:
        return cls("labels must number the groups 0, 1, ... with no group left empty.")

    @classmethod
    def bad_members(cls, n_units: int, shape: tuple[int, ...], dtype: object) -> Self:
        return cls(f"members must be a whole number of 1 or more for each of {n_units} rows, got {shape} and {dtype}.")

    @classmethod
    def other_length(cls, n_labels: int, n_records: int) -> Self:
        return cls(f"the partition is of {n_labels} records, the array has {n_records}.")

    @classmethod
    def other_width(cls, n_grouped: int, n_columns: int) -> Self:
        return cls(f"there are groups for {n_grouped} columns, the array has {n_columns}.")

    @classmethod
    def bad_k(cls, k: object) -> Self:
        return cls(f"k must be an integer of 2 or more, got {k!r}: a group of one record protects nobody.")

    @classmethod
    def k_above_n(cls, k: int, n_records: int) -> Self:
        return cls(f"k = {k} needs at least {k} records, there are {n_records}. Lower k or bring more records.")

    @classmethod
    def too_small(cls, name: str, least: int, given: object) -> Self:
        return cls(f"{name} must be {least} or more, got {given!r}.")

    @classmethod
    def two_budgets(cls) -> Self:
        return cls("give seconds or proposals, not both: a search has one budget.")

    @classmethod
    def group_below_k(cls, k: int, smallest: int, n_small: int) -> Self:
        return cls(f"{n_small} groups have fewer than k = {k} records; the smallest has {smallest}.")


class DatasetError(ShoalError):
    """A reference set is missing or not the published one, or a generator is asked for the impossible."""

    @classmethod
    def missing(cls, file: str, named: Path | None, cache: Path, origin: str) -> Self:
        given = f"the folder of SHOAL_DATA ({named})" if named else "the folder of SHOAL_DATA (not set)"
        return cls(
            f"{file}: not found in {given} nor in the cache ({cache}). Shoal never opens a network "
            f"connection, so bring it there yourself, under this very name and subfolder. Origin: {origin}"
        )

    @classmethod
    def unreadable(cls, path: Path, n_columns: int, delimiter: str) -> Self:
        return cls(
            f"{path}: cannot be read as a table of {n_columns} columns separated by '{delimiter}'. "
            f"Bring the published file again."
        )

    @classmethod
    def no_columns(cls, path: Path, names: Sequence[str]) -> Self:
        return cls(f"{path}: the published columns {listed(names)} are not there. Bring the published file again.")

    @classmethod
    def other_records(cls, path: Path, n_records: int, published: int) -> Self:
        return cls(f"{path}: {n_records} records, the published set has {published}. Bring the published file again.")

    @classmethod
    def other_content(cls, path: Path, names: Sequence[str]) -> Self:
        return cls(
            f"{path}: the shape is right, but these columns differ from the published ones: {listed(names)}. "
            f"Bring the published file again, with its records in their order."
        )

    @classmethod
    def other_taxonomy(cls, path: Path) -> Self:
        return cls(f"{path}: not the published hierarchy. Bring the published file again.")

    @classmethod
    def bad_argument(cls, name: str, wanted: str, got: object) -> Self:
        return cls(f"{name} must be {wanted}, got {got!r}.")


class TableError(ShoalError, ValueError):
    """The values of a table do not fit what the policy says of them. Counts, never values."""

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
    def no_date(cls, column: str, found: str) -> Self:
        return cls(
            f"columns.{column}: declared date, but the table holds {found}. "
            f"Set kind = 'numeric', or convert the column."
        )

    @classmethod
    def not_comparable(cls, column: str) -> Self:
        return cls(
            f"columns.{column}: its cells are no single values, so they cannot be compared. "
            f"Make columns of their parts, or set role = 'identifier' to drop it."
        )

    @classmethod
    def unfit_weights(cls, column: str, n: int) -> Self:
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


class PolicyError(ShoalError, ValueError):
    """The policy asks for something that cannot be: a key, a column, a parameter."""

    def in_file(self, file: Path | None) -> Self:
        """The same complaint, with the name of the policy before its key."""
        return type(self)(f"{file.name}, {self}") if file and str(self).startswith("columns.") else self

    @classmethod
    def unknown_choice(cls, where: str, got: object, known: Sequence[str]) -> Self:
        return cls(f"{where} is {got!r}.{nearest(str(got), known)} It can be: {listed(known)}.")

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
    def only_for(cls, where: str, wanted: str, got: str) -> Self:
        return cls(f"{where} goes with {wanted}, here {got}. Remove it or change the other.")

    @classmethod
    def repeated(cls, where: str) -> Self:
        return cls(f"{where} names a value twice. List every value once.")

    @classmethod
    def two_roles(cls, name: str, first: str, second: str) -> Self:
        return cls(
            f"columns.{name} is there twice, as {first} and as {second}. A column has one role; "
            f"where two apply take the stricter: identifier, quasi_identifier, sensitive, other."
        )

    @classmethod
    def unknown_column(cls, where: str, name: str, known: Sequence[str]) -> Self:
        return cls(f"{where}: the table has no column '{name}'.{nearest(name, known)} It has: {listed(known)}.")

    @classmethod
    def unreadable(cls, path: Path, reason: str) -> Self:
        return cls(f"{path}: the policy cannot be read: {reason}. 'shoal init DATA' writes one to start from.")

    @classmethod
    def no_toml(cls, name: str, reason: str) -> Self:
        return cls(f"{name} is not TOML: {reason}.")

    @classmethod
    def key_twice(cls, name: str, reason: str) -> Self:
        return cls(f"{name}: {reason} A column has one role, a table stands once: keep one of the two.")

    @classmethod
    def one_of(cls, what: str, names: Sequence[str], given: Sequence[str]) -> Self:
        return cls(f"{what} is given by exactly one of {listed(names)}; here by {listed(given) or 'none'}.")

    @classmethod
    def unlisted_in_policy(cls, where: str, name: str, known: Sequence[str]) -> Self:
        return cls(f"{where}: the policy has no column '{name}'.{nearest(name, known)} It has: {listed(known)}.")

    @classmethod
    def wrong_role(cls, where: str, name: str, wanted: str, got: str) -> Self:
        return cls(f"{where}: column '{name}' must have role '{wanted}', it has '{got}'.")

    @classmethod
    def no_order(cls, where: str, name: str, kind: str) -> Self:
        return cls(
            f"{where} = 'ordered' needs values with an order; column '{name}' is {kind}"
            f"{' without an order' if kind == 'ordinal' else ''}. Set kind = 'numeric' or 'date', or kind = 'ordinal' "
            f"with an order, under columns.{name}; or take distance = 'equal'."
        )

    @classmethod
    def no_tree(cls, where: str, name: str) -> Self:
        return cls(
            f"{where} = 'hierarchical' needs the taxonomy of column '{name}'. Give one as columns.{name}.taxonomy, "
            f"or take distance = 'equal'."
        )

    @classmethod
    def no_extents(cls, column: str) -> Self:
        return cls(
            f"minimum_length of '{column}': the release tells points and no intervals or taxonomy nodes, as every "
            f"microaggregation does, so no class has a length. Remove the requirement, or generalize the column."
        )

    @classmethod
    def no_quasi_identifier(cls) -> Self:
        return cls(
            "no column has role 'quasi_identifier', so there is nothing to protect. "
            "Which columns could an intruder know from elsewhere? Give them this role."
        )

    @classmethod
    def no_k(cls) -> Self:
        return cls(
            "method: no k is given. Ask for k-anonymity: [[requirements]] name = 'k_anonymity', k = 5; "
            "or set k under [method]."
        )

    @classmethod
    def only_one(cls, role: str, names: Sequence[str]) -> Self:
        return cls(f"columns: {listed(names)} all have role '{role}'. Only one column can have it.")

    @classmethod
    def no_households(cls, method: str) -> Self:
        return cls(
            f"method {method} groups single records and cannot keep households together. Take 'mdav', or say "
            f"split_households = true under [method]."
        )

    @classmethod
    def no_key(cls, column: str, path: Path, reason: str) -> Self:
        return cls(
            f"columns.{column}.pseudonym: the key file {path} cannot be read: {reason}. "
            f"Make one with: python -c 'import secrets; print(secrets.token_hex(32))' > {path.name}"
        )

    @classmethod
    def short_key(cls, column: str, path: Path, shortest: int) -> Self:
        return cls(
            f"columns.{column}.pseudonym: the key in {path} has fewer than {shortest} bytes and could be guessed. "
            f"Make one with: python -c 'import secrets; print(secrets.token_hex(32))' > {path.name}"
        )

    @classmethod
    def unlisted_columns(cls, names: Sequence[str]) -> Self:
        return cls(
            f"the table has columns that the policy does not name: {listed(names)}. Give each a role: "
            f"'identifier' drops it, 'other' releases it as it is."
        )


class ManifestError(ShoalError):
    """A manifest cannot be read, or its release cannot be repeated."""

    @classmethod
    def unreadable(cls, path: Path, reason: str) -> Self:
        return cls(f"{path}: the manifest cannot be read: {reason}.")

    @classmethod
    def no_manifest(cls, path: Path) -> Self:
        return cls(f"{path} is no manifest of Shoal. 'shoal protect' writes one beside every release.")

    @classmethod
    def not_from_files(cls, path: Path) -> Self:
        return cls(f"{path}: this release was not made from a file and a policy file, so it cannot be replayed.")

    @classmethod
    def changed(cls, what: str, path: Path) -> Self:
        return cls(f"{path}: the {what} is not the one the manifest was made from (SHA-256 differs).")

    @classmethod
    def not_repeated(cls, path: Path) -> Self:
        return cls(
            f"{path}: input and policy are the same but the release is not (SHA-256 differs). "
            f"Compare 'versions' in the manifest with the installed ones."
        )


class RequirementError(ShoalError):
    """What the policy demands does not hold: nothing is released."""

    exit_code = 1

    @classmethod
    def suppression_above_limit(cls, n_suppressed: int, n_records: int, limit: float) -> Self:
        share = n_suppressed / n_records
        return cls(
            f"{n_suppressed} of {n_records} records ({share:.2%}) are in groups that fail a requirement; "
            f"suppression.limit allows {limit:.2%}. Raise the limit, raise k, or ask for less."
        )

    @classmethod
    def nothing_left(cls, n_records: int) -> Self:
        return cls(f"all {n_records} records are in groups that fail a requirement. Raise k, or ask for less.")

    @classmethod
    def gate_closed(cls, failures: Sequence[str]) -> Self:
        return cls("the gate is closed, nothing was released: " + "; ".join(failures) + ".")


class TaxonomyError(PolicyError):
    """A hierarchy is no tree, or does not cover its column. Lines count from 1."""

    @classmethod
    def empty(cls, name: str) -> Self:
        return cls(f"{name}: the hierarchy has no line. Write one per value: value;parent;...;*")

    @classmethod
    def no_file(cls, path: Path, reason: Exception) -> Self:
        what = reason.strerror if isinstance(reason, OSError) else "it is not UTF-8 text"
        return cls(f"{path}: the hierarchy file cannot be read: {what}.")

    @classmethod
    def flat(cls, name: str) -> Self:
        return cls(f"{name}: the lines have one field and so no parent. Write value;parent;...;* with ';' or ','.")

    @classmethod
    def ragged(cls, name: str, line: int, found: int, expected: int) -> Self:
        return cls(
            f"{name}, line {line}: {found} levels where the first line has {expected}. "
            f"Repeat a value to fill a level that does not exist."
        )

    @classmethod
    def two_parents(cls, name: str, line: int, level: int) -> Self:
        return cls(
            f"{name}, line {line}: the entry in field {level + 1} has another parent than in a line above. "
            f"That is no tree: give it one parent, or two different names."
        )

    @classmethod
    def repeated_value(cls, name: str, n: int) -> Self:
        return cls(f"{name}: {n} values are listed more than once. List every value once.")

    @classmethod
    def many_roots(cls, name: str, n: int) -> Self:
        return cls(f"{name}: the last fields differ ({n} of them). End every line with the same root, usually '*'.")

    @classmethod
    def not_covered(cls, column: str, name: str, n_values: int, n_records: int) -> Self:
        return cls(
            f"columns.{column}: {n_values} values of the column, in {n_records} records, are not in {name}. "
            f"Add a line for each of them, or declare what means missing in [source]."
        )

    @classmethod
    def other_cells(cls, column: str, rule: str, wanted: str, found: str, kind: str) -> Self:
        return cls(
            f"columns.{column}.taxonomy: {rule} are made of {wanted}, but the column holds {found}. "
            f"Set kind = '{kind}', or give another taxonomy."
        )

    @classmethod
    def bad_prefixes(cls, lengths: Sequence[int]) -> Self:
        return cls(f"prefixes must be falling lengths of at least 1, such as [3, 1], got {list(lengths)}.")

    @classmethod
    def bad_widths(cls, widths: Sequence[float]) -> Self:
        return cls(
            f"intervals must be positive widths, each a multiple of the one before, such as [5, 10, 20], "
            f"got {list(widths)}."
        )

    @classmethod
    def bad_date_parts(cls, parts: Sequence[str], known: Sequence[str]) -> Self:
        return cls(f"date_parts must be some of {listed(known)}, finest first, got {list(parts)}.")
