"""Proof of what earlier releases leave: the written release is compared with earlier ones as they were published."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pyarrow as pa

from shoal.errors import EarlierReleaseError
from shoal.gate.common_candidates import candidates_verdict
from shoal.gate.gate import Proof, Verdict
from shoal.gate.invariance import invariance_verdicts
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


@dataclass(frozen=True, eq=False)
class ReleasePersons:
    """Whose the records of a release are, and who has none."""

    released: pa.Array[Any]  # (n_records,) in the order of the file
    suppressed: pa.Array[Any]  # persons of the original without a record


def compared_release(new: PersonRecords, earlier: Sequence[PersonRecords], plan: ReleasePlan) -> ComparedReleases:
    """A release next to earlier ones, with the columns that the policy states not to change."""
    return ComparedReleases(new, check_same_table(new, tuple(earlier)), plan.stable)


def with_earlier_proof(proof: Proof, compared: ComparedReleases, plan: ReleasePlan) -> Proof:
    """The proof together with the verdicts on earlier releases."""
    return replace(proof, verdicts=(*proof.verdicts, *earlier_verdicts(compared, plan)))


def earlier_verdicts(compared: ComparedReleases, plan: ReleasePlan) -> tuple[Verdict, ...]:
    """The verdicts on what earlier releases leave: k records for everybody, and m-invariance where it is required."""
    columns, names = compared.new.class_columns, [each.name for each in compared.earlier]
    return (
        candidates_verdict(compared.candidates, plan.k or 1, columns, names, compared.stable),
        *(
            verdict
            for each in plan.invariances
            for verdict in invariance_verdicts(compared.candidates_by(each.column), each, columns, names)
        ),
    )


def check_not_original(original: Any, earlier: Sequence[Path]) -> None:
    """Raises an error where one of the earlier releases is the original itself."""
    if isinstance(original, str | Path):
        for path in earlier:
            if path.resolve() == Path(original).resolve():
                raise EarlierReleaseError.is_original(path.name)


def check_same_table(new: PersonRecords, earlier: tuple[PersonRecords, ...]) -> tuple[PersonRecords, ...]:
    """The earlier releases; an error where one shares no quasi-identifier with the new one."""
    for each in earlier:
        if not set(each.class_columns) & set(new.class_columns):
            raise EarlierReleaseError.no_class_column(each.name)
    return earlier


def written_records(
    source: Any, policy: Policy, persons: ReleasePersons | None, name: str, options: ReadOptions | None = None
) -> PersonRecords:
    """The records of a release under ``policy``: columns that make classes as text, others by their kind."""
    plan = ReleasePlan.of(policy)
    if plan.representation.separates_sensitive:
        raise EarlierReleaseError.of_anatomy(name)
    class_columns = plan.with_ends(plan.quasi_identifiers)
    texts: dict[str, CellKind] = dict.fromkeys(class_columns, "text")
    kinds = {**plan.released_kinds, **texts}
    table = read(source, options or release_read_options(policy), kinds=kinds).table
    whose = (None, None) if persons is None else (persons.released, persons.suppressed)
    return PersonRecords(name, table, class_columns, *whose)


def release_name(source: Any) -> str:
    return Path(source).name if isinstance(source, str | Path) else "the release"
