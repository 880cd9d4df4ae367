"""Base of the perturbative methods of a policy: the columns they change, and random numbers no attacker can reproduce.

table, schema, rng -> the same table with new columns

A missing value stays missing and takes no part.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
import pyarrow as pa
from numpy.typing import ArrayLike

from shoal.encode.codes import Codes, to_codes
from shoal.encode.number_column import NumberColumn, from_numbers, to_numbers
from shoal.errors import PerturbationError, PolicyError, TableError, TaxonomyError
from shoal.kernels import Ints, Vector
from shoal.methods.microaggregation.household_groups import HouseholdGroups
from shoal.rng import Rng
from shoal.schema import Column, Kind, Schema
from shoal.schema.resolution import Resolution
from shoal.schema.time_unit import MICROSECONDS_OF_A_DAY

if TYPE_CHECKING:
    from shoal.methods.perturbation.coding import TopBottomCode
    from shoal.methods.perturbation.date_shift import DateShift
    from shoal.methods.perturbation.pram import Pram

Kinds = tuple[Kind, ...]

NUMBERS: Kinds = ("numeric", "date")
ORDERED: Kinds = ("numeric", "date", "ordinal")
CATEGORIES: Kinds = ("ordinal", "nominal")
EVERY: Kinds = ("numeric", "date", "ordinal", "nominal")


def rng_from_seed(seed: int) -> Rng:
    """Random numbers that depend on the seed alone, for arrays without a policy."""
    return Rng(b"", seed)


@dataclass(frozen=True)
class PerturbationMethod(ABC):
    """Parameters of a perturbative method.

    columns  the columns to change; if omitted, all quasi-identifiers
    """

    columns: tuple[str, ...] | None = None
    name: str = ""

    applies_to: ClassVar[Kinds]
    produces_numbers: ClassVar[bool] = False  # it may produce numbers that did not occur before
    replaces_all: ClassVar[bool] = False  # every number of its columns is a new one
    differs_by_record: ClassVar[bool] = True  # records with equal values may receive different ones
    moves_values: ClassVar[bool] = False  # values move among records, so they may be coded or rounded before or after
    rounds_values: ClassVar[bool] = False  # it changes a value by less than a published base
    groups_columns: ClassVar[bool] = False  # new values of a column depend on others, too
    imputes: ClassVar[bool] = False  # it changes missing values only

    __pydantic_config__: ClassVar[Any] = {"extra": "forbid"}

    @property
    def post_randomization(self) -> Pram | None:
        """The method itself if it changes values by a transition matrix (PRAM), otherwise None."""
        return None

    @property
    def coding_by_share(self) -> TopBottomCode | None:
        """The method itself if its bounds are shares of all records (top and bottom coding), otherwise None."""
        return None

    @property
    def shift_of_dates(self) -> DateShift | None:
        """The method itself if it shifts dates, which must not lie on certain days of a calendar, otherwise None."""
        return None

    @abstractmethod
    def perturb(self, table: pa.Table, schema: Schema, rng: Rng) -> pa.Table:
        """The table with new values in the columns of the method; all other columns are unchanged."""

    @property
    def is_replayable(self) -> bool:
        """Whether it draws no random numbers, so that whoever holds its columns can apply it again."""
        return False

    @property
    def keeps_steps(self) -> bool:
        """Whether numbers that are multiples of their column's step still are afterwards."""
        return True

    def changes(self, name: str, *, is_quasi_identifier: bool) -> bool:
        """Whether the method changes a column."""
        return name in self.columns if self.columns else is_quasi_identifier

    def gives_values(self, name: str) -> bool:
        """Whether a quasi-identifier may have new values after the method."""
        return self.changes(name, is_quasi_identifier=True)

    def columns_read(self, schema: Schema) -> tuple[str, ...]:
        """Columns that decide which records are changed, beside those that are."""
        return ()

    def perturb_by_level(self, table: pa.Table, schema: Schema, rng: Rng) -> pa.Table:
        """The same, with household-level columns changed once per household: several draws for one value could reveal
        it."""
        shared = self.household_columns(schema)
        if not shared:
            return self.perturb(table, schema, rng)
        own = tuple(column.name for column in self.target_columns(table, schema) if column.name not in shared)
        if own:
            table = replace(self, columns=own).perturb(table, schema, rng)
        unit = schema.unit
        assert unit, "household-level columns need a household"
        households = HouseholdGroups.of(to_codes(unit.name, table[unit.name]).codes)
        return self.perturb_units(table, schema, households, shared, rng.of_households())

    def household_columns(self, schema: Schema) -> tuple[str, ...]:
        """The household-level columns that the method would otherwise change record by record."""
        names = (self.columns or schema.quasi_identifiers) if self.differs_by_record else ()
        return tuple(name for name in names if name in schema and schema[name].level == "household")

    def perturb_units(
        self, table: pa.Table, schema: Schema, households: HouseholdGroups, names: tuple[str, ...], rng: Rng
    ) -> pa.Table:
        """The same for columns that all members of a household share: the new value of its first record is used."""
        of_first = replace(self, columns=names).perturb(table.take(households.first), schema, rng)
        for name in names:
            table = replace_column(table, name, of_first[name].take(households.unit_of))
        return table

    def target_columns(self, table: pa.Table, schema: Schema) -> tuple[Column, ...]:
        """The columns that the method changes; raises an error where it is not applicable to one."""
        for name in self.columns or ():
            if name not in table.column_names:
                raise PolicyError.unknown_column("perturbations.columns", name, table.column_names)
            if name not in schema:
                raise PolicyError.unlisted_in_policy("perturbations.columns", name, schema.names)
        found = tuple(schema[name] for name in self.columns or schema.quasi_identifiers)
        if not found:
            raise PolicyError.no_quasi_identifier()
        for column in found:
            if column.kind not in self.applies_to:
                raise PerturbationError.unfit_kind(self.name, column.name, column.kind, self.applies_to)
            if table[column.name].null_count == len(table):
                raise TableError.all_missing(column.name)
        return found


def replace_column(table: pa.Table, name: str, values: pa.Array[Any] | pa.ChunkedArray[Any]) -> pa.Table:
    """The table with the values of one column replaced, at the same position."""
    return table.set_column(table.column_names.index(name), name, values)


def numbers_of(table: pa.Table, column: Column) -> NumberColumn:
    return to_numbers(column.name, table[column.name])


def round_to_step(table: pa.Table, column: Column, values: Vector) -> Vector:
    """(n,) new numbers rounded to the column's step, where the schema knows it."""
    found = resolution_of(table, column)
    return values if found is None else found.nearest(values)


def resolution_of(table: pa.Table, column: Column) -> Resolution | None:
    """The column's resolution in the unit of its cells: days, microseconds, or that of its numbers."""
    in_days = pa.types.is_date(table[column.name].type)
    return column.resolution.per(MICROSECONDS_OF_A_DAY) if column.resolution and in_days else column.resolution


def with_rounded_numbers(table: pa.Table, column: Column, numbers: NumberColumn) -> pa.Table:
    """The table with new numbers in a column, all rounded to its step."""
    found = resolution_of(table, column)
    if found is None:
        return with_numbers(table, column, numbers)
    rounded = NumberColumn(found.nearest(numbers.values), numbers.missing)
    return replace_column(table, column.name, from_numbers(rounded, table[column.name].type, found.decimals))


def with_numbers(table: pa.Table, column: Column, numbers: NumberColumn, *, keep_whole: bool = False) -> pa.Table:
    """The table with new numbers in a column, in the column's type: dates as dates, rounded where the schema says so.

    With ``keep_whole`` an integer column remains one if all new numbers are integers.
    """
    like = table[column.name].type
    whole = keep_whole and pa.types.is_integer(like) and bool((numbers.values == np.rint(numbers.values)).all())
    return replace_column(table, column.name, from_numbers(numbers, like, 0 if whole else column.decimals))


def take_values(table: pa.Table, name: str, source: Ints) -> pa.Table:
    """Every record receives the value of record ``source``; type and values are preserved."""
    return replace_column(table, name, table[name].take(source))


def nodes_under(method: str, column: Column, codes: Codes, level: int) -> Ints:
    """(n_values,) the node of every value at a level of the taxonomy; level 1 is directly above the values."""
    taxonomy = column.taxonomy
    if taxonomy is None or not 1 <= level <= taxonomy.height:
        raise PerturbationError.no_taxonomy(method, column.name, level)
    n_outside = taxonomy.n_outside(codes.texts)
    if n_outside:
        raise TaxonomyError.not_covered(column.name, taxonomy.name, n_outside, len(codes.codes))
    if level == taxonomy.height:  # the root contains them all
        return np.zeros(codes.n_values, dtype=np.int64)
    return taxonomy.nodes_above(codes.texts)[:, level]


def as_codes(codes: ArrayLike, name: str = "codes") -> Ints:
    """Validated codes 0, 1, ... of one column, -1 where missing."""
    given = np.asarray(codes)
    if given.ndim != 1 or given.dtype.kind not in "iu":
        raise PerturbationError.unfit_codes(name, f"got shape {given.shape} and dtype {given.dtype}")
    found: Ints = np.ascontiguousarray(given, dtype=np.int64)
    if found.size == 0 or found.min() < -1:
        raise PerturbationError.unfit_codes(name, "there are none" if found.size == 0 else "some are below -1")
    return found
