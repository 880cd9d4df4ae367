"""The groups of a run: how many there are, who has none, and numbers for them that are told inside of the house."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from shoal.engines.protocol import GROUP, RECORD_ID, Engine, F
from shoal.kernels import Labels


@dataclass(frozen=True)
class GroupsMade:
    n_records: int
    n_suppressed: int  # records without a group
    groups: Labels  # different ones, ascending

    @classmethod
    def of(cls, engine: Engine[F], protected: F) -> GroupsMade:
        n_records, n_known, found = 0, 0, [np.empty(0, dtype=np.int64)]

        def add(piece: pa.Table) -> None:
            nonlocal n_records, n_known
            known = piece[GROUP].drop_null().to_numpy()
            n_records, n_known = n_records + len(piece), n_known + len(known)
            found.append(np.unique(known))

        engine.fold(protected, [GROUP], add)
        return cls(n_records, n_records - n_known, np.unique(np.concatenate(found)))

    def counts(self) -> dict[str, int]:
        return {
            "n_records": self.n_records,
            "n_released": self.n_records - self.n_suppressed,
            "n_suppressed": self.n_suppressed,
            "n_groups": len(self.groups),
        }

    def numbered(self, piece: pa.Table) -> pa.Table:
        """record (from 1) -> group (from 0), missing where it is suppressed."""
        groups: Any = piece[GROUP]
        suppressed = groups.is_null().to_numpy()
        numbers = np.searchsorted(self.groups, groups.fill_null(0).to_numpy())
        return pa.table(
            {
                "record": piece[RECORD_ID].to_numpy() + 1,
                "group": pa.array(numbers, pa.int64(), mask=suppressed),
                RECORD_ID: piece[RECORD_ID],
            }
        )
