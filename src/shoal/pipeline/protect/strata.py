"""Strata: records that differ in the columns ``within`` never share a group."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from shoal.encode.codes import positions_among, to_codes
from shoal.encode.count_table import CountTable
from shoal.engines.protocol import BLOCK
from shoal.errors import FailingClasses, RequirementError
from shoal.kernels import Labels
from shoal.plan.limit import is_above
from shoal.policy.keys import KeySet
from shoal.requirements import Requirement
from shoal.requirements.requirement import requirement_names

GROUPS_OF_A_BLOCK = 2**32  # so that a group number encodes its block


@dataclass(frozen=True)
class Strata:
    """Numbers of the combinations of values that occur; without columns there is one stratum."""

    names: tuple[str, ...]
    values: tuple[pa.Array[Any], ...]  # of every column, in their order
    prefixes: tuple[Labels, ...]  # of every column: codes of the combinations up to it that occur, ascending
    sizes: Labels  # (n_strata,) records

    @classmethod
    def of(cls, names: Sequence[str], group_counts: Callable[[Sequence[str]], pa.Table]) -> Strata:
        counts = CountTable.of(group_counts(names))
        values = tuple(to_codes(name, counts[name]).values for name in names)
        strata, prefixes = np.zeros(len(counts), dtype=np.int64), []
        for name, domain in zip(names, values, strict=True):
            found, strata = np.unique(_extended_codes(strata, counts[name], domain), return_inverse=True)
            prefixes.append(found)
        sizes = np.bincount(strata, weights=counts.n).astype(np.int64)
        return cls(tuple(names), values, tuple(prefixes), sizes)

    def check_sizes(self, keys: Sequence[KeySet], limit: float) -> None:
        """Raises RequirementError if the records of strata smaller than k, all suppressed, exceed ``limit``."""
        k = max(key.k for key in keys)
        small = self.sizes < k
        n_records = int(self.sizes[small].sum())
        if is_above(n_records, self.n_records, limit):
            share = n_records / self.n_records
            raise RequirementError.small_strata(self.names, int(small.sum()), n_records, k, share)

    def check_requirements(
        self, holding: Collection[int], limit: float, requirements: Sequence[Requirement] = ()
    ) -> None:
        """The same for strata not ``holding``, whose requirements fail even with all their records in one group."""
        failing = [stratum for stratum in range(self.sizes.size) if stratum not in holding]
        n_records = int(self.sizes[failing].sum())
        names, share = requirement_names(requirements), n_records / self.n_records
        if not holding:
            reads = [requirement.reads for requirement in requirements]
            raise RequirementError.nothing_left(n_records, FailingClasses(names, reads, self.names))
        if is_above(n_records, self.n_records, limit):
            raise RequirementError.failing_strata(self.names, len(failing), n_records, share, names)

    @property
    def n_records(self) -> int:
        return int(self.sizes.sum())

    def stratum_of(self, table: pa.Table) -> Labels:
        """(n_records,) The stratum of each record."""
        strata = np.zeros(len(table), dtype=np.int64)
        for name, domain, prefixes in zip(self.names, self.values, self.prefixes, strict=True):
            strata = np.searchsorted(prefixes, _extended_codes(strata, table[name], domain)).astype(np.int64)
        return strata

    def occur_in(self, table: pa.Table) -> NDArray[np.bool_]:
        """(n_rows,) Whether the values of a row are those of a stratum."""
        strata, occur = np.zeros(len(table), dtype=np.int64), np.ones(len(table), dtype=bool)
        for name, domain, prefixes in zip(self.names, self.values, self.prefixes, strict=True):
            extended = _extended_codes(strata, table[name], domain)
            strata = np.minimum(np.searchsorted(prefixes, extended), len(prefixes) - 1)
            is_known = (positions_among(table[name], domain) >= 0) | table[name].is_null().to_numpy()
            occur &= is_known & (prefixes[strata] == extended)
        return occur

    def values_of(self, stratum: int) -> dict[str, str | None]:
        """The values that its records share, as text; None: missing."""
        found: dict[str, str | None] = {}
        for name, domain, prefixes in reversed(list(zip(self.names, self.values, self.prefixes, strict=True))):
            stratum, place = divmod(int(prefixes[stratum]), len(domain) + 1)
            found[name] = str(domain[place - 1].as_py()) if place else None
        return dict(reversed(found.items()))

    def mark(self, table: pa.Table) -> pa.Table:
        """The table with the stratum of every record as its block."""
        return table.append_column(BLOCK, pa.array(self.stratum_of(table)))


def _extended_codes(prefixes: Labels, cells: pa.ChunkedArray[Any], domain: pa.Array[Any]) -> Labels:
    """(n_records,) Codes of prefixes extended by one more column; missing is a value of its own."""
    return prefixes * (len(domain) + 1) + positions_among(cells, domain) + 1
