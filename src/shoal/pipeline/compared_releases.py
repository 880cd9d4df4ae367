"""A release side by side with earlier ones of the same persons, as its owner can compare them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from shoal import progress
from shoal.gate.person_records import ComparedReleases, PersonRecords
from shoal.pipeline.known_release import KnownRelease, persons_of_release
from shoal.pipeline.record_pairing import RecordPairing
from shoal.pipeline.replay import with_manifest_options
from shoal.pipeline.verify.earlier_proof import ReleasePersons, check_same_table, release_name, written_records
from shoal.pipeline.verify.prove_file import PolicyLike
from shoal.policy import load
from shoal.schema import Schema


def compared_releases(
    pair: RecordPairing,
    released: Any,
    policy: Schema | PolicyLike | None,
    roles: Schema,
    earlier: Sequence[Path],
    person: str | None,
) -> ComparedReleases:
    """The release of ``pair`` and the earlier ones. ``person``: the column of persons; by default the only identifier
    among the ``roles``, if there is one."""
    column = person or only_identifier(roles)
    new = _new_records(pair, released, policy, roles, _persons(pair, column))
    with progress.stage("reading earlier releases", 0):
        known = tuple(KnownRelease(path, column).records(new.class_columns) for path in earlier)
    return ComparedReleases(new, check_same_table(new, known), _stable(policy))


def _stable(policy: Schema | PolicyLike | None) -> tuple[str, ...] | None:
    """The columns that the policy states not to change; None: it names none."""
    rules = None if policy is None or isinstance(policy, Schema) else load(policy).earlier
    return rules.stable if rules else None


def only_identifier(roles: Schema) -> str | None:
    names = [column.name for column in roles.with_role("identifier")]
    return names[0] if len(names) == 1 else None


def _persons(pair: RecordPairing, column: str | None) -> ReleasePersons | None:
    if column is None or pair.truth is None:
        return None
    return persons_of_release(pair.original, column, pair.truth, "the original")


def _new_records(
    pair: RecordPairing,
    released: Any,
    policy: Schema | PolicyLike | None,
    roles: Schema,
    persons: ReleasePersons | None,
) -> PersonRecords:
    name = release_name(released)
    if policy is not None and not isinstance(policy, Schema):
        return written_records(released, with_manifest_options(load(policy), released), persons, name)
    table = pair.released
    names = tuple(each for each in roles.quasi_identifiers if each in table.column_names)
    whose = (None, None) if persons is None else (persons.released, persons.suppressed)
    return PersonRecords(name, table, names, *whose)
