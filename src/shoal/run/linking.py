"""link: the intruder's attack, tried out on a release that is held beside its original."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pyarrow as pa

from shoal.assess.intruder import Intruder
from shoal.assess.link import MEASURES, declared_or_known, known_to, linked
from shoal.assess.risk.linkage import Linkage
from shoal.blocking.linkage_blocking import LinkageBlocking
from shoal.encode.codes import has_codes
from shoal.errors import LinkageError, PolicyError
from shoal.kernels import check_seed
from shoal.run.pairing import Pair, Truth, open_truth
from shoal.run.proving import PolicyLike
from shoal.schema import Schema
from shoal.sources.key_file import KeyLike


def link(
    original: Any,
    released: Any,
    schema: Schema | PolicyLike | None = None,
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
    """The risk that an intruder finds persons of ``original`` in ``released``; both are files or any dataframes.

    schema    the policy of the release, which is made once more to know who is who; or roles and kinds of columns. What
              nobody declares is compared, and its kind is guessed
    intruder  what they know, how precisely, of whom; at worst everything of everybody
    by        distance: Euclidean, standardized by both files together; mahalanobis; rank; probabilistic
    blocking  None: every pair; "standard", "sorted", "fuzzy", "auto" (the best at 1,000 pairs per person), or your own
    id        a column of both that says who is who
    truth     who is who: "position" where record i is record i, a file of pairs, or an array: the released record of
              every original one, -1 where there is none
    k         guesses for every person
    key       that the release was made with, a file or 32 bytes, where it does not lie beside the policy
    """
    if by not in MEASURES:
        raise PolicyError.unknown_choice("by", by, MEASURES)
    check_seed(seed)
    who = intruder or Intruder()
    pair = Pair.of(original, released, schema, id, truth, key)
    if pair.truth is None:
        raise LinkageError.nobody_paired()
    roles = declared_or_known(pair.original, pair.declared)
    aligned = pair.tables(_with_values(roles, pair)).aligned(pair.truth)
    known, left_out = known_to(who, aligned.original, aligned.read, roles, by, id)
    found = linked(
        aligned.original, aligned.read, pair.truth, roles, known, who, by=by, blocking=blocking, k=k, seed=seed
    )
    alarms = pair.alarms(aligned, known.quasi_identifiers)
    return replace(found, notes=(*open_truth(truth), *left_out, *aligned.notes, *alarms))


def _with_values(roles: Schema, pair: Pair) -> Schema:
    """The columns that tell something of somebody, and that can be compared."""
    cells = {c.name: pair.original[c.name] for c in roles.columns}
    nested = {field.name for table in (pair.original, pair.released) for field in table.schema if _is_nested(field)}
    return Schema(c for c in roles.columns if c.name not in nested and cells[c.name].null_count < len(pair.original))


def _is_nested(field: pa.Field[Any]) -> bool:
    return not has_codes(field.type)
