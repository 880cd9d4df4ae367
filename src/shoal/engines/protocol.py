"""The interface between the pipeline and the engines that hold the records.

Records are passed as Arrow tables only: a block function that runs in memory runs on every engine.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Protocol, TypeVar

import numpy as np
import pyarrow as pa

from shoal.errors import ReservedNameError
from shoal.kernels import Labels
from shoal.schema.helper_columns import BLOCK as BLOCK
from shoal.schema.helper_columns import FIRST as FIRST
from shoal.schema.helper_columns import GAMMA as GAMMA
from shoal.schema.helper_columns import GROUP as GROUP
from shoal.schema.helper_columns import PART as PART
from shoal.schema.helper_columns import RECORD_ID as RECORD_ID
from shoal.schema.helper_columns import TERRITORY as TERRITORY
from shoal.schema.helper_columns import is_helper
from shoal.sources import Formulas, Kinds, Origin, ReadOptions
from shoal.total import P


def check_reserved_names(names: Sequence[str], origin: Origin) -> None:
    """Raises ReservedNameError where a column has the name of a helper column: in an original, and in a release that is
    read again, since the final check counts by its own helper columns."""
    taken = [name for name in names if is_helper(name)]
    if taken:
        raise ReservedNameError.of(origin.path or "the dataframe", taken)


RowFunction = Callable[[pa.Table], pa.Table]
BlockFunction = Callable[[int, pa.Table], pa.Table]

NO_RECORD: Labels = np.zeros(0, dtype=np.int64)  # a sample of it has the types of all columns


class Frame(Protocol):
    """Records held by an engine; opaque to all other code."""

    @property
    def names(self) -> tuple[str, ...]: ...  # columns of the source
    @property
    def n_records(self) -> int: ...
    @property
    def origin(self) -> Origin: ...
    @property
    def schema(self) -> pa.Schema: ...  # types of all columns, helper columns included


F = TypeVar("F", bound=Frame)


class Engine(Protocol[F]):
    """Operations on frames of one kind."""

    name: str
    in_memory: bool  # frames are cheap to collect

    def read(self, source: Any, options: ReadOptions, *, columns: Sequence[str] | None, kinds: Kinds) -> F:
        """Reads records with a stable ``record_id``: their position in the source."""
        ...

    def group_counts(self, frame: F, by: Sequence[str]) -> pa.Table:
        """One row per combination that occurs, with its number of records last. A missing value counts as a value of
        its own."""
        ...

    def class_total(self, frame: F, classes: Sequence[str], values: Sequence[str], of: Callable[[pa.Table], P]) -> P:
        """The sum of ``of``, which can be pickled, over counts by ``classes`` and ``values`` in parts: records that are
        equal on ``classes`` are in the same part."""
        ...

    def total(self, frame: F, columns: Sequence[str], of: Callable[[pa.Table], P]) -> P:
        """The sum of ``of``, which can be pickled, over pieces of any size and in any order."""
        ...

    def by_record(self, frame: F, columns: Sequence[str], of: Callable[[pa.Table], pa.Table]) -> pa.Table:
        """What ``of`` makes of pieces with these columns, record by record, in the order of ``record_id``: one table,
        in memory on every engine."""
        ...

    def map_rows(self, frame: F, fn: Callable[[pa.Table], pa.Table]) -> F:
        """Applies ``fn(table) -> table``, pure and record by record, to pieces of any size."""
        ...

    def map_blocks(self, frame: F, fn: BlockFunction) -> F:
        """Applies ``fn(block_id, table) -> table``, pure, once per value of the column ``BLOCK``, which is dropped;
        records within a block are sorted by ``record_id``."""
        ...

    def sample(self, frame: F, places: Labels) -> pa.Table:
        """The records at ``places``, ascending numbers from 0 on, in the order of ``record_id``, which is included."""
        ...

    def collect(self, frame: F) -> pa.Table:
        """All records as one table, in the order of ``record_id``, which is left out."""
        ...

    def write(self, frame: F, path: Path, like: Origin | None) -> Formulas:
        """Writes to exactly ``path``, in the format of its extension (.parts: a folder of Parquet files) and the order
        of ``record_id``, which is left out. Returns, by column, how many texts of a CSV a spreadsheet would run as
        formulas."""
        ...
