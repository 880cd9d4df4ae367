"""Global recoding by hand: columns get the coarser values that the policy declares, before anything else is done."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Generic

import pyarrow as pa

from shoal.assessment.recoded_original import RecodedOriginal
from shoal.encode.count_table import CountTable
from shoal.engines.protocol import Engine, F
from shoal.policy import Policy
from shoal.policy.recodings import recodings
from shoal.release.column_recoding import ColumnRecoding
from shoal.schema import Column


@dataclass(frozen=True)
class RecodedSource(Generic[F]):
    """The records before recoding, the recoding of each column, and the column as it was."""

    frame: F
    recodings: Mapping[str, ColumnRecoding]
    columns: Mapping[str, Column]

    def in_memory(self, records: pa.Table) -> RecodedOriginal:
        """``records``: all or some of the records before recoding."""
        return RecodedOriginal(records, self.recodings, self.columns)


def recode_table(engine: Engine[F], frame: F, policy: Policy) -> tuple[F, RecodedSource[F] | None]:
    """The records after all recodings, and what they were before; None where nothing is recoded."""
    found = recodings(policy, frame.names, lambda name: CountTable.of(engine.group_counts(frame, [name])))
    if not found:
        return frame, None
    rules = {name: policy.columns[name] for name in found}
    columns = {name: Column(name, rule.role, rule.kind, order=rule.order) for name, rule in rules.items()}
    return engine.map_rows(frame, PieceRecoding(found)), RecodedSource(frame, found, columns)


@dataclass(frozen=True)
class PieceRecoding:
    recodings: Mapping[str, ColumnRecoding]

    def __call__(self, piece: pa.Table) -> pa.Table:
        for name, recoding in self.recodings.items():
            at = piece.schema.get_field_index(name)
            piece = piece.set_column(at, name, recoding.recode(name, piece[name]))
        return piece
