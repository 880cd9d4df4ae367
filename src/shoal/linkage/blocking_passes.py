"""Several blockings, one after the other: a pair is compared if any of them keeps it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from shoal.linkage.candidates import Candidates
from shoal.linkage.linkage_blocking import LinkageBlocking
from shoal.linkage.linkage_tables import LinkageTables


@dataclass(frozen=True)
class BlockingPasses:
    """The passes of all ``blockings``, in their order."""

    blockings: Sequence[LinkageBlocking]

    def candidates(self, tables: LinkageTables) -> Candidates:
        found = [blocking.candidates(tables) for blocking in self.blockings]
        return Candidates(tuple(p for each in found for p in each.passes), sum(each.n_widened for each in found))
