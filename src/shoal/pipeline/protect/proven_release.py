"""The release as it was written, or as it is in memory, with its proof."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import Any

from shoal.engines.protocol import F
from shoal.gate.gate import Proof
from shoal.gate.person_records import ComparedReleases
from shoal.pipeline.files.manifest_content import class_notes, formula_notes
from shoal.pipeline.files.promises import Promises
from shoal.pipeline.files.targets import Drafts
from shoal.pipeline.protect.fitted_table import FittedTable
from shoal.pipeline.protect.released_records import ReleasedRecords, released_labels
from shoal.pipeline.verify.earlier_proof import compared_release, with_earlier_proof, written_records
from shoal.pipeline.verify.prove_file import prove_with_units, raise_if_failed
from shoal.pipeline.verify.second_lock import check_by_verifier
from shoal.policy import Policy, ReleasePlan
from shoal.sources import Formulas, Origin, ReadOptions, options_written, write_table


@dataclass(frozen=True)
class ProvenRelease:
    """The proof of a release, and what was read and written for it."""

    proof: Proof
    promises: Promises  # decimals, steps and grids that were proved
    origin: Origin  # how the release was written
    formulas: Formulas  # texts that a spreadsheet would run, by column
    compared: ComparedReleases | None = None  # the release next to earlier ones, where there are any

    def notes(self, plan: ReleasePlan) -> tuple[str, ...]:
        formulas = formula_notes(self.formulas, are_safe=plan.spreadsheet_safe)
        return (*formulas, *self.proof.notes, *class_notes(self.proof, plan))


def write_and_prove(
    original: FittedTable[F], policy: Policy, released: ReleasedRecords[F], drafts: Drafts
) -> ProvenRelease:
    """Writes the release and proves the written file, or the table in memory where no file is written."""
    engine, besides = original.engine, (released.units, released.holders, released.amounts)
    promises, origin = Promises.of_schema(original.plan, original.schema), origin_for_writing(original)
    if drafts.release is None:
        records = engine.collect(released.records)
        proof = prove_with_units(records, policy.source, policy, engine, released.sensitive, promises, *besides)
        check_by_verifier(records, policy, released.sensitive, promises)
        compared = _compared(original, policy, released, records)
        return ProvenRelease(_with_earlier(proof, compared, original.plan), promises, origin, {}, compared)
    formulas = Counter(engine.write(released.records, drafts.release, origin))
    if drafts.sensitive and released.sensitive is not None:
        formulas.update(write_table(released.sensitive, drafts.sensitive, origin))
    options = options_written(drafts.release, origin)
    proof = prove_with_units(drafts.release, options, policy, engine, drafts.sensitive, promises, *besides)
    check_by_verifier(drafts.release, policy, drafts.sensitive, promises)
    compared = _compared(original, policy, released, drafts.release, options)
    return ProvenRelease(_with_earlier(proof, compared, original.plan), promises, origin, formulas, compared)


def _compared(
    original: FittedTable[F],
    policy: Policy,
    released: ReleasedRecords[F],
    written: Any,
    options: ReadOptions | None = None,
) -> ComparedReleases | None:
    """The release as it was written next to earlier ones; None without any."""
    if not original.plan.earlier:
        return None
    new = written_records(written, policy, released.persons, "the release", options)
    return compared_release(new, original.earlier, original.plan)


def _with_earlier(proof: Proof, compared: ComparedReleases | None, plan: ReleasePlan) -> Proof:
    """The proof together with that on earlier releases, where there are any."""
    return proof if compared is None else raise_if_failed(with_earlier_proof(proof, compared, plan))


def origin_for_writing(original: FittedTable[F]) -> Origin:
    """The origin for writing: with a header, since dropped columns shift positions, and with permitted labels."""
    origin, safe = original.frame.origin, original.plan.spreadsheet_safe
    written = {"header": True, "names": None, "apostrophes": safe}
    labels = released_labels(origin.labels, original.plan) if origin.labels else None
    return replace(origin, options=origin.options.model_copy(update=written), labels=labels)
