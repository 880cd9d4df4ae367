"""The plan of a release: how every column is released and what is proved about it, derived once from the policy.

policy, schema -> ReleasePlan

To protect a table, the plan is derived once its columns are known; to verify a release, from the policy alone. Both
give the same plan: it does not depend on the values of a table, and only the key sets follow the order of its columns.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Literal, Self

from shoal.assessment.utility.analyses.analysis import Analysis
from shoal.linkage.blocking_options import BlockingOptions
from shoal.methods.method import Method
from shoal.methods.perturbation import AnyPerturbation
from shoal.plan.representation import Representation
from shoal.policy.keys import KeySet, key_sets
from shoal.policy.parts import BlockingRules, LocalSuppression, Warn
from shoal.policy.policy import Policy
from shoal.policy.recode_rule import RecodeRule
from shoal.policy.released_column import ReleasedColumn
from shoal.release.weights import Weights
from shoal.requirements import Requirement
from shoal.requirements.requirement import RepeatRequirement, on_columns, reads_numbers
from shoal.schema import Column, Role, Schema
from shoal.sources import CellKind, ReadOptions

File = Literal["release", "sensitive", "certificate"]
Gate = Literal["classes", "wildcards", "anatomy"]


@dataclass(frozen=True)
class ReleasePlan:
    """Everything about a release that follows from policy and schema.

    k                     minimum number of records, or units, of a class (under anatomy, of a group); None: no
                          k-anonymity is required, and k counts as 1
    quasi_identifiers     in the order of the table
    columns               of the table, by name, in the order of the policy
    within                columns (strata) that all records of a class share
    drops_households      household numbers are not released; households are counted as units
    unit                  the column whose distinct values requirements count; None: they count records
    permutes              sensitive values are permuted within classes
    releases_ends         ends of extents are released as separate columns
    shuffles              records are released in random order
    weights               how weights are released
    controls_categories   categories of classes are chosen such that their shares hardly change
    local_suppression     how cells are blanked; None: none are
    perturbations         applied to the values first, in this order
    blocking              how large tables are divided into blocks
    suppression_limit     largest share of records that may be dropped
    warn                  limits above which the report warns
    totals_by             columns by whose values subtotals are compared
    analyses              of the steward, which the report compares on original and release
    linkage_blocking      the passes of [linkage.blocking], by which the attacks of ``assess`` select pairs; empty: all
    cells                 how cells are written in other files of the same persons, such as a population
    spreadsheet_safe      texts of a CSV that a spreadsheet would run as formulas get an apostrophe
    earlier               files of earlier releases whose groups are kept
    person                the column that identifies persons across releases
    stable                columns that do not change over time, where the policy names them
    seed                  of the random numbers, together with the key
    """

    method: Method
    representation: Representation
    requirements: tuple[Requirement, ...]
    k: int | None
    quasi_identifiers: tuple[str, ...]
    columns: Mapping[str, ReleasedColumn]
    within: tuple[str, ...]
    unit: str | None
    drops_households: bool
    permutes: bool
    releases_ends: bool
    shuffles: bool
    weights: Weights
    controls_categories: bool
    local_suppression: LocalSuppression | None
    perturbations: tuple[AnyPerturbation, ...]
    blocking: BlockingRules
    suppression_limit: float
    warn: Warn
    totals_by: tuple[str, ...]
    analyses: tuple[Analysis, ...]
    linkage_blocking: tuple[BlockingOptions, ...]
    cells: ReadOptions
    spreadsheet_safe: bool
    earlier: tuple[Path, ...]
    person: str | None
    stable: tuple[str, ...] | None
    seed: int

    @classmethod
    def of(cls, policy: Policy, schema: Schema | None = None) -> Self:
        """``schema``: that of the table; left out: as the policy declares it."""
        known, summary = schema or policy.declared_schema, policy.description()
        units = [name for name, rule in policy.columns.items() if rule.role in ("household", "unit")]
        own, method = policy.own_rules, policy.method
        return cls(
            method.with_loss(own.loss, own.target) if own and own.loss else method,
            policy.representation,
            policy.required,
            policy.k,
            known.quasi_identifiers,
            {name: ReleasedColumn.of(policy, name, summary) for name in policy.columns},
            policy.within,
            next(iter(units), None),
            drops_households=policy.output.household == "unlinked",
            permutes=policy.output.permute,
            releases_ends=policy.output.ends,
            shuffles=policy.output.shuffle,
            weights=policy.output.weights,
            controls_categories=policy.output.categories == "controlled",
            local_suppression=_with_weights(policy),
            perturbations=policy.perturbations,
            blocking=policy.blocking,
            suppression_limit=policy.suppression.limit,
            warn=policy.warn,
            totals_by=policy.within if policy.output.totals_by is None else policy.output.totals_by,
            analyses=tuple(rule.analysis for rule in policy.analyses),
            linkage_blocking=tuple(rule.options for rule in policy.linkage.blocking),
            cells=policy.source.of_cells,
            spreadsheet_safe=policy.output.spreadsheet_safe,
            earlier=policy.earlier_files,
            person=policy.person,
            stable=policy.earlier.stable if policy.earlier else None,
            seed=policy.seed,
        )

    def for_columns_of(self, schema: Schema) -> Self:
        """The same plan for a table that lacks some of the columns."""
        return replace(self, quasi_identifiers=schema.quasi_identifiers)

    @property
    def blanks_cells(self) -> bool:
        """Whether cells are blanked by local suppression."""
        return self.local_suppression is not None

    @property
    def blanks_are_wildcards(self) -> bool:
        """Whether a blank matches any value."""
        return self.local_suppression is not None and self.local_suppression.are_wildcards

    @cached_property
    def key_sets(self) -> tuple[KeySet, ...]:
        return key_sets(self)

    @cached_property
    def means(self) -> tuple[str, ...]:
        """Numeric columns that are released as class means."""
        return tuple(name for name, column in self.columns.items() if column.as_mean and column.kind == "numeric")

    @cached_property
    def means_of_dates(self) -> tuple[str, ...]:
        """Columns of dates and times that are released as class means."""
        return tuple(name for name, column in self.columns.items() if column.as_mean and column.kind == "date")

    @cached_property
    def perturbed_numbers(self) -> tuple[str, ...]:
        """Columns of numbers and dates with values produced by a perturbation."""
        return tuple(name for name, column in self.columns.items() if column.has_perturbed_numbers)

    @cached_property
    def as_perturbed(self) -> tuple[str, ...]:
        """Columns of numbers and dates that are released exactly as a perturbation produced them."""
        return tuple(name for name, column in self.columns.items() if column.as_perturbed)

    @cached_property
    def extents(self) -> tuple[str, ...]:
        """Quasi-identifiers that are released as extents."""
        return tuple(name for name, column in self.columns.items() if column.as_extent)

    @cached_property
    def on_grid(self) -> tuple[str, ...]:
        """Columns of numbers and dates whose extents end on a grid."""
        return tuple(name for name, column in self.columns.items() if column.on_grid)

    @cached_property
    def unchanged(self) -> tuple[str, ...]:
        """Columns other than quasi-identifiers that are released with their original values."""
        return tuple(name for name, column in self.columns.items() if column.is_unchanged)

    @cached_property
    def recoded(self) -> dict[str, RecodeRule]:
        """The recodings by hand, by column."""
        return {name: column.recode for name, column in self.columns.items() if column.recode}

    def ends_of(self, name: str) -> tuple[str, ...]:
        """The columns that hold the ends of the extents of a quasi-identifier."""
        return self.columns[name].ends

    def with_ends(self, names: tuple[str, ...]) -> tuple[str, ...]:
        """The columns as written to the release: each followed by the columns of its ends."""
        return tuple(each for name in names for each in (name, *self.ends_of(name)))

    def release_schema(self, schema: Schema) -> Schema:
        """The schema of the release: the columns of the table, and those of the ends of extents."""
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
        """Whether extents end at or near original values: those of groups do, cuts are placed between the values."""
        return self.representation.releases_extents and self.method.forms_groups

    @property
    def releases_cuts(self) -> bool:
        """Whether released classes show the regions of the cut tree: blanks and means would hide them."""
        return self.representation.releases_extents and not self.blanks_cells

    @property
    def shows_units(self) -> bool:
        """Whether the release shows which records are of one unit, by household numbers."""
        return self.unit is not None and self.columns[self.unit].role == "household"

    @property
    def hides_units(self) -> bool:
        """Whether requirements count units that cannot be recognized in the release."""
        return self.unit is not None and not self.shows_units

    @property
    def groups_units(self) -> bool:
        """Whether units are grouped as vectors, record by record with those of other units. Where a unit is dropped,
        this is needed only for sensitive values: what several classes of one unit have in common could reveal them. Of
        a dropped household these are the values that its members share."""
        dropped = bool(self.sensitive_in_requirements) and (not self.drops_households or bool(self._of_units))
        return self.unit is not None and self.method.keeps_households and (self.shows_units or dropped)

    @property
    def values_of_units(self) -> tuple[str, ...]:
        """Sensitive columns whose requirements hold for the classes of all records of a unit together, not only for
        each: grouped as vectors, k units share all of their classes."""
        return self._of_units if self.groups_units else ()

    @property
    def values_by_record(self) -> tuple[str, ...]:
        """Sensitive columns whose values belong to units, but whose requirements hold only for each class: the method
        does not group units as vectors."""
        return () if self.unit is None or self.groups_units else self._of_units

    @cached_property
    def _of_units(self) -> tuple[str, ...]:
        """Sensitive columns of requirements whose values belong to the unit: those that a household shares, and all of
        a patient or firm."""
        if not (self.shows_units or self.drops_households):
            return self.values_in_requirements
        return tuple(name for name in self.values_in_requirements if self.columns[name].is_of_household)

    @property
    def links_households(self) -> bool:
        """Whether household members can be recognized in the release and a requirement protects them: whoever knows all
        members sees the class of their composition."""
        asks_of_classes = any(requirement.reads != "extents" for requirement in self.requirements)
        return self.shows_units and asks_of_classes and not self.representation.separates_sensitive

    @cached_property
    def sensitive_in_requirements(self) -> tuple[str, ...]:
        """The sensitive columns and weights that requirements read in the release; quasi-identifiers are not among
        them."""
        read = {str(r.column) for r in self.requirements if r.column and r.reads != "extents"}
        return tuple(sorted(read - set(self.amounts_before)))

    @cached_property
    def values_in_requirements(self) -> tuple[str, ...]:
        """The sensitive columns of which requirements compare single values, not sums of amounts."""
        compared = {str(r.column) for r in self.requirements if not reads_numbers(r.reads)}
        return tuple(name for name in self.sensitive_in_requirements if name in compared)

    @cached_property
    def amounts_before(self) -> tuple[str, ...]:
        """Quasi-identifiers of which requirements read the amounts before the method replaces them."""
        read = {str(r.column) for r in self.requirements if reads_numbers(r.reads)}
        return tuple(sorted(name for name in read if self.columns[name].role == "quasi_identifier"))

    @property
    def invariances(self) -> tuple[RepeatRequirement, ...]:
        """The requirements that compare the classes of a person in all releases."""
        return tuple(each for each in self.requirements if isinstance(each, RepeatRequirement))

    @property
    def requirements_on_release(self) -> list[Requirement]:
        """The requirements on the columns as written: each quasi-identifier together with the columns of its ends."""
        return [
            each if each.columns is None else on_columns(each, self.with_ends(each.columns))
            for each in self.requirements
        ]

    @cached_property
    def taxonomies_for_gate(self) -> set[str]:
        """Columns whose taxonomy the gate needs to check requirements or to parse extents."""
        requirement = {str(requirement.column) for requirement in self.requirements if requirement.reads == "tree"}
        return requirement | {name for name in self.extents if self.columns[name].has_taxonomy_file}

    @cached_property
    def cell_kinds(self) -> dict[str, CellKind]:
        """Cell kinds for verification: extents are read as text, all other cells as in the recoded original."""
        return {name: "text" if column.as_extent else column.cells for name, column in self.columns.items()}

    @cached_property
    def released_kinds(self) -> dict[str, CellKind]:
        """Cell kinds of the released table: household numbers are numeric; with extents, quasi-identifiers are text."""
        extents: dict[Role, CellKind] = {"quasi_identifier": "text"} if self.representation.releases_extents else {}
        new: dict[Role, CellKind] = {"household": "numeric", **extents}
        return {name: new.get(column.role, column.cells) for name, column in self.columns.items()}

    @property
    def gate(self) -> Gate:
        """Which rule the gate uses to prove the requirements."""
        if self.representation.separates_sensitive:
            return "anatomy"
        return "wildcards" if self.blanks_are_wildcards else "classes"

    @property
    def files(self) -> tuple[File, ...]:
        """The kinds of files that are written, apart from manifests and reports."""
        second: tuple[File, ...] = ("sensitive",) if self.representation.separates_sensitive else ()
        proof: tuple[File, ...] = ("certificate",) if self.method.issues_certificates else ()
        return ("release", *second, *proof)


def _with_weights(policy: Policy) -> LocalSuppression | None:
    """Local suppression in which a blank cell costs the weight of its column, where no importance is given."""
    rules = policy.local_suppression
    weights = {name: rule.weight for name, rule in policy.columns.items() if rule.weight != 1}
    return rules and rules.model_copy(update={"importance": {**weights, **rules.importance}})
