"""The function ``link``: record linkage between a release and its original, as an intruder would try it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import pyarrow as pa

from shoal.assessment.risk.containment import link_by_extents
from shoal.assessment.table_pair import AlignedTables
from shoal.encode.codes import has_codes
from shoal.errors import LinkageError, PolicyError
from shoal.kernels import check_seed
from shoal.linkage.blocking_options import AnyBlocking, BlockingOptions, all_pairs_notes, unknown_keys
from shoal.linkage.blocking_table import BlockingTable
from shoal.linkage.blocking_table import blocking_table as table_of_blockings
from shoal.linkage.intruder import Intruder
from shoal.linkage.link_tables import (
    MEASURES,
    as_quasi_identifiers,
    declared_or_quasi_identifiers,
    known_columns,
    link_tables,
)
from shoal.linkage.linkage_blocking import BlockingQuality
from shoal.linkage.linkage_risk import Linkage
from shoal.linkage.linkage_tables import encode_linkage_tables
from shoal.pipeline.record_pairing import RecordPairing, Truth, truth_file_notes
from shoal.pipeline.verify.prove_file import PolicyLike
from shoal.policy import load
from shoal.schema import Schema
from shoal.sources.key_file import KeyLike

ALL_MEASURES = (*MEASURES, "extents")


def link(
    original: Any,
    released: Any,
    policy: Schema | PolicyLike | None = None,
    *,
    intruder: Intruder | None = None,
    by: str = "distance",
    blocking: AnyBlocking | Sequence[AnyBlocking] | None = None,
    one_to_one: bool = False,
    id: str | None = None,  # noqa: A002
    truth: Truth | None = None,
    k: int = 1,
    seed: int = 0,
    key: KeyLike | None = None,
) -> Linkage:
    """The risk that an intruder links persons of ``original`` to ``released``; both are files or any dataframes.

    policy    the policy of the release, which is then repeated to pair the records; or roles and kinds of the columns.
              Undeclared columns are compared, and their kind is guessed
    intruder  what the intruder knows, how precisely and of whom; by default everything of everybody
    by        distance: Euclidean, standardized by both files together; mahalanobis; rank; probabilistic; extents: the
              records whose intervals, spans, nodes or sets contain the person
    blocking  None: that of the policy, else every pair; "none": every pair; "standard", "sorted", "fuzzy", "twod_tree",
              "som", "auto" (the best at 1,000 pairs per person), or your own; a list is several passes
    one_to_one  every released record is linked to one person at most, at the least sum of distances
    id        a column of both tables that pairs the records
    truth     the pairs: "position" if both tables are in the same order, a file of pairs, or an array with the released
              record of each original record, -1 where there is none
    k         guesses for every person
    key       the key of the release, a file or 32 bytes, if it is not next to the policy
    """
    if by not in ALL_MEASURES:
        raise PolicyError.unknown_choice("by", by, ALL_MEASURES)
    check_seed(seed)
    intruder = intruder or Intruder()
    files = _LinkedFiles.of(original, released, policy, intruder, by, id, truth, key)
    if by == "extents":
        if blocking is not None or one_to_one or k > 1:
            raise LinkageError.no_blocks_of_extents()
        found = link_by_extents(files.aligned, intruder, files.with_extents)
    else:
        rules = _policy_blocking(policy) if blocking is None else ()
        unknown = unknown_keys(rules, files.known.quasi_identifiers)
        found = link_tables(
            files.aligned.original,
            files.aligned.single_valued,
            files.aligned.truth,
            files.roles,
            files.known,
            intruder,
            by=by,
            blocking=blocking if unknown or not rules else rules,
            one_to_one=one_to_one,
            k=k,
            seed=seed,
        )
        found = replace(found, notes=(*all_pairs_notes(by, unknown), *found.notes))
    n_population = intruder.n_population(len(files.aligned.original))
    notes = (*files.notes, *_blocking_notes(found.blocking), *found.notes)
    return replace(found, notes=notes, n_population=n_population)


def _blocking_notes(quality: BlockingQuality | None) -> tuple[str, ...]:
    """That the blocking bounds the risk, before any figure is read. An assessment says it of each linkage itself."""
    if quality is None or quality.recall is None:
        return ()
    compared = f"Pairs outside the blocks were not compared ({100 * quality.reduction_ratio:.4g} % of all pairs)"
    return (f"{compared}. Blocks hold {100 * quality.recall:.4g} % of the true pairs: nobody else can be found so.",)


def blocking_table(
    original: Any,
    released: Any,
    policy: Schema | PolicyLike | None = None,
    *,
    intruder: Intruder | None = None,
    n_pairs: int | None = None,
    decimals: int | None = None,
    id: str | None = None,  # noqa: A002
    truth: Truth | None = None,
    seed: int = 0,
    key: KeyLike | None = None,
) -> BlockingTable:
    """Recall against pairs of every quantifier, key and window, and of the 2^d-tree and the map.

    n_pairs   the number of pairs that every blocking may keep; by default 1,000 a person, at most a tenth of all
    decimals  instead: keys are rounded to so many decimals, as in the paper on fuzzy blocking

    All other parameters are those of ``link``.
    """
    check_seed(seed)
    intruder = intruder or Intruder()
    files = _LinkedFiles.of(original, released, policy, intruder, "distance", id, truth, key)
    persons = intruder.known_persons(len(files.aligned.original))
    knowledge = intruder.knowledge(files.aligned.original, files.known).take(persons)
    tables = encode_linkage_tables(knowledge, files.aligned.single_valued, files.known)
    return table_of_blockings(tables, files.aligned.truth[persons], n_pairs=n_pairs, decimals=decimals, seed=seed)


@dataclass(frozen=True, eq=False)
class _LinkedFiles:
    """Both files, and the columns that the intruder compares."""

    aligned: AlignedTables
    roles: Schema
    known: Schema
    left_out: tuple[str, ...]  # notes on columns that are not compared
    pair: RecordPairing
    truth: Truth | None

    @classmethod
    def of(
        cls,
        original: Any,
        released: Any,
        policy: Schema | PolicyLike | None,
        intruder: Intruder,
        by: str,
        id: str | None,  # noqa: A002
        truth: Truth | None,
        key: KeyLike | None,
    ) -> _LinkedFiles:
        pair = RecordPairing.of(original, released, policy, id, truth, key)
        if pair.truth is None:
            raise LinkageError.unknown_pairs()
        roles = declared_or_quasi_identifiers(pair.original, pair.declared)
        aligned = pair.tables(_with_values(roles, pair)).aligned(pair.truth)
        extents = aligned.by_extents if by == "extents" else ()
        known, left_out = known_columns(intruder, aligned.original, aligned.single_valued, roles, by, id, extents)
        return cls(aligned, roles, known, left_out, pair, truth)

    @property
    def notes(self) -> tuple[str, ...]:
        warnings = self.pair.check(self.aligned, self.known.quasi_identifiers)
        return (*truth_file_notes(self.truth), *self.left_out, *self.aligned.notes, *warnings)

    @property
    def with_extents(self) -> Schema:
        """The columns of the intruder that are released as extents or as they are."""
        names = [name for name in self.known.quasi_identifiers if name in self.aligned.by_containment]
        if not any(name in self.aligned.by_extents for name in names):
            raise LinkageError.no_extents()
        return as_quasi_identifiers(self.aligned.schema, names)


def _policy_blocking(policy: Schema | PolicyLike | None) -> tuple[BlockingOptions, ...]:
    if policy is None or isinstance(policy, Schema):
        return ()
    return tuple(rule.options for rule in load(policy).linkage.blocking)


def _with_values(roles: Schema, pair: RecordPairing) -> Schema:
    """The columns that have a known value and can be compared; nested types cannot."""
    cells = {c.name: pair.original[c.name] for c in roles.columns}
    nested = {field.name for table in (pair.original, pair.released) for field in table.schema if _is_nested(field)}
    return Schema(c for c in roles.columns if c.name not in nested and cells[c.name].null_count < len(pair.original))


def _is_nested(field: pa.Field[Any]) -> bool:
    return not has_codes(field.type)
