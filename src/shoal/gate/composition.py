"""Households of a written release: their composition, and blanks that other members disclose.

counts of the written release -> the number of the composition of every household
values of the written release -> the blanks of household-level columns filled

The composition of a household is the released quasi-identifiers of all its members. Two households have the same one
if their members have the same quasi-identifiers, each combination as often. Compositions are compared by 128-bit sums
of hashes of the members, so that households can be read in chunks. In a household-level column all members have the
same value, so that one member who shows it discloses the blanks of the others. All of this is the gate's own
computation: it shares no code with what produced the release.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from shoal.gate.written_counts import WrittenCounts
from shoal.kernels import Labels

Lanes = NDArray[np.uint64]  # (n, 2)
MULTIPLIERS = np.array([0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F], dtype=np.uint64)
SHIFT = np.uint64(29)


@dataclass(frozen=True)
class Compositions:
    """``households`` by their numbers in the file, and the number of the composition of each."""

    households: pa.Array[Any]  # (n_households,)
    numbers: Labels  # (n_households,)

    @classmethod
    def of(cls, found: MemberHashes) -> Compositions:
        numbers = np.unique(found.lanes, axis=0, return_inverse=True)[1].ravel().astype(np.int64)
        return cls(found.households, numbers)

    def of_cells(self, cells: pa.ChunkedArray[Any]) -> pa.Array[Any]:
        """The number of the composition of every record's household; missing for a record without a household."""
        places: Any = pc.index_in(cells, value_set=self.households)
        return pa.array(self.numbers, pa.int64()).take(places.combine_chunks())


@dataclass(frozen=True)
class MemberHashes:
    """The households, and for each the sum of the hashes of its members."""

    households: pa.Array[Any]  # (n_households,)
    lanes: Lanes

    @classmethod
    def of(cls, columns: Sequence[str], counts: pa.Table) -> MemberHashes:
        """``counts``: household, ``columns``, and number of records."""
        linked = WrittenCounts.of(counts).known
        codes, values = linked.codes(counts.column_names[0])
        sums = np.zeros((len(values), 2), dtype=np.uint64)
        np.add.at(sums, codes, _member_hashes(linked, columns) * linked.n.astype(np.uint64)[:, None])
        return cls(values, sums)

    def __add__(self, other: MemberHashes) -> MemberHashes:
        """Of other households."""
        households = pa.concat_arrays([self.households, other.households])
        return MemberHashes(households, np.concatenate([self.lanes, other.lanes]))


def _member_hashes(linked: WrittenCounts, columns: Sequence[str]) -> Lanes:
    """(n_rows, 2) a hash of the quasi-identifiers of a member, built column by column."""
    lanes = np.ones((len(linked.n), 2), dtype=np.uint64)
    for name in columns:
        codes, values = linked.codes(name)
        lanes = _mixed(lanes * MULTIPLIERS + np.vstack([_digests(values), _digest(None)[None]])[codes])
    return lanes


def _mixed(lanes: Lanes) -> Lanes:
    mixed: Lanes = (lanes ^ (lanes >> SHIFT)) * MULTIPLIERS[::-1]
    return mixed ^ (mixed >> SHIFT)


def _digests(values: pa.Array[Any]) -> Lanes:
    texts = values.to_pylist()
    return np.array([_digest(str(text)) for text in texts], dtype=np.uint64).reshape(len(texts), 2)


def _digest(text: str | None) -> Lanes:
    """The hash of a text, or of a missing value, which equals that of no text."""
    purpose = b"missing" if text is None else b"text"
    digest = hashlib.blake2b((text or "").encode(), digest_size=16, person=purpose).digest()
    return np.frombuffer(digest, dtype="<u8").astype(np.uint64)


@dataclass(frozen=True)
class Siblings:
    """The value of each household in a household-level column, where any member shows it."""

    column: str
    household: str
    households: pa.Array[Any]
    values: pa.Array[Any]

    @classmethod
    def of(cls, counts: pa.Table, column: str, household: str) -> Siblings:
        """``counts``: household, value and number of records, with a row for every combination."""
        found: Any = counts.select([0, 1]).rename_columns(["household", "value"])
        known = found.filter(pc.and_(pc.is_valid(found["household"]), pc.is_valid(found["value"])))
        shown = known.group_by("household").aggregate([("value", "min")])
        return cls(column, household, shown["household"].combine_chunks(), shown["value_min"].combine_chunks())

    def fill(self, piece: pa.Table) -> pa.Table:
        """The records with the blanks of the column filled from other members of the household."""
        places: Any = pc.index_in(piece[self.household], value_set=self.households)
        shown: Any = pc.coalesce(piece[self.column], pc.take(self.values, places))
        return piece.set_column(piece.column_names.index(self.column), self.column, shown)
