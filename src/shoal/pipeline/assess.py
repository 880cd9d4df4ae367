"""The function ``assess``: a release compared with its original, as files or any dataframes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow as pa

from shoal import progress
from shoal.assessment.assessment import FEWEST_SHOWN, Assessment
from shoal.assessment.exposure import UNIQUE
from shoal.assessment.full_assessment import DEFAULT_K, full_assessment, unpaired_assessment
from shoal.assessment.risk.attribute_attacks import attribute_attacks
from shoal.assessment.risk.earlier_releases import earlier_release_attacks
from shoal.assessment.table_pair import AlignedTables, TablePair
from shoal.assessment.utility.analyses.estimators import check_packages
from shoal.assessment.utility.compared_records import ComparedRecords
from shoal.assessment.utility.usefulness import Usefulness, usefulness
from shoal.encode.codes import to_codes
from shoal.encode.units import Spellings
from shoal.engines.address_space import check_charts
from shoal.engines.memory import MemoryEngine
from shoal.gate.person_records import ComparedReleases
from shoal.linkage.intruder import Intruder
from shoal.linkage.link_tables import column_roles
from shoal.pipeline.compared_releases import compared_releases
from shoal.pipeline.files.release import Release
from shoal.pipeline.methods_of_plan import published_methods
from shoal.pipeline.page_check import page_proof, raise_faults
from shoal.pipeline.protect.determined_cell_search import determined_cells_of_tables
from shoal.pipeline.protect.exposures import unique_exposures
from shoal.pipeline.protect.fitted_table import FittedTable
from shoal.pipeline.record_pairing import (
    RecordPairing,
    Truth,
    recoded_original,
    released_positions,
    truth_file,
    truth_file_notes,
)
from shoal.pipeline.release_attacks import (
    PopulationFile,
    counts_in_memory,
    replaced_columns,
    with_release_attacks,
)
from shoal.pipeline.verify.prove_file import PolicyLike
from shoal.policy import ReleasePlan, load
from shoal.release.anatomize import GROUP
from shoal.report import render_assessment
from shoal.report.page_file import REPORT, Edition, PageForm, check_edition, check_page, page_form
from shoal.schema import Schema
from shoal.schema.helper_columns import UNIT
from shoal.sources import read, whole_file
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
    population: Any = None,
    edition: Edition = "internal",
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
    report    path of a report, .html, .md or .json; ``force`` replaces an older one
    key       the key of the release, a file or 32 bytes, if it is not next to the policy
    population  everybody whom the persons of the original are from, for membership: a file or any dataframe with the
              quasi-identifiers and, if rows stand for several persons, a column ``count``
    edition   of the report: "external" may leave the house, and is proved to show nothing about fewer than k
    earlier   files of earlier releases of the same persons, the latest last, each with its private manifest next to it:
              what all of them together reveal
    person    the column of the originals that identifies a person across releases; by default ``id``, or the only
              identifier of the policy

    Without a policy, an id or a truth, figures that need paired records are left out.
    """
    files = tuple(map(Path, earlier))
    arguments = (original, released, policy, intruder or Intruder(), id, truth, key, population, files, person)
    if report is None:
        return _assessment(*arguments)
    check_edition(edition)
    if page_form(report) == "html":
        check_charts()
    inputs = [*_inputs(original, released, policy, truth, key, population), *files]
    with whole_file(Path(report), force=force, inputs=inputs, private=edition == "internal") as draft:
        check_page(report, REPORT)
        assessment = _assessment(*arguments)
        page = _page(assessment, page_form(report), edition, original, released, policy)
        draft.write_text(page, encoding="utf-8")
    return assessment


def _page(
    assessment: Assessment,
    form: PageForm,
    edition: Edition,
    original: Any,
    released: Any,
    policy: Schema | PolicyLike | None,
) -> str:
    """The page; an external one is proved first."""
    if edition == "internal":
        return render_assessment(assessment, source_name(released), form)
    k = None if policy is None or isinstance(policy, Schema) else load(policy).k
    names = read(released, kinds="infer").table.column_names
    page = render_assessment(assessment, "", form, edition, k or FEWEST_SHOWN, names)
    raise_faults(page_proof(page, form, original, released, policy))
    return page


def _inputs(
    original: Any,
    released: Any,
    schema: Schema | PolicyLike | None,
    truth: Truth | None,
    key: KeyLike | None,
    population: Any,
) -> list[Path]:
    """All input files. The report may not overwrite one."""
    tables = [Path(source) for source in (original, released, population) if isinstance(source, str | Path)]
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
    population: Any,
    earlier: Sequence[Path],
    person: str | None,
) -> Assessment:
    if schema is not None and not isinstance(schema, Schema):
        check_packages(rule.analysis for rule in load(schema).analyses)
    pair = RecordPairing.of(original, released, schema, id, truth, key)
    roles = column_roles(pair.original, pair.declared)
    tables, plan = pair.tables(roles), pair.plan
    k, wildcards = (plan.k, plan.blanks_are_wildcards) if plan else (None, False)
    notes = (*_guessed_roles_note(roles, pair.declared), *truth_file_notes(truth))
    if pair.truth is None:
        found, records = unpaired_assessment(tables, k, wildcards=wildcards), _with_units(tables, None)
    else:
        aligned = tables.aligned(pair.truth)
        notes = (*notes, *pair.check(aligned, aligned.schema.quasi_identifiers))
        units, group = _units(pair.original, roles, aligned), _group_column(plan)
        found = full_assessment(
            aligned,
            intruder,
            k,
            wildcards=wildcards,
            units=units,
            units_are_persons=roles.units_are_persons,
            group=group,
            published=published_methods(plan) if plan else None,
            blocking=plan.linkage_blocking if plan else (),
        )
        records = _with_units(aligned, None if units is None else aligned.of_released(units))
        records = _with_separated_values(records, aligned, pair.original, roles) if group else records
    release = counts_in_memory(records, roles, plan)
    found = found.with_attacks(attribute_attacks(release, 100 * plan.warn.homogeneous if plan else None).attacks)
    found = with_release_attacks(found, release, records, _population(pair, tables, population))
    if plan is not None:
        determined = determined_cells_of_tables(
            plan.for_columns_of(tables.schema), tables.schema, pair.original, tables.released
        )
        unique = unique_exposures(plan, found.findings[UNIQUE], records, release.outside) if release.outside else ()
        found = replace(found.with_findings(determined.findings), exposures=(*unique, *determined.exposures))
    if earlier:
        compared = compared_releases(pair, released, schema, roles, earlier, person or id)
        sensitive = [name for name in roles.sensitive if name in compared.new.other_columns]
        found = found.with_attacks(earlier_release_attacks(compared, k or DEFAULT_K, sensitive))
        notes = (*notes, *_changing_notes(compared))
    useful = _usefulness(tables if pair.truth is None else tables.aligned(pair.truth), pair.original, roles, plan)
    return replace(found, notes=(*notes, *found.notes), usefulness=useful)


def _usefulness(tables: TablePair, original: pa.Table, roles: Schema, plan: ReleasePlan | None) -> Usefulness:
    """Usefulness for analyses; those of the policy where it is known."""
    with progress.stage("measuring usefulness", 0):
        records, unit = ComparedRecords.of(tables), roles.unit
        units = None if unit is None else to_codes(unit.name, original[unit.name]).codes[records.sampled]
        return usefulness(records, plan.analyses if plan else (), k=(plan and plan.k) or FEWEST_SHOWN, units=units)


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
        published=published_methods(plan),
        blocking=plan.linkage_blocking,
    )


def _with_units(tables: TablePair, units: pa.ChunkedArray[Any] | None) -> pa.Table:
    """The released records with a column of their units: ``units``, or those that the release shows."""
    unit = tables.schema.unit
    shown = tables.released[unit.name] if unit and units is None else units
    return tables.released if shown is None else tables.released.append_column(UNIT, shown)


def _with_separated_values(records: pa.Table, aligned: AlignedTables, original: pa.Table, roles: Schema) -> pa.Table:
    """The records of an anatomy with the sensitive values of its second table, record by record."""
    for name in (name for name in roles.sensitive if name not in records.column_names):
        records = records.append_column(name, aligned.of_released(original[name]))
    return records


def _population(pair: RecordPairing, tables: TablePair, source: Any) -> PopulationFile:
    recodings = pair.recoded.recodings if pair.recoded else {}
    replaced = replaced_columns(pair.plan.for_columns_of(tables.schema)) if pair.plan else ()
    return PopulationFile(
        source, tables.as_read.schema, recodings, tables.by_extents, _blanked(pair.plan, tables), replaced
    )


def _blanked(plan: ReleasePlan | None, tables: TablePair) -> tuple[str, ...]:
    """Quasi-identifiers in which cells were blanked: by the policy, or since the release has more missing cells."""
    names = tables.schema.quasi_identifiers
    if plan is not None:
        return names if plan.blanks_cells else ()
    return tuple(name for name in names if tables.released[name].null_count > tables.original[name].null_count)


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
