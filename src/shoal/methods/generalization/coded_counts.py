"""A table of counts as input of the generalization methods: codes, counts, and checks of the requirements on groups.

Rows are combinations of values; a group of rows is checked against all requirements, with respect to the whole table. A
requirement on only some of the quasi-identifiers is checked like all others: its classes are unions of blocks, and what
every part satisfies, the union satisfies.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from shoal.encode.count_table import CountTable
from shoal.errors import PolicyError, RuleError, TableError
from shoal.kernels import Ints, Labels, Vector
from shoal.methods.generalization.attribute import Attribute
from shoal.methods.generalization.splits import Cuts, Unordered, attributes
from shoal.plan import CutTree
from shoal.requirements import Requirement
from shoal.requirements.contributions import Contributions
from shoal.requirements.groups import Groups
from shoal.requirements.judge import Domains, Key, SensitiveDomain, amounts_of, domain_keys, sensitive_domains
from shoal.requirements.requirement import least_records, nearest_met, of_schema, reads_numbers, requirement_names
from shoal.schema import Schema

Lengths = Callable[[int], Vector]  # column -> (n_groups,) the length of the groups on it


@dataclass(frozen=True)
class Sensitive:
    """A sensitive column of the rows, as requirements read it."""

    values: Ints  # (n_rows,) -1 is missing
    whole: Ints  # (n_values,) number of records in the whole table
    tree: Ints | None

    @classmethod
    def of(cls, counts: CountTable, key: Key, domain: SensitiveDomain) -> Sensitive:
        return cls(domain.positions(counts[key[0]]), domain.n, domain.tree)

    def without(self, n: Ints) -> Sensitive:
        """The same, in a whole without ``n`` records of each row."""
        known = self.values >= 0
        gone = np.bincount(self.values[known], weights=n[known], minlength=self.whole.size).astype(np.int64)
        return replace(self, whole=np.maximum(self.whole - gone, 0))


@dataclass(frozen=True, eq=False)
class CodedCounts:
    counts: CountTable  # the rows with records, or persons of the population; others only declare which values exist
    attributes: tuple[Attribute, ...]
    codes: Ints  # (n_rows, n_attributes)
    requirements: tuple[Requirement, ...]
    sensitive: dict[Key, Sensitive]

    @classmethod
    def of(
        cls,
        counts: CountTable,
        schema: Schema,
        requirements: Sequence[Requirement],
        cuts: Cuts | None = None,
        unordered: Unordered = "line",
        whole: Domains | None = None,
    ) -> CodedCounts:
        """As ``read``, but raises an error if even all records as one group fail a requirement."""
        coded = cls.read(counts, schema, requirements, cuts, unordered, whole)
        coded.check()
        return coded

    @classmethod
    def read(
        cls,
        counts: CountTable,
        schema: Schema,
        requirements: Sequence[Requirement],
        cuts: Cuts | None = None,
        unordered: Unordered = "line",
        whole: Domains | None = None,
    ) -> CodedCounts:
        """From a table of counts. All counts may be 1; a row with count 0 declares its values without adding a record.

        ``whole``: the sensitive values of the whole table, if ``counts`` is a part of it; by default it is the whole.
        """
        requirements = of_schema(requirements, schema)
        _check_columns(counts, schema, requirements)
        _check_counts(counts)
        found = attributes(counts, schema, cuts, unordered)
        if not counts.n.all():
            counts = counts.only(counts.n + (0 if counts.persons is None else counts.persons) > 0)
        codes = np.column_stack([one.domain.codes(counts[one.domain.name]) for one in found])
        if whole is None:
            whole = sensitive_domains(schema, requirements, lambda name: counts.by([name]))
        sensitive = {key: Sensitive.of(counts, key, domain) for key, domain in whole.items()}
        return cls(counts, found, np.ascontiguousarray(codes), tuple(requirements), sensitive)

    @property
    def n(self) -> Ints:
        """(n_rows,) number of records"""
        return self.counts.n

    @cached_property
    def weights(self) -> Vector:
        """(n_attributes,) importance of the columns."""
        return np.array([attribute.weight for attribute in self.attributes])

    @cached_property
    def n_records(self) -> int:
        return self.counts.n_records

    @property
    def least(self) -> int:
        """Minimum size of every group."""
        return least_records(self.requirements) or 1

    @property
    def one_block(self) -> CutTree:
        """The tree that cuts nothing."""
        domains = tuple(attribute.domain for attribute in self.attributes)
        parts = tuple((attribute.part(0, attribute.domain.n_codes, 0),) for attribute in self.attributes)
        nothing = np.array([-1])
        return CutTree(domains, parts, nothing, nothing, np.array([0]))

    @property
    def only_sizes(self) -> bool:
        """Whether all requirements depend on group sizes only."""
        return all(requirement.reads in ("totals", "sizes") for requirement in self.requirements)

    @property
    def on_records(self) -> CodedCounts:
        """The same with the requirements on records alone, without those on lengths."""
        return replace(self, requirements=tuple(each for each in self.requirements if each.reads != "extents"))

    def holds(self, rows: Ints, labels: Labels, totals: Ints, lengths: Lengths) -> NDArray[np.bool_]:
        """(n_groups,) whether non-empty groups satisfy all requirements. ``labels``: the group of each of the rows, -1
        where no record is in it."""
        holds = np.ones(totals.size, dtype=bool)
        for requirement in self.requirements:
            for groups in self._groups(requirement, rows, labels, totals, lengths):
                holds &= requirement.holds(groups)
        return holds

    def released(self, labels: Labels, totals: Ints, lengths: Lengths) -> NDArray[np.bool_]:
        """(n_groups,) which groups of all rows are left, as a release is checked: those that fail are suppressed, and
        the others are compared with what is left, until all of these hold. Only shares of values depend on that."""
        released = self.holds(np.arange(self.n.size), labels, totals, lengths)
        of_values = replace(self, requirements=tuple(r for r in self.requirements if domain_keys(r, self.sensitive)))
        while of_values.requirements and released.any() and not released.all():
            kept, number = (labels >= 0) & released[labels], np.cumsum(released) - 1
            beside = of_values._beside(kept)
            held = beside.holds(np.flatnonzero(kept), number[labels[kept]], totals[released], lengths)
            if held.all():
                break
            released[released] = held
        return released

    def _beside(self, kept: NDArray[np.bool_]) -> CodedCounts:
        """The same, where groups are compared with a whole without the rows that are not ``kept``."""
        sensitive = {key: each.without(np.where(kept, 0, self.n)) for key, each in self.sensitive.items()}
        return replace(self, sensitive=sensitive)

    @property
    def can_hold(self) -> bool:
        """Whether all records as one group satisfy the requirements: if not, no division does without suppression."""
        return next(self.failing(), None) is None

    def check(self) -> None:
        """Raises PolicyError if even all records as one group fail a requirement."""
        for requirement, groups in self.failing():
            name, reached = requirement_names([requirement])[0], requirement.reached(groups)
            nearest = nearest_met(requirement, reached)
            raise PolicyError.nothing_holds(name, requirement.measure, requirement.asked, reached, nearest)

    def failing(self) -> Iterator[tuple[Requirement, Groups]]:
        """The requirements that fail even if all records are one group."""
        rows = np.arange(self.n.size)
        labels, totals = np.zeros(self.n.size, dtype=np.int64), np.array([self.n_records])
        for requirement in self.requirements:
            for groups in self._groups(requirement, rows, labels, totals, self._whole_length):
                if not requirement.holds(groups).all():
                    yield requirement, groups

    def _groups(
        self, requirement: Requirement, rows: Ints, labels: Labels, totals: Ints, lengths: Lengths
    ) -> Iterator[Groups]:
        """The groups as input of a requirement; for a sensitive column, one for each form of it."""
        if self.counts.persons is not None:
            inside = labels >= 0
            persons = np.bincount(labels[inside], self.counts.persons[rows[inside]], totals.size).astype(np.float64)
            if requirement.reads == "population":
                yield Groups(totals, persons=persons)
                return
            filled = self.n[rows] > 0
            rows, labels = rows[filled], labels[filled]
        if requirement.reads == "totals" or requirement.column is None:
            yield Groups(totals)
        elif reads_numbers(requirement.reads):
            amounts = self._amounts[requirement.column][rows]
            found = Contributions.of(totals.size, labels, self.n[rows], amounts, None, "sum")
            yield Groups(totals, contributions=found)
        elif requirement.reads == "extents":
            names = [attribute.domain.name for attribute in self.attributes]
            yield Groups(totals, extents={requirement.column: lengths(names.index(requirement.column))})
        for key in domain_keys(requirement, self.sensitive):
            yield self._sensitive_groups(self.sensitive[key], rows, labels, totals)

    def _sensitive_groups(self, sensitive: Sensitive, rows: Ints, labels: Labels, totals: Ints) -> Groups:
        from scipy.sparse import coo_array

        values = sensitive.values[rows]
        known = values >= 0
        places: Any = (labels[known], values[known])
        counts = coo_array((self.n[rows][known], places), shape=(totals.size, sensitive.whole.size)).tocsr()
        return Groups(totals, counts, sensitive.whole, sensitive.tree)

    @cached_property
    def _amounts(self) -> dict[str, Vector]:
        """Column -> (n_rows,) its numbers, where a requirement adds them up."""
        names = {str(each.column) for each in self.requirements if reads_numbers(each.reads)}
        return {name: amounts_of(name, self.counts[name]) for name in names}

    def _whole_length(self, column: int) -> Vector:
        attribute = self.attributes[column]
        ends = np.array([0]), np.array([attribute.domain.n_codes])
        return attribute.lengths(*ends, np.array([0]))


def _check_columns(counts: CountTable, schema: Schema, requirements: Sequence[Requirement]) -> None:
    for name in schema.quasi_identifiers:
        if name not in counts.names:
            raise PolicyError.unknown_column(f"columns.{name}", name, counts.names)
    for requirement in requirements:
        if not requirement.monotone:
            raise RuleError.needs_monotone(requirement.name)
        if requirement.reads == "extents" and requirement.column not in schema.quasi_identifiers:
            raise PolicyError.wrong_role(requirement.name, str(requirement.column), "quasi_identifier", "another")
        if requirement.column and requirement.column not in counts.names:
            raise PolicyError.unknown_column(requirement.name, requirement.column, counts.names)


def _check_counts(counts: CountTable) -> None:
    if counts.n.min(initial=0) < 0 or not counts.n_records:
        raise TableError.invalid_counts(int((counts.n < 0).sum()))
