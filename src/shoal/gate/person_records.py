"""Releases of the same persons side by side: their classes, and the values by which records of one person agree.

written records of all releases, whose they are -> CommonCandidates

Columns by which records of two releases can be recognized as one person's are those that all of them show, that make no
class, and whose cells are the same for nearly all persons: a diagnosis that stays, a place of birth, a pseudonym under
the same key. Texts are compared without regard to case and outer blanks, numbers by their value; missing is a value.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from shoal.errors import EarlierReleaseError
from shoal.gate.common_candidates import CommonCandidates, EarlierClasses, ReleaseClasses
from shoal.gate.written_counts import numbered_rows
from shoal.kernels import Labels

STABLE = 0.9  # share of the persons for whom the cells of two releases agree at least


@dataclass(frozen=True, eq=False)
class PersonRecords:
    """The records of a written release."""

    name: str  # of its file
    records: pa.Table  # columns that make classes as text, others by their kind
    class_columns: tuple[str, ...]
    persons: pa.Array[Any] | None  # (n_records,) whose each record is, as text; None: not known
    suppressed: pa.Array[Any] | None = None  # persons of its original who have no record in it; None: not known

    @cached_property
    def classes(self) -> Labels:
        """(n_records,) the class of every record: records written alike are in one."""
        columns = (_codes(_plain(self.records[name])) for name in self.class_columns)
        return numbered_rows(columns, len(self.records))

    @property
    def other_columns(self) -> list[str]:
        return [name for name in self.records.column_names if name not in self.class_columns]


@dataclass(frozen=True, eq=False)
class ComparedReleases:
    """A release and earlier ones of the same persons. ``declared``: the columns that do not change over time, where
    somebody states them."""

    new: PersonRecords
    earlier: tuple[PersonRecords, ...]
    declared: tuple[str, ...] | None = None

    def __post_init__(self) -> None:
        for name in self.declared or ():
            for release in (self.new, *self.earlier):
                if name not in release.other_columns:
                    raise EarlierReleaseError.not_stable(name, release.name, self._shared)

    @property
    def are_persons_known(self) -> bool:
        return all(release.persons is not None for release in (self.new, *self.earlier))

    @cached_property
    def has_common_persons(self) -> bool:
        """Whether somebody has a record in the new release and in an earlier one."""
        return bool(self._shared_with)

    @cached_property
    def stable(self) -> tuple[str, ...]:
        """The columns by which records are recognized: those declared, else all that agree for nearly all persons; all
        that the releases share where persons are not known."""
        if self.declared is not None:
            return self.declared
        return tuple(name for name in self._shared if self.agreements[name] >= STABLE)

    @cached_property
    def agreements(self) -> dict[str, float]:
        """By column that all releases show: the smallest share of the persons of two releases whose cells agree, of
        those who have a value in both."""
        if not self.are_persons_known:
            return dict.fromkeys(self._shared, 1.0)
        return {
            name: min((self._agreement(name, at) for at in self._shared_with), default=0.0) for name in self._shared
        }

    @cached_property
    def values(self) -> tuple[Labels, ...]:
        """(n_records,) of every release, the new one first: the number of the combination of the stable columns."""
        releases = (self.new, *self.earlier)
        lengths = [len(release.records) for release in releases]
        columns = ([release.records[name] for release in releases] for name in self.stable)
        together = numbered_rows(map(_codes_together, columns), sum(lengths))
        return tuple(np.split(together, np.cumsum(lengths)[:-1]))

    @cached_property
    def candidates(self) -> CommonCandidates:
        """What is left for every person; persons must be known."""
        new, *before = self.values
        return CommonCandidates(
            ReleaseClasses(self.new.classes, new),
            tuple(
                EarlierClasses(release.classes, values, np.append(release.classes, -1)[self.places[at]])
                for at, (release, values) in enumerate(zip(self.earlier, before, strict=True))
            ),
        )

    def candidates_by(self, name: str) -> CommonCandidates:
        """The same, comparing one column alone, of which missing is 0."""
        releases = (self.new, *self.earlier)
        codes = _codes_together([release.records[name] for release in releases]) + 1
        new, *before = np.split(codes, np.cumsum([len(release.records) for release in releases])[:-1])
        earlier = zip(self.candidates.earlier, before, strict=True)
        return CommonCandidates(
            replace(self.candidates.new, values=new), tuple(replace(each, values=values) for each, values in earlier)
        )

    @cached_property
    def places(self) -> tuple[Labels, ...]:
        """(n_new,) of every earlier release: the record of each new record's person; -1: none."""
        return tuple(self._places(release) for release in self.earlier)

    @cached_property
    def n_unique_everywhere(self) -> int:
        """Records of the new release whose stable columns single them out in every release."""
        n_values = max(int(values.max(initial=-1)) for values in self.values) + 1
        once = [np.bincount(values, minlength=n_values) == 1 for values in self.values]
        return int(np.logical_and.reduce(once).sum())

    @cached_property
    def _shared_with(self) -> list[int]:
        """The earlier releases that have a record of a person of the new one."""
        return [at for at, place in enumerate(self.places) if (place >= 0).any()]

    @property
    def _shared(self) -> list[str]:
        names = [name for name in self.new.other_columns if self._is_comparable(name)]
        return [name for name in names if all(name in release.other_columns for release in self.earlier)]

    def _is_comparable(self, name: str) -> bool:
        return not pa.types.is_nested(self.new.records[name].type)

    def _places(self, release: PersonRecords) -> Labels:
        now, then = (_known(each) for each in (self.new, release))
        found: Any = pc.index_in(now, value_set=then)
        places: Labels = found.fill_null(-1).to_numpy(zero_copy_only=False).astype(np.int64)
        if not (places >= 0).any():
            _check_same_persons(self.new, release)
        return places

    def _agreement(self, name: str, at: int) -> float:
        codes = _codes_together([self.new.records[name], self.earlier[at].records[name]])
        now, before = np.split(codes, [len(self.new.records)])
        then = np.append(before, -1)[self.places[at]]
        known = np.flatnonzero((now >= 0) & (then >= 0))
        return float((now[known] == then[known]).mean()) if known.size else 0.0


def _check_same_persons(new: PersonRecords, earlier: PersonRecords) -> None:
    """Raises an error unless the originals have persons in common, who are all suppressed in one of the releases."""
    if new.suppressed is None or earlier.suppressed is None:
        raise EarlierReleaseError.no_common_record(earlier.name, new.name)
    now, then = (pa.concat_arrays([_known(each), _suppressed(each)]) for each in (new, earlier))
    if not pc.any(pc.is_in(now, value_set=then)).as_py():
        raise EarlierReleaseError.no_common_person(earlier.name, new.name)


def _suppressed(release: PersonRecords) -> pa.Array[Any]:
    return pa.array([], pa.string()) if release.suppressed is None else release.suppressed


def _known(release: PersonRecords) -> pa.Array[Any]:
    if release.persons is None:
        raise EarlierReleaseError.no_private_manifest(release.name)
    return release.persons


def _codes_together(columns: Sequence[Any]) -> Labels:
    """The codes of one column of several releases, one after the other, equal where cells are."""
    return _codes(pa.concat_arrays(_comparable(columns)))


def _comparable(columns: Sequence[Any]) -> list[Any]:
    """The cells of several columns in one type: numbers by value, everything else as text in small letters."""
    plain = [_plain(column) for column in columns]
    if all(pa.types.is_integer(each.type) or pa.types.is_floating(each.type) for each in plain):
        return [pc.add(each.cast(pa.float64()), 0.0) for each in plain]  # -0.0 is 0.0
    texts = [each.cast(pa.string()) for each in plain]
    return [pc.utf8_lower(pc.utf8_trim_whitespace(each)) for each in texts]


def _plain(column: Any) -> Any:
    whole = column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column
    return whole.cast(whole.type.value_type) if pa.types.is_dictionary(whole.type) else whole


def _codes(cells: Any) -> Labels:
    """(n_records,) numbers of the cells, -1 for missing."""
    encoded: Any = pc.dictionary_encode(cells)
    codes: Labels = encoded.indices.fill_null(-1).to_numpy(zero_copy_only=False).astype(np.int64)
    return codes
