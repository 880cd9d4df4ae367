"""Pairs of original and released records, known from an id column, from the caller, or by repeating the release."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import ArrayLike

from shoal import progress
from shoal.assessment.foreign_release import ForeignRelease
from shoal.assessment.pairing_check import pairing_warnings
from shoal.assessment.recoded_original import RecodedOriginal
from shoal.assessment.table_pair import AlignedTables, TablePair
from shoal.assessment.wrong_pairing import is_certainly_wrong
from shoal.engines.memory import MemoryEngine
from shoal.engines.protocol import F
from shoal.errors import KeyFileError, LinkageError, SourceError
from shoal.kernels import Labels
from shoal.linkage.true_pairs import check_truth, pair_by_id, pair_by_numbers
from shoal.pipeline.protect.fitted_table import FittedTable
from shoal.pipeline.repeated_release import RepeatedRelease
from shoal.pipeline.replay import certified_plans_of, with_manifest_options
from shoal.pipeline.verify.prove_file import PolicyLike
from shoal.pipeline.verify.written_release import release_read_options
from shoal.policy import Policy, ReleasePlan, load
from shoal.release.assemble import Order
from shoal.schema import Schema
from shoal.sources import read
from shoal.sources.key_file import Key, KeyLike, key_file, key_path
from shoal.sources.private import is_private

Truth = str | Path | ArrayLike  # "position", a file of pairs, or the released record of each original record

POSITION = "position"  # record i of the release is record i of the original


@dataclass(frozen=True, eq=False)
class RecordPairing:
    original: pa.Table
    released: pa.Table
    declared: Schema | None  # declared roles
    plan: ReleasePlan | None  # if the policy of the release is known
    truth: Labels | None  # (n_original,) the released record, -1 where there is none; None: unknown
    is_certain: bool  # known by repeating the release
    recoded: RecodedOriginal | None = None  # the original before it was recoded by hand
    id: str | None = None  # the column that pairs the records

    @classmethod
    def of(
        cls,
        original: Any,
        released: Any,
        schema: Schema | PolicyLike | None,
        id: str | None,  # noqa: A002
        truth: Truth | None,
        key: KeyLike | None = None,
    ) -> RecordPairing:
        """``schema``: roles, or the policy of the release. With a policy and neither ``id`` nor ``truth``, the release
        is repeated with its ``key``, by default the one next to the policy."""
        if id is not None and truth is not None:
            raise LinkageError.id_and_truth()
        with progress.stage("reading both tables", 0):
            if schema is None or isinstance(schema, Schema):
                before, after = read_both(original, released, id)
                return cls(before, after, schema, None, stated_pairs(before, after, id, truth), False, id=id)
            policy = with_manifest_options(load(schema), released)
            known = FittedTable.read(MemoryEngine(), original, policy)
            is_stated = id is not None or truth is not None
            after = _read_release(released, policy, known.plan, may_be_foreign=is_stated)
            before, recoded = known.engine.collect(known.frame), recoded_original(known)
            stated = stated_pairs(before, after, id, truth)
        if stated is not None:
            return cls(before, after, known.schema, known.plan, stated, False, recoded, id)
        known = known.with_key(Key.from_argument(key, policy.file))
        try:
            with progress.stage("repeating the release", 0):
                repeated = RepeatedRelease.of(known, released, certified_plans_of(released))
        except LinkageError:
            if key is None and policy.file and key_file(None, policy.file) is None:
                raise KeyFileError.not_found(key_path(policy.file)) from None
            raise
        return cls(before, after, known.schema, known.plan, released_positions(known, repeated.groups), True, recoded)

    def tables(self, roles: Schema) -> TablePair:
        """Both tables, with a release that may be of another tool read in its notation."""
        extents = self.plan.extents if self.plan else ()
        if self.is_certain:
            return TablePair.of(self.original, self.released, roles, extents, self.recoded)
        if not len(self.released):
            raise LinkageError.no_released_records()
        foreign = ForeignRelease.of(self.original, self.released, roles)
        pair = TablePair.of(self.original, foreign.released, foreign.schema, extents, self.recoded)
        return replace(pair, notes=(*self._doubts(), *foreign.notes, *pair.notes))

    def _doubts(self) -> tuple[str, ...]:
        """Notes on a release that is the original itself, or that has records of nobody."""
        names = [name for name in self.original.column_names if name in self.released.column_names]
        if self.original.select(names).equals(self.released.select(names)):
            return (f"Both files are the same in all {len(names)} columns that they share: nothing was protected.",)
        n_unpaired = 0 if self.truth is None else len(self.released) - int(np.count_nonzero(self.truth >= 0))
        if not n_unpaired:
            return ()
        return (f"{n_unpaired:,} released records belong to no record of the original, so they are nobody's.",)

    def check(self, aligned: AlignedTables, names: Sequence[str]) -> tuple[str, ...]:
        """Warnings where the pairing was stated by the caller and the columns ``names`` contradict it; raises an error
        where it is certainly wrong."""
        warnings = () if self.is_certain else pairing_warnings(aligned, names)
        if warnings and is_certainly_wrong(aligned, self.id):
            raise LinkageError.wrong_pairing()
        return warnings


def read_both(original: Any, released: Any, id: str | None) -> tuple[pa.Table, pa.Table]:  # noqa: A002
    """Both tables, with inferred kinds of columns. An error if neither certainly has a header: the names that they
    share could then be cells of a first record."""
    before, after = read(original, kinds="infer"), read(released, kinds="infer")
    for each in (before, after):
        each.check_columns([id] if id else [])
    if after.origin.names_in_doubt:
        before.check_named()
    return before.table, after.table


def _read_release(released: Any, policy: Policy, plan: ReleasePlan, *, may_be_foreign: bool) -> pa.Table:
    """The release by the kinds of the policy. One of another tool may have texts, such as intervals, where the original
    has numbers or dates: then all quasi-identifiers are read as text."""
    options, kinds = release_read_options(policy), plan.cell_kinds
    try:
        return read(released, options, kinds=kinds).table
    except SourceError:
        if not may_be_foreign:
            raise
    keys = {name for name in kinds if policy.role_of(name) == "quasi_identifier"}
    return read(released, options, kinds={name: "text" if name in keys else kinds[name] for name in kinds}).table


def stated_pairs(original: pa.Table, released: pa.Table, id: str | None, truth: Truth | None) -> Labels | None:  # noqa: A002
    """(n_original,) The released record of each original record as the caller states it; None if not stated."""
    if len(released) > len(original) and (id is not None or truth is not None):
        raise LinkageError.more_records(len(original), len(released))
    if id is not None:
        return pair_by_id(original, released, id)
    if truth is None:
        return None
    if isinstance(truth, str) and truth == POSITION:
        return check_truth(None, len(original), len(released))
    if isinstance(truth, str | Path):
        return pair_by_numbers(read(truth, kinds="infer").table, len(original), len(released))
    return check_truth(truth, len(original), len(released))


def truth_file(truth: Truth | None) -> Path | None:
    """The file of pairs, if ``truth`` is one."""
    return Path(truth) if isinstance(truth, str | Path) and truth != POSITION else None


def truth_file_notes(truth: Truth | None) -> tuple[str, ...]:
    """A note if others can read the file of pairs."""
    pairs = truth_file(truth)
    if pairs is None or is_private(pairs):
        return ()
    return (f"{pairs.name}: others may read which record belongs to which person. Give this file the mode 0600.",)


def recoded_original(known: FittedTable[F]) -> RecodedOriginal | None:
    """The original before it was recoded by hand; None where it was not."""
    return known.recoding.in_memory(known.engine.collect(known.recoding.frame)) if known.recoding else None


def released_positions(original: FittedTable[F], groups: pa.Table | None) -> Labels:
    """(n_original,) The position of every original record in a release with these ``groups``; -1: suppressed."""
    assert groups is not None, "made in memory"
    kept = np.flatnonzero(groups["group"].is_valid().to_numpy())
    positions = Order.of(original.rng).places(kept) if original.plan.shuffles else kept
    truth = np.full(original.n_records, -1, dtype=np.int64)
    truth[kept[np.argsort(positions, kind="stable")]] = np.arange(len(kept))
    return truth
