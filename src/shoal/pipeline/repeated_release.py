"""A release repeated in memory from its original, policy and key, without proof and figures: whose each record is."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from shoal.encode.number_column import timestamp_type
from shoal.engines.protocol import F
from shoal.errors import CertificateError, LinkageError, RequirementError
from shoal.pipeline.protect.certified_plans import CertifiedPlans
from shoal.pipeline.protect.fitted_table import FittedTable
from shoal.pipeline.protect.protected_table import ProtectedTable
from shoal.pipeline.protect.proven_release import origin_for_writing
from shoal.pipeline.protect.released_records import released_records
from shoal.sources import Origin, check_readable, options_written, read, sha256_of, to_native, write_table
from shoal.sources.disk_space import temporary_folder
from shoal.sources.table_parts import EXTENSION, has_parts


@dataclass(frozen=True)
class RepeatedRelease:
    records: pa.Table
    groups: pa.Table  # record (from 1) -> group, missing where suppressed
    origin: Origin  # how it is written

    @classmethod
    def of(cls, original: FittedTable[F], released: Any, certified: CertifiedPlans | None = None) -> RepeatedRelease:
        """An error if the release of ``original`` differs from ``released``, a file or any dataframe. ``certified``:
        the plans of its search, which is not repeated."""
        try:
            protected = ProtectedTable.of(original, certified)
        except (CertificateError, RequirementError) as reason:
            raise LinkageError.other_release(str(reason)) from None
        engine, linked = original.engine, protected.units.linked
        made = released_records(original, protected.perturbed, protected.frame, protected.index, linked)
        groups = engine.map_rows(protected.frame, protected.index.mapping)
        repeated = cls(engine.collect(made.records), engine.collect(groups), origin_for_writing(original))
        is_file = isinstance(released, str | Path)
        if not (repeated._equals_file(Path(released)) if is_file else repeated._equals_frame(released)):
            raise LinkageError.other_release()
        return repeated

    def _equals_file(self, path: Path) -> bool:
        """Whether writing the release gives the same bytes as the file, or at least the same cells."""
        check_readable(path)
        name = "release" + EXTENSION if has_parts(path) else path.name
        with temporary_folder() as folder:
            repeated = folder / name
            write_table(self.records, repeated, self.origin)
            if sha256_of(repeated) == sha256_of(path):
                return True
            options = options_written(repeated, self.origin)
            return have_equal_cells(read(repeated, options).table, read(path, options).table)

    def _equals_frame(self, frame: Any) -> bool:
        """Whether the dataframe has the same cells, compared in its own library."""
        given = read(frame)
        return have_equal_cells(read(to_native(self.records, given.origin)).table, given.table)


def have_equal_cells(one: pa.Table, other: pa.Table) -> bool:
    """Whether all cells are equal, regardless of the types that a reader gave to numbers and texts."""
    if set(one.column_names) != set(other.column_names) or len(one) != len(other):
        return False
    return all(_are_equal(_plain(one[name]), _plain(other[name])) for name in one.column_names)


def _are_equal(one: pa.ChunkedArray[Any], other: pa.ChunkedArray[Any]) -> bool:
    try:
        if one.type != other.type:
            common = _common(one.type, other.type)
            one, other = _plain(one.cast(common)), _plain(other.cast(common))
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError):
        return False
    return one.equals(other)


def _common(*types: pa.DataType) -> pa.DataType:
    """A type that represents both columns as they are written."""
    if all(pa.types.is_integer(type_) or pa.types.is_floating(type_) for type_ in types):
        return pa.float64()
    are_times = all(pa.types.is_timestamp(type_) for type_ in types)
    return timestamp_type(*types) if are_times and len({timestamp_type(type_) for type_ in types}) == 1 else pa.string()


def _plain(column: pa.ChunkedArray[Any]) -> pa.ChunkedArray[Any]:
    """The column without dictionary encoding and with NaN as missing."""
    if pa.types.is_dictionary(column.type):
        column = column.cast(column.type.value_type)
    if pa.types.is_floating(column.type):
        known: pa.ChunkedArray[Any] = pc.if_else(pc.is_nan(column), pa.scalar(None, column.type), column)
        return known
    return column
