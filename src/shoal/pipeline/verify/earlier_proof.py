"""Proof of what earlier releases leave: the written release is compared with earlier ones as they were published."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow as pa

from shoal.errors import EarlierReleaseError
from shoal.gate.common_candidates import candidates_verdict
from shoal.gate.gate import Proof, Verdict
from shoal.gate.invariance import invariance_verdict
from shoal.gate.person_records import ComparedReleases, PersonRecords
from shoal.pipeline.verify.written_release import release_read_options
from shoal.policy import Policy, ReleasePlan
from shoal.sources import CellKind, ReadOptions, read

NOT_GIVEN = (
    "This release was made with earlier releases, as its manifest says. What these leave of its classes is proved only "
    "where they are given: --earlier, or [earlier] in the policy."
)
NOT_PROVED = (
    "What earlier releases leave of the classes was not proved: this needs the private manifest next to the release, "
    "with the original, policy and key that it names."
)


def with_earlier_proof(
    proof: Proof,
    source: Any,
    policy: Policy,
    persons: pa.Array[Any] | None,
    earlier: Sequence[PersonRecords],
    options: ReadOptions | None = None,
) -> Proof:
    """The proof together with the verdict on earlier releases. ``persons``: (n_records,) the person of every record of
    the release, in the order of the file."""
    if not earlier:
        return proof
    new = written_records(source, policy, persons, "the release", options)
    return replace(proof, verdicts=(*proof.verdicts, *earlier_verdicts(new, earlier, policy)))


def earlier_verdicts(new: PersonRecords, earlier: Sequence[PersonRecords], policy: Policy) -> tuple[Verdict, ...]:
    """The verdicts on what earlier releases leave: k records for everybody, and m-invariance where it is required."""
    plan = ReleasePlan.of(policy)
    compared = ComparedReleases(new, check_same_table(new, tuple(earlier)), plan.stable)
    names = [each.name for each in earlier]
    return (
        candidates_verdict(compared.candidates, plan.k or 1, new.class_columns, names, compared.stable),
        *(
            invariance_verdict(compared.candidates_by(name), m, name, new.class_columns, names)
            for name, m in plan.m_invariance.items()
        ),
    )


def check_same_table(new: PersonRecords, earlier: tuple[PersonRecords, ...]) -> tuple[PersonRecords, ...]:
    """The earlier releases; an error where one shares no quasi-identifier with the new one."""
    for each in earlier:
        if not set(each.class_columns) & set(new.class_columns):
            raise EarlierReleaseError.no_class_column(each.name)
    return earlier


def written_records(
    source: Any, policy: Policy, persons: pa.Array[Any] | None, name: str, options: ReadOptions | None = None
) -> PersonRecords:
    """The records of a release under ``policy``: columns that make classes as text, others by their kind."""
    plan = ReleasePlan.of(policy)
    if plan.representation.separates_sensitive:
        raise EarlierReleaseError.of_anatomy(name)
    class_columns = plan.with_ends(plan.quasi_identifiers)
    texts: dict[str, CellKind] = dict.fromkeys(class_columns, "text")
    kinds = {**plan.released_kinds, **texts}
    table = read(source, options or release_read_options(policy), kinds=kinds).table
    return PersonRecords(name, table, class_columns, persons)


def release_name(source: Any) -> str:
    return Path(source).name if isinstance(source, str | Path) else "the release"
