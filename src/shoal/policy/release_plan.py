"""The plan of a release: how every column is released and what is proved of it, resolved once.

policy, schema -> ReleasePlan

Whoever makes a release resolves it as soon as the table is known; whoever verifies one, from the policy alone. Both
get the same plan: nothing in it comes from the values of a table, and only key sets follow the order of its columns.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal, Self

from shoal.methods import AnyMethod
from shoal.plan.representation import Representation
from shoal.policy.keys import KeySet, key_sets
from shoal.policy.policy import Policy
from shoal.policy.released_column import ReleasedColumn
from shoal.release.weights import Weights
from shoal.requirements import AnyRequirement, Requirement, about_size
from shoal.schema import Column, Role, Schema
from shoal.sources import CellKind

File = Literal["release", "sensitive", "certificate"]
Gate = Literal["classes", "wildcards", "anatomy"]


@dataclass(frozen=True)
class ReleasePlan:
    """What policy and schema decide together.

    k                  records, or units, of a class at least; of a group under anatomy
    quasi_identifiers  in the order of the table
    columns            of the table, by name, in the order of the policy
    within             columns that all records of a class share
    unit               the column whose different values requirements count; None: they count records
    permutes           sensitive values change places within classes
    releases_ends      ends of extents are columns of their own
    shuffles           records are released in random order
    weights            how weights are released
    """

    method: AnyMethod
    representation: Representation
    requirements: tuple[AnyRequirement, ...]
    k: int | None
    quasi_identifiers: tuple[str, ...]
    columns: Mapping[str, ReleasedColumn]
    within: tuple[str, ...]
    unit: str | None
    permutes: bool
    releases_ends: bool
    shuffles: bool
    weights: Weights
    blanks_cells: bool
    blanks_are_wildcards: bool

    @classmethod
    def of(cls, policy: Policy, schema: Schema | None = None) -> Self:
        """``schema``: of the table; left out, as the policy declares it."""
        known, summary = schema or policy.declared, policy.description()
        units = [name for name, rule in policy.columns.items() if rule.role in ("household", "unit")]
        return cls(
            policy.method,
            policy.representation,
            policy.requirements,
            policy.k,
            known.quasi_identifiers,
            {name: ReleasedColumn.of(policy, name, summary) for name in policy.columns},
            policy.within,
            next(iter(units), None),
            permutes=policy.output.permute,
            releases_ends=policy.output.ends,
            shuffles=policy.output.shuffle,
            weights=policy.output.weights,
            blanks_cells=policy.local_suppression is not None,
            blanks_are_wildcards=policy.local_suppression is not None and policy.local_suppression.are_wildcards,
        )

    @cached_property
    def key_sets(self) -> tuple[KeySet, ...]:
        return key_sets(self)

    @property
    def means(self) -> tuple[str, ...]:
        """Numbers that are released as means."""
        return tuple(name for name, column in self.columns.items() if column.as_mean and column.kind == "numeric")

    @property
    def means_of_dates(self) -> tuple[str, ...]:
        """Dates and times that are released as means."""
        return tuple(name for name, column in self.columns.items() if column.as_mean and column.kind == "date")

    @property
    def has_made_numbers(self) -> tuple[str, ...]:
        """Numbers and dates among whose values are some that a perturbation makes."""
        return tuple(name for name, column in self.columns.items() if column.has_made_numbers)

    @property
    def as_made(self) -> tuple[str, ...]:
        """Numbers and dates that are released as a perturbation made them."""
        return tuple(name for name, column in self.columns.items() if column.as_made)

    @property
    def extents(self) -> tuple[str, ...]:
        """Quasi-identifiers that are released as extents."""
        return tuple(name for name, column in self.columns.items() if column.as_extent)

    @property
    def on_grid(self) -> tuple[str, ...]:
        """Numbers and dates whose extents end on a grid."""
        return tuple(name for name, column in self.columns.items() if column.on_grid)

    @property
    def as_they_are(self) -> tuple[str, ...]:
        """Columns besides quasi-identifiers that show what the original has."""
        return tuple(name for name, column in self.columns.items() if column.as_it_is)

    def ends_of(self, name: str) -> tuple[str, ...]:
        """The columns that release the ends of a quasi-identifier."""
        return self.columns[name].ends

    def with_ends(self, names: tuple[str, ...]) -> tuple[str, ...]:
        """Columns of the table as they are written: each with its ends."""
        return tuple(each for name in names for each in (name, *self.ends_of(name)))

    def written(self, schema: Schema) -> Schema:
        """The columns of the release: those of the table, and the ends of extents."""
        return Schema(
            each
            for column in schema.columns
            for each in (
                column,
                *(Column(end, "quasi_identifier", column.kind) for end in self.ends_of(column.name)),
            )
        )

    @property
    def releases_means(self) -> bool:
        return self.representation.releases_means and self.method.forms_classes

    @property
    def releases_ends_of_values(self) -> bool:
        """Whether extents end at values of the original, or close to them: ends of cuts lie between the values."""
        return self.representation.releases_extents and self.method.forms_groups

    @property
    def releases_cuts(self) -> bool:
        """Whether classes of the release are the blocks that were cut: blanks hide them, and so do means."""
        return self.representation.releases_extents and not self.blanks_cells

    @property
    def size_of_classes(self) -> int | None:
        """The k of classes; None under anatomy, which hides values and not persons."""
        return None if self.representation.separates_sensitive else self.k

    @property
    def shows_units(self) -> bool:
        """The release tells which records are of one unit: by the numbers of households."""
        return self.unit is not None and self.columns[self.unit].role == "household"

    @property
    def hides_units(self) -> bool:
        """Requirements count units that nobody can tell from the release."""
        return self.unit is not None and not self.shows_units

    @property
    def ties_households(self) -> bool:
        """Members of a household can be told from the release, and their quasi-identifiers are protected."""
        return self.shows_units and bool(about_size(self.requirements)) and not self.representation.separates_sensitive

    @property
    def sensitive_read(self) -> tuple[str, ...]:
        """The sensitive columns that requirements read; extents are those of a quasi-identifier."""
        return tuple(sorted({str(r.column) for r in self.requirements if r.column and r.reads != "extents"}))

    @property
    def requirements_written(self) -> list[Requirement]:
        """Requirements of the columns as they are written: a quasi-identifier is read with its ends."""
        return [
            wanted if wanted.columns is None else replace(wanted, columns=self.with_ends(wanted.columns))
            for wanted in self.requirements
        ]

    @property
    def taxonomies_proved(self) -> set[str]:
        """Columns whose taxonomy the gate needs, to read requirements or extents by."""
        wanted = {str(wanted.column) for wanted in self.requirements if wanted.reads == "tree"}
        return wanted | {name for name in self.extents if self.columns[name].has_tree_file}

    @property
    def cell_kinds(self) -> dict[str, CellKind]:
        """How the release is read: extents are texts, all else as in the original."""
        return {name: "text" if column.as_extent else column.cells for name, column in self.columns.items()}

    @property
    def released_kinds(self) -> dict[str, CellKind]:
        """How the cells of a release are given back: households have new numbers, extents are texts."""
        extents: dict[Role, CellKind] = {"quasi_identifier": "text"} if self.representation.releases_extents else {}
        new: dict[Role, CellKind] = {"household": "numeric", **extents}
        return {name: new.get(column.role, column.cells) for name, column in self.columns.items()}

    @property
    def gate(self) -> Gate:
        """The rule by which the gate proves requirements."""
        if self.representation.separates_sensitive:
            return "anatomy"
        return "wildcards" if self.blanks_are_wildcards else "classes"

    @property
    def files(self) -> tuple[File, ...]:
        """What is made besides manifests and reports."""
        second: tuple[File, ...] = ("sensitive",) if self.representation.separates_sensitive else ()
        proof: tuple[File, ...] = ("certificate",) if self.method.issues_certificates else ()
        return ("release", *second, *proof)
