"""The function ``link``: record linkage between a release and its original, as an intruder would try it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pyarrow as pa

from shoal.encode.codes import has_codes
from shoal.errors import LinkageError, PolicyError
from shoal.kernels import check_seed
from shoal.linkage.intruder import Intruder
from shoal.linkage.link_tables import MEASURES, declared_or_quasi_identifiers, known_columns, link_tables
from shoal.linkage.linkage_blocking import LinkageBlocking
from shoal.linkage.linkage_risk import Linkage
from shoal.pipeline.record_pairing import RecordPairing, Truth, truth_file_notes
from shoal.pipeline.verify.prove_file import PolicyLike
from shoal.schema import Schema
from shoal.sources.key_file import KeyLike


def link(
    original: Any,
    released: Any,
    policy: Schema | PolicyLike | None = None,
    *,
    intruder: Intruder | None = None,
    by: str = "distance",
    blocking: LinkageBlocking | str | None = None,
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
    by        distance: Euclidean, standardized by both files together; mahalanobis; rank; probabilistic
    blocking  None: every pair; "standard", "sorted", "fuzzy", "auto" (the best at 1,000 pairs per person), or your own
    id        a column of both tables that pairs the records
    truth     the pairs: "position" if both tables are in the same order, a file of pairs, or an array with the released
              record of each original record, -1 where there is none
    k         guesses for every person
    key       the key of the release, a file or 32 bytes, if it is not next to the policy
    """
    if by not in MEASURES:
        raise PolicyError.unknown_choice("by", by, MEASURES)
    check_seed(seed)
    intruder = intruder or Intruder()
    pair = RecordPairing.of(original, released, policy, id, truth, key)
    if pair.truth is None:
        raise LinkageError.unknown_pairs()
    roles = declared_or_quasi_identifiers(pair.original, pair.declared)
    aligned = pair.tables(_with_values(roles, pair)).aligned(pair.truth)
    known, left_out = known_columns(intruder, aligned.original, aligned.single_valued, roles, by, id)
    found = link_tables(
        aligned.original,
        aligned.single_valued,
        pair.truth,
        roles,
        known,
        intruder,
        by=by,
        blocking=blocking,
        k=k,
        seed=seed,
    )
    warnings = pair.check(aligned, known.quasi_identifiers)
    return replace(found, notes=(*truth_file_notes(truth), *left_out, *aligned.notes, *warnings))


def _with_values(roles: Schema, pair: RecordPairing) -> Schema:
    """The columns that have a known value and can be compared; nested types cannot."""
    cells = {c.name: pair.original[c.name] for c in roles.columns}
    nested = {field.name for table in (pair.original, pair.released) for field in table.schema if _is_nested(field)}
    return Schema(c for c in roles.columns if c.name not in nested and cells[c.name].null_count < len(pair.original))


def _is_nested(field: pa.Field[Any]) -> bool:
    return not has_codes(field.type)
