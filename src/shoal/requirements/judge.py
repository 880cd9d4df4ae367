"""All requirements at once: which groups of a partition of a block hold every one of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from shoal.encode.codes import positions_among, to_codes
from shoal.kernels import Labels
from shoal.plan import Partition
from shoal.requirements import Reads, Requirement
from shoal.requirements.groups import Groups, first_of_units
from shoal.schema import Column, Schema

Key = tuple[str | None, Reads]  # what a requirement reads, and of which column
ValueCounts = Callable[[str], pa.Table]  # column -> its values, and how many records n have each


@dataclass(frozen=True)
class Domain:
    """The values of a sensitive column in the whole table, in their order where one is read."""

    values: pa.Array[Any]  # (n_values,)
    n: Labels  # (n_values,) records of the whole table
    tree: Labels | None  # (n_values, n_levels)

    @classmethod
    def of(cls, column: Column, counts: pa.Table, reads: Reads) -> Domain:
        cells: Any = counts.column(0)
        if pa.types.is_dictionary(cells.type):
            cells = cells.cast(cells.type.value_type)  # the order is that of the policy, not of a category type
        n_each: Labels = counts.column(1).to_numpy().astype(np.int64)
        encoded = to_codes(column.name, cells, column.order if reads == "order" else None, n_each)
        known = encoded.codes >= 0
        n = np.zeros(encoded.n_values, dtype=np.int64)
        np.add.at(n, encoded.codes[known], n_each[known])
        tree = column.taxonomy.nodes_above(encoded.texts) if reads == "tree" and column.taxonomy else None
        return cls(encoded.values, n, tree)


Domains = Mapping[Key, Domain]


def domains(schema: Schema, requirements: Sequence[Requirement], value_counts: ValueCounts) -> Domains:
    """Of every sensitive column that a requirement reads."""
    keys = {(requirement.column, requirement.reads) for requirement in requirements if requirement.reads != "extents"}
    return {(name, reads): Domain.of(schema[name], value_counts(name), reads) for name, reads in keys if name}


@dataclass(frozen=True)
class Seen:
    """A sensitive column of the records of a block."""

    codes: Labels  # (n_rows,) -1 where missing
    tree: Labels | None
    elsewhere: Labels  # (n_values,) records of all other blocks

    @classmethod
    def of(cls, domain: Domain, cells: pa.ChunkedArray[Any], n: Labels, units: Labels | None) -> Seen:
        codes = positions_among(cells, domain.values)
        return cls(codes, domain.tree, np.maximum(domain.n - _counted(codes, n, len(domain.n), units), 0))

    def groups(self, labels: Labels, n: Labels, units: Labels | None) -> Groups:
        """The groups of the records that are kept; the whole is what they hold, and all that is elsewhere."""
        whole = self.elsewhere + _counted(self.codes, n, len(self.elsewhere), units)
        return Groups.of(labels, n, self.codes, self.tree, whole, units)


def _counted(codes: Labels, n: Labels, n_values: int, units: Labels | None) -> Labels:
    """(n_values,) records, or different units, of every value."""
    known = codes >= 0
    n_each = n[known] if units is None else first_of_units(codes[known], n[known], units[known])
    return np.bincount(codes[known], weights=n_each, minlength=n_values).astype(np.int64)


@dataclass(frozen=True)
class Judge:
    """Ready to judge partitions of the rows of a block; its sensitive columns are encoded once."""

    requirements: tuple[Requirement, ...]
    seen: Mapping[Key, Seen]
    n: Labels  # (n_rows,) records that every row stands for
    units: Labels | None = None  # (n_rows,) the unit of its records, which are counted then; -1: units of their own

    def __call__(self, partition: Partition) -> NDArray[np.bool_]:
        """(n_groups,) whether a group holds all, where every record is released."""
        return self._hold(partition.labels, np.ones(partition.n_records, dtype=bool))

    def held(self, partition: Partition, kept: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """(n_records,) the kept records whose group holds all, where only these are released."""
        return kept & self._hold(partition.labels, kept)[partition.labels]

    def _hold(self, labels: Labels, kept: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """(n_groups,) A group without a kept record holds."""
        n = np.where(kept, self.n, 0)
        totals = Groups.of(labels, n, units=self.units)
        held, left = np.ones(totals.n_groups, dtype=bool), totals.totals > 0
        for key in {(requirement.column, requirement.reads) for requirement in self.requirements}:
            groups = (self.seen[key].groups(labels, n, self.units) if key in self.seen else totals).only(left)
            for requirement in self.requirements:
                if (requirement.column, requirement.reads) == key and groups.n_groups:
                    held[left] &= requirement.holds(groups)
        return held


def releasable(judged: Sequence[tuple[Judge, Partition]], n_records: int) -> NDArray[np.bool_]:
    """(n_records,) who can be released: each that is dropped changes the groups, and the whole that others refer to."""
    kept = np.ones(n_records, dtype=bool)
    while True:
        held = kept.copy()
        for one, partition in judged:
            held &= one.held(partition, kept)
        if (held == kept).all():
            return kept
        kept = held


def judge(
    block: pa.Table,
    requirements: Sequence[Requirement],
    whole: Domains,
    n: Labels | None = None,
    units: Labels | None = None,
) -> Judge:
    """A judge of the rows of a block of the table that ``whole`` was made from. ``n``: records of each, or one;
    ``units``: the unit of its records, where ``whole`` counts units."""
    n = np.ones(len(block), dtype=np.int64) if n is None else n
    seen = {key: Seen.of(domain, block[key[0]], n, units) for key, domain in whole.items() if key[0]}
    return Judge(tuple(requirements), seen, n, units)
