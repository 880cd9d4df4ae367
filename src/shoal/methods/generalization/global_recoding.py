"""Global recoding: every value of a column is recoded in the same way in all records.

a table of counts -> CutTree

    levels   every column is released at one level: of its taxonomy, or of increasingly wide intervals. Of all
             combinations of levels that satisfy the requirements the one with the least loss; where they are too many,
             a greedy descent.
             Samarati (2001), doi:10.1109/69.971193; LeFevre, DeWitt & Ramakrishnan (2005), doi:10.1145/1066157.1066164
    cuts     every column has its own cuts, the same for all records: of all cuts and all taxonomy nodes repeatedly
             the one after which the loss is least. Fung, Wang & Yu (2005), doi:10.1109/ICDE.2005.143

Up to a share ``suppression`` of the records may be in blocks that fail; they are suppressed when the release is made.
Which records these are is decided as for the release: blocks are compared with what is left (coded_counts.py).
The search starts from fully generalized columns and examines finer recodings only where enough records satisfy the
requirements. Without suppression this misses no solution, nor if all requirements depend on block sizes only; otherwise
it may miss the best. Where even the coarsest levels fail, finer ones are examined all the same: a part may hold where
the whole does not, and the rest be suppressed.
This is what most tools do, and the baseline: local recoding, which cuts each block separately (mondrian.py), loses far
less.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from heapq import heappop, heappush
from math import inf, prod
from typing import Any, ClassVar, Literal, NoReturn, TypeVar, get_args

import numpy as np

from shoal import progress
from shoal.encode.combination_counts import count_combinations
from shoal.encode.count_table import CountTable
from shoal.errors import ColumnError, PolicyError
from shoal.losses import LOSSES, Loss
from shoal.methods.generalization.attribute import SplitRule
from shoal.methods.generalization.coded_counts import CodedCounts
from shoal.methods.generalization.column_reader import read_columns
from shoal.methods.generalization.generalization_method import GeneralizationMethod
from shoal.methods.generalization.levels import Levels, coarsest, column_levels, interval_ends, level_cuts
from shoal.methods.generalization.recoding import Piece, Pieces, Recoding
from shoal.plan import CutTree
from shoal.plan.limit import is_above
from shoal.requirements import Requirement
from shoal.requirements.judge import Domains
from shoal.schema import Schema

Scheme = Literal["levels", "cuts"]
RecodingLoss = Literal["discernibility", "volume", "certainty"]
Choice = TypeVar("Choice", bound=Hashable)  # of a recoding: the level, or the pieces, of every column


def global_recoding(
    table: Any,
    schema: Schema,
    requirements: Sequence[Requirement],
    *,
    scheme: Scheme = "levels",
    loss: RecodingLoss = "discernibility",
    suppression: float = 0.0,
    widths: Mapping[str, Sequence[float]] | None = None,
) -> CutTree:
    """Blocks of ``table`` (a file or any dataframe) that satisfy all ``requirements``, recoded globally.

    ``suppression``: the share of the records that may be in blocks that fail. ``widths``: the intervals of numbers,
    each a multiple of the one before; if omitted, four or five of round width.
    """
    method = GlobalRecoding(scheme, loss, suppression, widths)
    names = list(dict.fromkeys([*schema.quasi_identifiers, *(each.column for each in requirements if each.column)]))
    return method.cut(count_combinations(read_columns(table, schema, names), names), schema, requirements)


@dataclass(frozen=True)
class GlobalRecoding(GeneralizationMethod):
    """Global recoding as the method of a policy.

    scheme       levels: one level for every column; cuts: every column has its own cuts
    loss         the loss to minimize: discernibility, volume or certainty
    suppression  share of the records that may be in blocks that fail, from 0 to 1
    widths       for scheme levels: increasingly wide intervals of numeric columns
    """

    scheme: Scheme = "levels"
    loss: RecodingLoss = "discernibility"
    suppression: float = 0.0
    widths: Mapping[str, Sequence[float]] | None = None
    name: Literal["global_recoding"] = "global_recoding"

    most_combinations: ClassVar[int] = 20_000  # of levels, up to which all are searched; beyond, a greedy descent
    most_starts: ClassVar[int] = 500  # recodings that are tried where the coarsest fails
    __pydantic_config__: ClassVar[Any] = {"extra": "forbid"}

    def __post_init__(self) -> None:
        for key, known in (("scheme", get_args(Scheme)), ("loss", get_args(RecodingLoss))):
            if getattr(self, key) not in known:
                raise PolicyError.unknown_choice(f"method.{key}", getattr(self, key), known)
        if not 0 <= self.suppression <= 1:
            raise PolicyError.outside("method.suppression", 0, 1, self.suppression)

    @property
    def weighs_columns(self) -> bool:
        """Only the loss of certainty is a sum over columns."""
        return self.loss == "certainty"

    def chooses_cuts(self, name: str) -> bool:
        return self.scheme == "cuts"

    def cut(
        self, counts: CountTable, schema: Schema, requirements: Sequence[Requirement], whole: Domains | None = None
    ) -> CutTree:
        if self.scheme == "cuts":
            return _Search(self, CodedCounts.read(counts, schema, requirements, whole=whole)).by_cuts().tree()
        ends = interval_ends(counts, schema, self.widths or {})
        coded = CodedCounts.read(counts, schema, requirements, level_cuts(counts, ends), whole=whole)
        return _Search(self, coded).by_levels(column_levels(coded, ends)).tree()


@dataclass(frozen=True)
class _Search:
    method: GlobalRecoding
    coded: CodedCounts

    def by_levels(self, columns: tuple[Levels, ...]) -> Recoding:
        """The best combination of levels. Level 0 of a ladder is the finest, the last is fully generalized."""
        heights = tuple(len(ladder) - 1 for ladder in columns)
        top = self._at(columns, heights)
        prunes = self._holds(top)
        if not (prunes or self.method.suppression):
            self._refuse(top)
        most = self.method.most_combinations if prunes else self.method.most_starts
        if prod(height + 1 for height in heights) > most:
            return self._descent(columns, self._first_that_holds(heights, lambda at: self._at(columns, at), _finer))
        best, least = None, inf
        seen, waiting = {heights}, [heights]
        with progress.stage("searching levels", 0):
            while waiting:
                levels = waiting.pop()
                found = self._at(columns, levels)
                holds = self._holds(found)
                if prunes and not holds:
                    continue  # everything finer fails, too
                if holds and (cost := self._cost(found)) < least:
                    best, least = found, cost
                finer = [one for one in _finer(levels) if one not in seen]
                seen.update(finer)
                waiting.extend(finer)
        return best or self._refuse(top)

    def _first_that_holds(
        self, start: Choice, at: Callable[[Choice], Recoding], finer: Callable[[Choice], Iterable[Choice]]
    ) -> Choice:
        """The start; where that fails, the first finer choice that holds, tried where the fewest records fail."""
        seen, waiting = {start}, [(at(start).n_suppressed, 0, start)]
        with progress.stage("searching a start", 0):
            while waiting:
                choice = heappop(waiting)[-1]
                if self._holds(at(choice)):
                    return choice
                for one in finer(choice) if self.method.suppression else ():
                    if one not in seen and len(seen) < self.method.most_starts:
                        seen.add(one)
                        heappush(waiting, (at(one).n_suppressed, len(seen), one))
        return self._refuse(at(start))

    def _descent(self, columns: tuple[Levels, ...], levels: tuple[int, ...]) -> Recoding:
        best = self._at(columns, levels)
        least = self._cost(best)
        while True:
            candidates = [(self._at(columns, finer), finer) for finer in _finer(levels)]
            costs = [self._cost(found) if self._holds(found) else inf for found, _ in candidates]
            if min(costs, default=inf) >= least:
                return best
            least = min(costs)
            best, levels = candidates[costs.index(least)]

    def by_cuts(self) -> Recoding:
        """Applies the best cut repeatedly. A cut that failed once always fails: it is not tried again."""
        best, failed = self._start, set[tuple[int, Piece, int]]()
        with progress.stage("searching cuts", 0):
            while True:
                now, least = best, self._cost(best)
                for cut, pieces in self._cuts(now):
                    if cut in failed:
                        continue
                    found = now.with_column(cut[0], pieces)
                    if not self._holds(found):
                        failed.add(cut)
                    elif (cost := self._cost(found)) < least:
                        best, least = found, cost
                if best is now:
                    return best

    def _cuts(self, now: Recoding) -> Iterator[tuple[tuple[int, Piece, int], tuple[Piece, ...]]]:
        """Every cut of every piece: its identifier, and the pieces of the column after it."""
        for column, pieces in enumerate(now.pieces):
            codes = np.unique(self.coded.codes[self.coded.n > 0, column])
            for at, piece in enumerate(pieces):
                for name, parts in self._parts(column, piece, codes):
                    yield (column, *name), (*pieces[:at], *parts, *pieces[at + 1 :])

    def _parts(self, column: int, piece: Piece, codes: Any) -> Iterator[tuple[tuple[Piece, int], tuple[Piece, ...]]]:
        start, stop, node = piece
        nodes = self.coded.attributes[column].nodes
        if nodes[node].rule == SplitRule.ALL:
            first = nodes[node].first_child
            children = range(first, first + nodes[node].n_children)
            yield (piece, -1), tuple((nodes[child].start, nodes[child].stop, child) for child in children)
        elif nodes[node].rule == SplitRule.LINE:
            for code in codes[(codes > start) & (codes < stop)][0 if (codes == start).any() else 1 :].tolist():
                yield ((0, 0, node), code), ((start, code, node), (code, stop, node))

    @property
    def _start(self) -> Recoding:
        """All columns as coarse as they may be; where that fails, cut until enough records hold."""

        def cut(pieces: Pieces) -> Iterator[Pieces]:
            now = Recoding(self.coded, pieces)
            return (now.with_column(each[0], parts).pieces for each, parts in self._cuts(now))

        start = tuple(map(coarsest, self.coded.attributes))
        return Recoding(self.coded, self._first_that_holds(start, lambda pieces: Recoding(self.coded, pieces), cut))

    def _refuse(self, coarsest: Recoding) -> NoReturn:
        """Raises PolicyError: even the coarsest levels that may be released do not suffice, nor do finer ones."""
        limits = {a.domain.name: a.max_level for a in self.coded.attributes if a.max_level is not None}
        if not limits:
            self.coded.check()
        raise ColumnError.levels_too_fine(limits, coarsest.n_suppressed, self.coded.n_records)

    def _at(self, columns: tuple[Levels, ...], levels: tuple[int, ...]) -> Recoding:
        return Recoding(self.coded, tuple(ladder[level] for ladder, level in zip(columns, levels, strict=True)))

    def _holds(self, found: Recoding) -> bool:
        return not is_above(found.n_suppressed, self.coded.n_records, self.method.suppression)

    def _cost(self, found: Recoding) -> float:
        loss: Loss = LOSSES[self.method.loss]
        return found.loss(loss)


def _finer(levels: tuple[int, ...]) -> list[tuple[int, ...]]:
    return [(*levels[:at], level - 1, *levels[at + 1 :]) for at, level in enumerate(levels) if level]
