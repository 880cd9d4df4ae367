"""Amounts of quasi-identifiers that a written release no longer shows, since it shows the mean or interval of a class.

The total of a class is its mean times its size, so who dominates it matters. Only the run that produces a release knows
what each written record contributed; the requirements on it are proved by the classes of the written file and these
amounts. Without them, the requirements are left out, and a note says so.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

import pyarrow as pa

from shoal.engines.protocol import RECORD_ID, Engine, F
from shoal.errors import TableError, listed
from shoal.gate.gate import Verdict
from shoal.requirements import Requirement
from shoal.requirements.requirement import on_column, reads_numbers
from shoal.schema.helper_columns import amount_column


@dataclass(frozen=True)
class HiddenAmounts:
    names: tuple[str, ...]  # quasi-identifiers of which requirements read the amounts
    amounts: pa.Table | None  # (n_records,) in the order of the file; None: not known

    def added_to(self, engine: Engine[F], frame: F) -> F:
        """The records with their amounts in helper columns."""
        amounts = self.amounts
        if amounts is None or not self.names:
            return frame
        if len(amounts) != frame.n_records:
            raise TableError.amount_count_differs(frame.n_records, len(amounts))
        return engine.map_rows(frame, partial(_with_amounts, self.names, amounts))

    def provable(self, requirements: Sequence[Requirement]) -> list[Requirement]:
        """The requirements that can be proved, on the helper columns where they read hidden amounts."""
        if self.amounts is None:
            return [each for each in requirements if not self._reads(each)]
        return [
            on_column(each, amount_column(str(each.column))) if self._reads(each) else each for each in requirements
        ]

    def _reads(self, requirement: Requirement) -> bool:
        return reads_numbers(requirement.reads) and requirement.column in self.names

    def named(self, verdict: Verdict) -> Verdict:
        """The verdict with the name of the quasi-identifier instead of the helper column; its figure, a ratio of
        amounts, could be solved for them and is not published."""
        by_helper = {amount_column(name): name for name in self.names}
        if verdict.column not in by_helper:
            return verdict
        return replace(verdict, column=by_helper[verdict.column], is_private=True)

    @property
    def notes(self) -> tuple[str, ...]:
        if self.amounts is not None or not self.names:
            return ()
        return (
            f"The release shows classes and not the single amounts of {listed(self.names)}: requirements on what the "
            f"contributors of a class have were not proved again. The run that produced the release proved them.",
        )


def _with_amounts(names: Sequence[str], amounts: pa.Table, piece: pa.Table) -> pa.Table:
    of_piece = amounts.take(piece[RECORD_ID].combine_chunks())
    for name in names:
        piece = piece.append_column(amount_column(name), of_piece[name])
    return piece
