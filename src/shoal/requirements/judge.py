"""Evaluation of all requirements together: which groups of a partition of a block satisfy every one of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from shoal.encode.codes import Codes, positions_among, to_codes
from shoal.encode.count_table import CountTable
from shoal.encode.number_column import to_numbers
from shoal.kernels import Labels, Vector
from shoal.plan import Partition
from shoal.requirements import Reads, Requirement
from shoal.requirements.groups import Groups, first_of_units
from shoal.requirements.requirement import amount_of_unit, reads_numbers, tolerance_of
from shoal.requirements.tolerance import Tolerance, cells_of
from shoal.schema import Column, Schema
from shoal.schema.spelling import blank_missing_words, normalized_values

Form = Literal["as written", "as read", "in cells", "in moved cells"]
CELLS: tuple[Form, Form] = ("in cells", "in moved cells")  # of a tolerance, in its two readings
Key = tuple[str, Reads, Tolerance | None, Form]  # the column, what is read of it, and how its values are compared
ValueCounts = Callable[[str], CountTable]  # column -> counts by its values, or by values and units where units count


@dataclass(frozen=True)
class SensitiveDomain:
    """The values of a sensitive column in the whole table, in the column's order where the requirement reads it."""

    written: pa.Array[Any]  # (n_written,) different cells as written in the table
    codes: Labels  # (n_written,) number of the value that each stands for; -1: none
    n: Labels  # (n_values,) records, or units, of the whole table
    tree: Labels | None  # (n_values, n_levels)

    @classmethod
    def forms(
        cls, column: Column, counts: CountTable, reads: Reads, tolerance: Tolerance | None = None
    ) -> Iterator[tuple[Form, SensitiveDomain]]:
        """The domain of the values as written and, where it differs, that of the values after normalization; with a
        tolerance, those of its two readings instead.

        ``counts``: by value, or by value and unit. Units are counted once for every value, and once for all spellings
        of a normalized value.
        """
        cells: Any = counts.values
        if pa.types.is_dictionary(cells.type):
            cells = cells.cast(cells.type.value_type)  # the order is that of the policy, not of a category type
        n_each, (_, *of_units) = counts.n, counts.combinations.columns
        units = to_codes("unit", of_units[0]).codes if of_units else None
        order = column.order if reads == "order" else None
        encoded = to_codes(column.name, blank_missing_words(cells, column), order, n_each)
        if tolerance is not None:
            for form, near in zip(CELLS, cells_of(encoded.values, column, tolerance), strict=True):
                of_rows = np.append(near, -1)[encoded.codes]
                n = _counts_by_value(of_rows, n_each, int(near.max(initial=-1)) + 1, units)
                yield form, cls(encoded.values, near, n, None)
            return
        n = _counts_by_value(encoded.codes, n_each, encoded.n_values, units)
        tree = column.taxonomy.nodes_above(encoded.texts) if reads == "tree" and column.taxonomy else None
        written = np.arange(encoded.n_values)
        yield "as written", cls(encoded.values, written, n, tree)
        read = _normalized_codes(encoded, column)
        if not np.array_equal(read, written):
            nodes = None if tree is None else tree[_first_spellings(read, encoded.texts)]
            of_rows = np.append(read, -1)[encoded.codes]
            n = _counts_by_value(of_rows, n_each, int(read.max(initial=-1)) + 1, units)
            yield "as read", cls(encoded.values, read, n, nodes)

    def positions(self, cells: pa.ChunkedArray[Any]) -> Labels:
        """(n_records,) number of the value in each cell; -1 where there is none."""
        return np.append(self.codes, -1)[positions_among(cells, self.written)]


Domains = Mapping[Key, SensitiveDomain]


def sensitive_domains(schema: Schema, requirements: Sequence[Requirement], value_counts: ValueCounts) -> Domains:
    """The domains of every sensitive column that a requirement reads."""
    read = dict.fromkeys(
        (requirement.column, requirement.reads, tolerance_of(requirement))
        for requirement in requirements
        if requirement.reads != "extents" and not reads_numbers(requirement.reads)
    )
    return {
        (name, reads, tolerance, form): domain
        for name, reads, tolerance in read
        if name
        for form, domain in SensitiveDomain.forms(schema[name], value_counts(name), reads, tolerance)
    }


def domain_keys(requirement: Requirement, known: Iterable[Key]) -> list[Key]:
    """The domains on which a requirement is evaluated: its column in every form; none where it reads no sensitive
    column."""
    read = requirement.column, requirement.reads, tolerance_of(requirement)
    return [key for key in known if key[:3] == read]


def _normalized_codes(encoded: Codes, column: Column) -> Labels:
    """(n_written,) number of the normalized value, by first occurrence; -1 where there is none."""
    read = normalized_values(encoded.values, column)
    if read is None:
        return np.arange(encoded.n_values)
    number = {key: at for at, key in enumerate(dict.fromkeys(key for key in read if key is not None))}
    return np.array([-1 if key is None else number[key] for key in read], dtype=np.int64)


def _first_spellings(codes: Labels, texts: Sequence[str]) -> Labels:
    """(n_values,) for every value, which of its spellings sorts first."""
    by_text = np.argsort(np.array(texts, dtype=object), kind="stable")
    values, first = np.unique(codes[by_text], return_index=True)
    return by_text[first[values >= 0]]


@dataclass(frozen=True)
class SensitiveCodes:
    """A sensitive column of the rows of a block."""

    codes: Labels  # (n_rows,) -1 where missing
    tree: Labels | None
    elsewhere: Labels  # (n_values,) records, or units, of all other blocks

    @classmethod
    def of(
        cls, domain: SensitiveDomain, cells: pa.ChunkedArray[Any], n: Labels, units: Labels | None
    ) -> SensitiveCodes:
        codes = domain.positions(cells)
        return cls(codes, domain.tree, np.maximum(domain.n - _counts_by_value(codes, n, len(domain.n), units), 0))

    def groups(self, labels: Labels, n: Labels, units: Labels | None) -> Groups:
        """The groups of the kept records (``n`` is 0 for others); the whole is these and all other blocks."""
        whole = self.elsewhere + _counts_by_value(self.codes, n, len(self.elsewhere), units)
        return Groups.of(labels, n, self.codes, self.tree, whole, units)


def _counts_by_value(codes: Labels, n: Labels, n_values: int, units: Labels | None) -> Labels:
    """(n_values,) records, or distinct units, of every value."""
    known = codes >= 0
    n_each = n[known] if units is None else first_of_units(codes[known], n[known], units[known])
    return np.bincount(codes[known], weights=n_each, minlength=n_values).astype(np.int64)


@dataclass(frozen=True)
class RequirementChecker:
    """Evaluates requirements on partitions of the rows of a block; its sensitive columns are encoded once."""

    requirements: tuple[Requirement, ...]
    sensitive: Mapping[Key, SensitiveCodes]
    n: Labels  # (n_rows,) records that every row stands for
    units: Labels | None = None  # (n_rows,) unit of the records, where units are counted; -1: one each
    amounts: Mapping[str, Vector] = field(default_factory=dict)  # column -> (n_rows,) its numbers, NaN where missing
    persons: Labels | None = None  # (n_rows,) persons of the population, whether records are released or not

    def __call__(self, partition: Partition) -> NDArray[np.bool_]:
        """(n_groups,) which groups satisfy all requirements if every record is released."""
        return self._satisfying_groups(partition.labels, np.ones(partition.n_records, dtype=bool))

    def satisfying_records(self, partition: Partition, kept: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """(n_records,) the kept records whose group satisfies all requirements if only these are released."""
        return kept & self._satisfying_groups(partition.labels, kept)[partition.labels]

    def _satisfying_groups(self, labels: Labels, kept: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """(n_groups,) which groups satisfy all requirements; True for a group without a kept record."""
        n = np.where(kept, self.n, 0)
        totals = Groups.of(labels, n, units=self.units)
        if self.persons is not None:
            persons = np.bincount(labels, weights=self.persons, minlength=totals.n_groups).astype(np.float64)
            totals = replace(totals, persons=persons)
        held, left = np.ones(totals.n_groups, dtype=bool), totals.totals > 0
        read: list[Sequence[Key | None]] = [
            domain_keys(requirement, self.sensitive) or [None] for requirement in self.requirements
        ]
        for key in dict.fromkeys(key for some in read for key in some) if left.any() else ():
            groups = (totals if key is None else self.sensitive[key].groups(labels, n, self.units)).only(left)
            for requirement, some in zip(self.requirements, read, strict=True):
                if key in some:
                    shown = self._with_amounts(requirement, labels, n).only(left) if _adds(requirement) else groups
                    held[left] &= requirement.holds(shown)
        return held

    def _with_amounts(self, requirement: Requirement, labels: Labels, n: Labels) -> Groups:
        amounts, of_unit = self.amounts[str(requirement.column)], amount_of_unit(requirement.reads)
        return Groups.of_amounts(labels, n, amounts, self.units, of_unit)


def _adds(requirement: Requirement) -> bool:
    return reads_numbers(requirement.reads)


def amounts_of(name: str, cells: pa.ChunkedArray[Any]) -> Vector:
    """(n_rows,) the numbers of a column, NaN where missing."""
    numbers = to_numbers(name, cells)
    return np.where(numbers.missing, np.nan, numbers.values)


def keep_until_stable(
    checks: Sequence[tuple[RequirementChecker, Partition]],
    n_records: int,
    among: NDArray[np.bool_] | None = None,
    exempt: Sequence[NDArray[np.bool_]] = (),
) -> NDArray[np.bool_]:
    """(n_records,) the records that can be released. Repeated until nothing changes, since every record that is dropped
    changes its group and the whole that other groups are compared with. ``among``: those that may be; left out, all.
    ``exempt``: for every check, the records that it does not judge; left out, none."""
    kept = np.ones(n_records, dtype=bool) if among is None else among
    while True:
        held = kept.copy()
        for at, (checker, partition) in enumerate(checks):
            satisfying = checker.satisfying_records(partition, kept)
            held &= satisfying | exempt[at] if exempt else satisfying
        if (held == kept).all():
            return kept
        kept = held


def requirement_checker(
    block: pa.Table,
    requirements: Sequence[Requirement],
    whole: Domains,
    n: Labels | None = None,
    units: Labels | None = None,
    persons: Labels | None = None,
) -> RequirementChecker:
    """A ``RequirementChecker`` of the rows of a block; ``whole``: the domains of the whole table. ``n``: records of
    each row, one if not given; ``units``: the unit of these records, where ``whole`` counts units; ``persons``: of the
    population."""
    n = np.ones(len(block), dtype=np.int64) if n is None else n
    sensitive = {key: SensitiveCodes.of(domain, block[key[0]], n, units) for key, domain in whole.items()}
    added = {str(each.column) for each in requirements if _adds(each)}
    amounts = {name: amounts_of(name, block[name]) for name in sorted(added)}
    return RequirementChecker(tuple(requirements), sensitive, n, units, amounts, persons)
