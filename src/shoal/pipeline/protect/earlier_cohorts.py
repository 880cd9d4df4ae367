"""The cohorts of a table: who was in which class of earlier releases, and which values do not change over time.

The earlier releases are read as their recipients read them. This code forms groups and shares no line with the gate,
which compares the written releases.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from shoal.encode.codes import to_codes
from shoal.engines.protocol import F
from shoal.errors import EarlierReleaseError
from shoal.kernels import Labels
from shoal.kernels.combinations import number_combinations
from shoal.methods.microaggregation.cohorts import Cohorts, InvariantColumn, counts_of_classes

if TYPE_CHECKING:
    from shoal.gate.person_records import PersonRecords
    from shoal.pipeline.protect.fitted_table import FittedTable

STABLE_SHARE = 0.9  # of the persons who have the same value in both releases, where the policy names no columns


def cohorts_of(original: FittedTable[F], earlier: Sequence[PersonRecords], persons: pa.Array[Any]) -> Cohorts:
    """The cohorts of all records. ``persons``: (n_records,) the person of each."""
    places = [_places(persons, release) for release in earlier]
    classes = [_classes(release) for release in earlier]
    columns = [
        [_cells(original, name), *(_as_text(release.records[name]) for release in earlier)]
        for name in _stable_columns(original, earlier, places)
    ]
    if _show_pseudonyms(original, earlier):
        columns.append([pa.chunked_array([each]) for each in (persons, *map(_known_persons, earlier))])
    now, *before = _numbered_values(columns, [len(persons), *(len(release.records) for release in earlier)])
    n_values = max(int(each.max(initial=0)) for each in (now, *before)) + 1
    return Cohorts(
        tuple(np.append(each, -1)[place] for each, place in zip(classes, places, strict=True)),
        now,
        tuple(counts_of_classes(each, values, n_values) for each, values in zip(classes, before, strict=True)),
        tuple(_invariant_column(original, each.column, each.m, earlier, classes) for each in original.plan.invariances),
    )


def _invariant_column(
    original: FittedTable[F], name: str, m: int, earlier: Sequence[PersonRecords], classes: Sequence[Labels]
) -> InvariantColumn:
    """A sensitive column whose values must be the same in all classes of a person."""
    for release in earlier:
        if name not in release.other_columns:
            raise EarlierReleaseError.not_shown(name, release.name)
    cells = [_cells(original, name), *(_as_text(release.records[name]) for release in earlier)]
    codes = to_codes(name, pa.chunked_array([chunk for each in cells for chunk in each.chunks], pa.string()))
    now, *before = np.split(codes.codes, np.cumsum([len(each) for each in cells])[:-1])
    signatures = zip(classes, before, strict=True)
    return InvariantColumn(m, now, tuple(counts_of_classes(*each, max(codes.n_values, 1)) for each in signatures))


def _places(persons: pa.Array[Any], release: PersonRecords) -> Labels:
    """(n_records,) the record of each person in the earlier release; -1: none."""
    found: Any = pc.index_in(persons, value_set=_known_persons(release))
    places: Labels = found.fill_null(-1).to_numpy(zero_copy_only=False).astype(np.int64)
    if not (places >= 0).any():
        _check_suppressed(persons, release)
    return places


def _check_suppressed(persons: pa.Array[Any], release: PersonRecords) -> None:
    """Raises an error unless persons of the table are in the original of the earlier release, and suppressed in it."""
    if release.suppressed is None:
        raise EarlierReleaseError.no_common_record(release.name, "this table")
    if not pc.any(pc.is_in(persons, value_set=release.suppressed)).as_py():
        raise EarlierReleaseError.no_common_person(release.name, "this table")


def _known_persons(release: PersonRecords) -> Any:
    if release.persons is None:
        raise EarlierReleaseError.no_private_manifest(release.name)
    return release.persons


def _classes(release: PersonRecords) -> Labels:
    codes = [to_codes(name, release.records[name]).codes for name in release.class_columns]
    return number_combinations(codes, len(release.records))


def _stable_columns(
    original: FittedTable[F], earlier: Sequence[PersonRecords], places: Sequence[Labels]
) -> tuple[str, ...]:
    """The columns that the policy names, else those whose values are the same for nearly all persons."""
    if original.plan.stable is not None:
        return original.plan.stable
    shown = [name for name, column in original.plan.columns.items() if _is_shown(column.role)]
    shared = [name for name in shown if all(name in release.other_columns for release in earlier)]
    return tuple(name for name in shared if _is_stable(_cells(original, name), name, earlier, places))


def _is_shown(role: str) -> bool:
    return role in ("sensitive", "other", "weight")


def _is_stable(cells: Any, name: str, earlier: Sequence[PersonRecords], places: Sequence[Labels]) -> bool:
    for release, place in zip(earlier, places, strict=True):
        both = np.flatnonzero(place >= 0)
        then = _as_text(release.records[name]).take(pa.array(place[both]))
        same = pc.equal(_as_text(cells).take(pa.array(both)), then)  # missing where one of both is
        if both.size and (pc.mean(same.cast(pa.float64())).as_py() or 0) < STABLE_SHARE:
            return False
    return True


def _cells(original: FittedTable[F], name: str) -> pa.ChunkedArray[Any]:
    """A column of the table as it is released."""
    return original.by_record([name], partial(_texts, name))


def _texts(name: str, piece: pa.Table) -> pa.Array[Any]:
    texts: pa.Array[Any] = _as_text(piece[name]).combine_chunks()
    return texts


def _show_pseudonyms(original: FittedTable[F], earlier: Sequence[PersonRecords]) -> bool:
    """Whether all releases show a pseudonym: under the same key it links all records of a person."""
    names = [column.name for column in original.schema.with_role("identifier") if column.key_file]
    return any(all(name in release.other_columns for release in earlier) for name in names)


def _numbered_values(columns: Sequence[Sequence[Any]], lengths: Sequence[int]) -> list[Labels]:
    """The number of the combination of stable values: of the table, then of every earlier release. ``columns``: the
    cells of each column in all of them."""
    whole = [pa.chunked_array([chunk for each in cells for chunk in each.chunks], pa.string()) for cells in columns]
    codes = [to_codes("value", cells).codes for cells in whole]
    return np.split(number_combinations(codes, sum(lengths)), np.cumsum(lengths)[:-1])


def _as_text(cells: Any) -> Any:
    """Cells as text, equal where an intruder takes them for equal: numbers by value, texts without regard to case."""
    plain = cells.cast(cells.type.value_type) if pa.types.is_dictionary(cells.type) else cells
    if pa.types.is_integer(plain.type) or pa.types.is_floating(plain.type):
        return pc.add(plain.cast(pa.float64()), 0.0).cast(pa.string())
    return pc.utf8_lower(pc.utf8_trim_whitespace(plain.cast(pa.string())))
