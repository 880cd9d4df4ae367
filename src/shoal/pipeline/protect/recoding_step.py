"""Global recoding by hand: the columns that the policy recodes get their coarser values before anything else is done."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Generic

import pyarrow as pa

from shoal.encode.count_table import CountTable
from shoal.engines.protocol import Engine, F
from shoal.policy import Policy
from shoal.policy.recodings import recodings
from shoal.release.recoding import Recoding


@dataclass(frozen=True)
class RecodedSource(Generic[F]):
    """The records before recoding, and the recoding of each column."""

    frame: F
    recodings: Mapping[str, Recoding]


def recode_table(engine: Engine[F], frame: F, policy: Policy) -> tuple[F, Mapping[str, Recoding]]:
    """The records after all recodings, and the recodings by column."""
    found = recodings(policy, frame.names, lambda name: CountTable.of(engine.group_counts(frame, [name])))
    return (engine.map_rows(frame, PieceRecoding(found)), found) if found else (frame, found)


@dataclass(frozen=True)
class PieceRecoding:
    recodings: Mapping[str, Recoding]

    def __call__(self, piece: pa.Table) -> pa.Table:
        for name, recoding in self.recodings.items():
            at = piece.schema.get_field_index(name)
            piece = piece.set_column(at, name, recoding.recode(name, piece[name]))
        return piece
