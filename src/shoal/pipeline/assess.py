"""The function ``assess``: a release compared with its original, as files or any dataframes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from shoal.assessment.assessment import FEWEST_SHOWN, Assessment
from shoal.assessment.full_assessment import DEFAULT_K
from shoal.assessment.risk.repeat_assessment import with_earlier_releases
from shoal.assessment.utility.analyses.estimators import check_packages
from shoal.engines.memory import MemoryEngine
from shoal.linkage.intruder import Intruder
from shoal.pipeline.assessment_tables import AssessmentTables
from shoal.pipeline.compared_releases import compared_releases
from shoal.pipeline.files.release import Release
from shoal.pipeline.page_check import page_proof, raise_faults
from shoal.pipeline.protect.earlier_exposures import earlier_exposures
from shoal.pipeline.protect.fitted_table import FittedTable
from shoal.pipeline.record_pairing import (
    RecordPairing,
    Truth,
    recoded_original,
    released_positions,
    truth_file,
    truth_file_notes,
)
from shoal.pipeline.verify.earlier_proof import check_not_original
from shoal.pipeline.verify.prove_file import PolicyLike
from shoal.policy import Policy, load
from shoal.report import render_assessment
from shoal.report.charts import check_charts
from shoal.report.page_file import REPORT, Edition, PageForm, check_edition, check_page, page_form
from shoal.schema import Schema
from shoal.sources import read, whole_file
from shoal.sources.key_file import KeyLike, key_file


@dataclass(frozen=True, eq=False)
class AssessmentInputs:
    """What an assessment reads; see ``assess``."""

    original: Any
    released: Any
    policy: Schema | PolicyLike | None
    id: str | None
    truth: Truth | None
    key: KeyLike | None
    population: Any
    earlier: tuple[Path, ...]
    person: str | None

    @cached_property
    def rules(self) -> Policy | None:
        """The policy of the release; None where there is none, or only roles."""
        return None if self.policy is None or isinstance(self.policy, Schema) else load(self.policy)

    @property
    def earlier_files(self) -> tuple[Path, ...]:
        return self.earlier or (self.rules.earlier_files if self.rules else ())

    @property
    def person_column(self) -> str | None:
        return self.person or self.id or (self.rules.person if self.rules else None)

    @property
    def files(self) -> list[Path]:
        """All input files. The report may not overwrite one."""
        sources = (self.original, self.released, self.population)
        tables, policy = [Path(source) for source in sources if isinstance(source, str | Path)], self.rules
        others = [truth_file(self.truth), key_file(self.key, policy.file if policy else None), *self.earlier_files]
        return [*tables, *(policy.files if policy else ()), *(path for path in others if path)]


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
              what all of them together reveal; by default those that the policy names
    person    the column of the originals that identifies a person across releases; by default ``id``, that of the
              policy, or its only identifier

    Without a policy, an id or a truth, figures that need paired records are left out.
    """
    files = tuple(map(Path, earlier))
    inputs = AssessmentInputs(original, released, policy, id, truth, key, population, files, person)
    intruder = intruder or Intruder()
    if report is None:
        return _assessment(inputs, intruder)
    check_edition(edition)
    if page_form(report) == "html":
        check_charts()
    with whole_file(Path(report), force=force, inputs=inputs.files, private=edition == "internal") as draft:
        check_page(report, REPORT)
        assessment = _assessment(inputs, intruder)
        draft.write_text(_page(assessment, page_form(report), edition, inputs), encoding="utf-8")
    return assessment


def _page(assessment: Assessment, form: PageForm, edition: Edition, inputs: AssessmentInputs) -> str:
    """The page; an external one is proved first."""
    if edition == "internal":
        return render_assessment(assessment, source_name(inputs.released), form)
    k = inputs.rules.k if inputs.rules else None
    names = read(inputs.released, kinds="infer").table.column_names
    page = render_assessment(assessment, "", form, edition, k or FEWEST_SHOWN, names)
    raise_faults(page_proof(page, form, inputs.original, inputs.released, inputs.policy))
    return page


def _assessment(inputs: AssessmentInputs, intruder: Intruder) -> Assessment:
    check_not_original(inputs.original, inputs.earlier_files)
    if inputs.rules:
        check_packages(rule.analysis for rule in inputs.rules.analyses)
    pair = RecordPairing.of(inputs.original, inputs.released, inputs.policy, inputs.id, inputs.truth, inputs.key)
    tables = AssessmentTables.of(pair)
    notes = (*tables.role_notes, *truth_file_notes(inputs.truth), *tables.pairing_notes)
    found = tables.with_attacks(tables.compared(intruder), inputs.population)
    found = tables.with_exposures(found)
    if inputs.earlier_files:
        roles, files, person = tables.roles, inputs.earlier_files, inputs.person_column
        compared = compared_releases(pair, inputs.released, inputs.policy, roles, files, person)
        invariances = tables.plan.invariances if tables.plan else ()
        found = with_earlier_releases(found, compared, tables.k or DEFAULT_K, roles.sensitive, invariances)
        if tables.plan:
            found = found.with_exposures(earlier_exposures(tables.plan, compared, found.findings))
    useful, subtotals = tables.usefulness(), tables.subtotals()
    limits = inputs.rules.limits.by_name if inputs.rules else {}
    return replace(found, notes=(*notes, *found.notes), usefulness=useful, subtotals=subtotals, limits=limits)


def assess_in_memory(source: Any, release: Release, intruder: Intruder) -> Assessment:
    """The assessment of a release that has just been made in memory."""
    assert release.records is not None, "made in memory"
    original = FittedTable.read(MemoryEngine(), source, release.policy).with_key(release.key)
    before = original.engine.collect(original.frame)
    positions, recoded = released_positions(original, release.groups), recoded_original(original)
    pair = RecordPairing(before, release.records, original.schema, original.plan, positions, True, recoded)
    return AssessmentTables.of(pair, original.schema).compared(intruder)


def source_name(source: Any) -> str:
    return Path(source).name if isinstance(source, str | Path) else "a table in memory"
