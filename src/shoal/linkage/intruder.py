"""The intruder of a linkage attack: what they know, how precisely, and about whom."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import pyarrow as pa

from shoal.encode.number_column import NumberColumn, from_numbers, to_numbers
from shoal.errors import LinkageError
from shoal.kernels import Labels, check_seed
from shoal.schema import Schema


@dataclass(frozen=True)
class Intruder:
    """Somebody with a file of persons whom they search for in the release; in the worst case, the whole original.

    columns    what they know; empty: every column that both files share, except those declared as identifier, weight
               or household
    precision  how precisely, by column: the width of the interval to which they know a number (of dates in days);
               exactly if the column is not named
    persons    about whom: a share of all persons, drawn by ``seed``, or the records of the original by number
    """

    columns: Sequence[str] = ()
    precision: Mapping[str, float] = field(default_factory=dict)
    persons: float | Sequence[int] = 1.0
    seed: int = 0

    def __post_init__(self) -> None:
        check_seed(self.seed)
        for name, width in self.precision.items():
            if not 0 < width < np.inf:
                raise LinkageError.bad_precision(name, width)

    def known_persons(self, n_records: int) -> Labels:
        """The records of the persons they know, ascending."""
        if isinstance(self.persons, float | int):
            if not 0 <= self.persons <= 1:
                raise LinkageError.bad_persons(n_records)
            if self.persons == 1 and n_records:
                return np.arange(n_records)
            rng = np.random.default_rng(np.random.SeedSequence(self.seed))
            records = rng.choice(n_records, round(self.persons * n_records), replace=False)
        else:
            records = np.asarray(self.persons, dtype=np.int64)
            fits = records.ndim == 1 and len(np.unique(records)) == len(records)
            if not fits or ((records < 0) | (records >= n_records)).any():
                raise LinkageError.bad_persons(n_records)
        if not len(records):
            raise LinkageError.no_persons()
        return np.sort(records).astype(np.int64)

    def n_population(self, n_records: int) -> int:
        """How many persons those whom they know were drawn from: all, where a share was drawn; else nobody else."""
        return n_records if isinstance(self.persons, float | int) else len(self.persons)

    def knowledge(self, original: pa.Table, schema: Schema) -> pa.Table:
        """The original as they know it: numbers known to an interval are replaced by its middle."""
        for name, width in self.precision.items():
            if name not in schema.quasi_identifiers:
                raise LinkageError.unknown_column(name, schema.quasi_identifiers)
            if schema[name].kind not in ("numeric", "date"):
                raise LinkageError.no_precision(name, schema[name].kind)
            exact = to_numbers(name, original[name])
            middle = NumberColumn((np.floor(exact.values / width) + 0.5) * width, exact.missing)
            at = original.schema.get_field_index(name)
            original = original.set_column(at, name, from_numbers(middle, original.schema.field(name).type))
        return original
