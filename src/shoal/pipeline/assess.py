"""The function ``assess``: a release compared with its original, as files or any dataframes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow as pa

from shoal.assessment.assessment import Assessment
from shoal.assessment.full_assessment import DEFAULT_K, full_assessment, unpaired_assessment
from shoal.assessment.risk.earlier_releases import earlier_release_attacks
from shoal.assessment.table_pair import AlignedTables
from shoal.encode.units import Spellings
from shoal.engines.address_space import check_charts
from shoal.engines.memory import MemoryEngine
from shoal.gate.person_records import ComparedReleases
from shoal.linkage.intruder import Intruder
from shoal.linkage.link_tables import column_roles
from shoal.pipeline.compared_releases import compared_releases
from shoal.pipeline.files.release import Release
from shoal.pipeline.protect.determined_cell_search import determined_cells_of_tables
from shoal.pipeline.protect.fitted_table import FittedTable
from shoal.pipeline.record_pairing import (
    RecordPairing,
    Truth,
    recoded_original,
    released_positions,
    truth_file,
    truth_file_notes,
)
from shoal.pipeline.verify.prove_file import PolicyLike
from shoal.policy import ReleasePlan, load
from shoal.release.anatomize import GROUP
from shoal.report import render_assessment
from shoal.report.page_file import HTML, check_page
from shoal.schema import Schema
from shoal.sources import whole_file
from shoal.sources.key_file import KeyLike, key_file


def assess(
    original: Any,
    released: Any,
    policy: Schema | PolicyLike | None = None,
    *,
    intruder: Intruder | None = None,
    id: str | None = None,  # noqa: A002
    truth: Truth | None = None,
    report: str | Path | None = None,
    force: bool = False,
    key: KeyLike | None = None,
    earlier: Sequence[str | Path] = (),
    person: str | None = None,
) -> Assessment:
    """Disclosure risk and utility of ``released`` compared with ``original``; both are files or any dataframes.

    policy    the policy of the release, which is then repeated to pair the records; or roles and kinds of the columns,
              guessed from the original if not given
    intruder  what the intruder knows, how precisely and of whom; by default all quasi-identifiers of everybody
    id        a column of both tables that pairs the records
    truth     the pairs: "position" if both tables are in the same order, a file of pairs, or an array with the released
              record of each original record, -1 where there is none
    report    path of an HTML report; ``force`` replaces an older one
    key       the key of the release, a file or 32 bytes, if it is not next to the policy
    earlier   files of earlier releases of the same persons, the latest last, each with its private manifest next to it:
              what all of them together reveal
    person    the column of the originals that identifies a person across releases; by default ``id``, or the only
              identifier of the policy

    Without a policy, an id or a truth, figures that need paired records are left out.
    """
    arguments = (original, released, policy, intruder or Intruder(), id, truth, key, tuple(map(Path, earlier)), person)
    if report is None:
        return _assessment(*arguments)
    check_charts()
    inputs = [*_inputs(original, released, policy, truth, key), *map(Path, earlier)]
    with whole_file(Path(report), force=force, inputs=inputs, private=True) as draft:
        check_page(report, HTML)
        assessment = _assessment(*arguments)
        draft.write_text(render_assessment(assessment, source_name(released)), encoding="utf-8")
    return assessment


def _inputs(
    original: Any, released: Any, schema: Schema | PolicyLike | None, truth: Truth | None, key: KeyLike | None
) -> list[Path]:
    """All input files. The report may not overwrite one."""
    tables = [Path(source) for source in (original, released) if isinstance(source, str | Path)]
    policy = None if schema is None or isinstance(schema, Schema) else load(schema)
    others = [truth_file(truth), key_file(key, policy.file if policy else None)]
    return [*tables, *(policy.files if policy else ()), *(path for path in others if path)]


def _assessment(
    original: Any,
    released: Any,
    schema: Schema | PolicyLike | None,
    intruder: Intruder,
    id: str | None,  # noqa: A002
    truth: Truth | None,
    key: KeyLike | None,
    earlier: Sequence[Path],
    person: str | None,
) -> Assessment:
    pair = RecordPairing.of(original, released, schema, id, truth, key)
    roles = column_roles(pair.original, pair.declared)
    tables, plan = pair.tables(roles), pair.plan
    k, wildcards = (plan.k, plan.blanks_are_wildcards) if plan else (None, False)
    notes = (*_guessed_roles_note(roles, pair.declared), *truth_file_notes(truth))
    if pair.truth is None:
        found = unpaired_assessment(tables, k, wildcards=wildcards)
    else:
        aligned = tables.aligned(pair.truth)
        units, group = _units(pair.original, roles, aligned), _group_column(plan)
        found = full_assessment(
            aligned,
            intruder,
            k,
            wildcards=wildcards,
            units=units,
            units_are_persons=roles.units_are_persons,
            group=group,
        )
        notes = (*notes, *pair.warnings(aligned, aligned.schema.quasi_identifiers))
    if plan is not None:
        determined = determined_cells_of_tables(
            plan.for_columns_of(tables.schema), tables.schema, pair.original, tables.released
        )
        found = replace(found.with_findings(determined.findings), exposures=determined.exposures)
    if earlier:
        compared = compared_releases(pair, released, schema, roles, earlier, person or id)
        k_of_release = k or DEFAULT_K
        sensitive = [name for name in roles.sensitive if name in compared.new.other_columns]
        found = found.with_attacks(earlier_release_attacks(compared, k_of_release, sensitive))
        notes = (*notes, *_changing_notes(compared))
    return replace(found, notes=(*notes, *found.notes))


def _changing_notes(compared: ComparedReleases) -> Iterator[str]:
    """A note on columns that all releases show, but that change over time."""
    changing = [name for name, share in compared.agreements.items() if name not in compared.stable]
    if changing and compared.declared is None:
        yield (
            f"{', '.join(changing)}: differs between the releases for more than one person in ten, so records of one "
            "person are not recognized by it."
        )


def _guessed_roles_note(roles: Schema, declared: Schema | None) -> tuple[str, ...]:
    names = [f"{c.name} ({c.role.replace('_', '-')})" for c in roles.columns if not declared or c.name not in declared]
    return (f"Roles were guessed: {', '.join(names)}. Give a policy to decide them.",) if names else ()


def assess_in_memory(source: Any, release: Release, intruder: Intruder) -> Assessment:
    """The assessment of a release that has just been made in memory."""
    assert release.records is not None, "made in memory"
    original = FittedTable.read(MemoryEngine(), source, release.policy).with_key(release.key)
    before = original.engine.collect(original.frame)
    positions, recoded = released_positions(original, release), recoded_original(original)
    pair = RecordPairing(before, release.records, original.schema, original.plan, positions, True, recoded)
    assert pair.truth is not None
    aligned = pair.tables(original.schema).aligned(pair.truth)
    units, plan = _units(before, original.schema, aligned), original.plan
    wildcards, group = plan.blanks_are_wildcards, _group_column(plan)
    return full_assessment(
        aligned,
        intruder,
        plan.k,
        wildcards=wildcards,
        units=units,
        units_are_persons=original.schema.units_are_persons,
        group=group,
    )


def _group_column(plan: ReleasePlan | None) -> str | None:
    """The column of groups of an anatomy; None for other releases."""
    return GROUP if plan and plan.representation.separates_sensitive else None


def _units(original: pa.Table, roles: Schema, aligned: AlignedTables) -> pa.ChunkedArray[Any] | None:
    """The units of the original records, if the release does not show them; else None."""
    unit = roles.unit
    if unit is None or unit.name in aligned.schema:
        return None
    spellings = Spellings.of(unit, original[unit.name])
    return (spellings.unify(original) if spellings else original)[unit.name]


def source_name(source: Any) -> str:
    return Path(source).name if isinstance(source, str | Path) else "a table in memory"
