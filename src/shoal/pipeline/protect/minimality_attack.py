"""Minimality attack on a release during its run, when the groups before and after merging are both available."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np
import pyarrow as pa

from shoal.assessment.assessment import Assessment
from shoal.assessment.exposure import Exposure, ExposureKind
from shoal.assessment.risk.minimality import BLANKED, MINIMALITY, SUPPRESSED, Choices, Fails, Replay
from shoal.encode.codes import to_codes
from shoal.engines.protocol import GROUP, PART, TERRITORY, F
from shoal.findings import Finding, Findings, UnmeasuredFigure
from shoal.kernels import Labels, Matrix
from shoal.methods.microaggregation.merge import cheapest_partners, merge_failing
from shoal.pipeline.protect.fitted_table import FittedTable
from shoal.plan import Partition
from shoal.policy import ReleasePlan
from shoal.policy.policy_advice import advice_to_hide_merging
from shoal.requirements import Requirement
from shoal.requirements.groups import Groups
from shoal.requirements.judge import Domains, domain_keys, sensitive_domains

FEASIBLE = 50_000  # most records for which merging is repeated
WHAT: dict[str, ExposureKind] = {MINIMALITY: "minimality", SUPPRESSED: "suppressed", BLANKED: "blanked"}
TOO_LARGE_GROUPS = "not measured: the merged groups hold too many records or values."
AMOUNTS = UnmeasuredFigure(MINIMALITY, "not measured: a requirement reads amounts or weights.")
TOO_LARGE = UnmeasuredFigure(
    MINIMALITY, "not measured: the table is too large, and a sample would break up its groups."
)


def with_minimality(assessment: Assessment, changed: FittedTable[F], before: pa.Table, after: pa.Table) -> Assessment:
    """The assessment with findings on groups merged, or records suppressed, because of sensitive values.

    ``before`` and ``after`` hold all records, before and after protection.
    """
    if PART not in after.column_names:
        return assessment
    has_part = after[PART].is_valid()  # records of a block with fewer than k records have no part
    before, after = before.filter(has_part), after.filter(has_part)
    if not len(after):
        return assessment
    replay = _replay(changed, before, after)
    assessed = with_attacks(assessment, changed.plan, tuple(_attack_findings(replay, changed.plan.seed)))
    return assessed.with_findings(Findings(_cost(changed, replay, before, after)))


def with_attacks(
    assessment: Assessment, plan: ReleasePlan, attacks: Sequence[Finding | UnmeasuredFigure]
) -> Assessment:
    """The assessment with the findings of ``attacks``, those not measured, and the exposures they reveal."""
    found = tuple(each for each in attacks if isinstance(each, Finding))
    unmeasured = tuple(each for each in attacks if isinstance(each, UnmeasuredFigure))
    assessed = assessment.with_findings(Findings(found)).with_exposures(tuple(_exposures(plan, found)))
    return replace(assessed, not_measured=(*assessed.not_measured, *unmeasured))


def _attack_findings(replay: Replay, seed: int) -> Iterator[Finding | UnmeasuredFigure]:
    for name in replay.values:
        if (replay.parts_in_groups > 1).any():
            found = replay.accusations(name, seed)
            yield (
                found.finding(MINIMALITY, name)
                if found
                else UnmeasuredFigure(f"{MINIMALITY}, {name}", TOO_LARGE_GROUPS)
            )
        if (replay.groups < 0).any():
            yield replay.accusations_of_suppressed(name, seed).finding(SUPPRESSED, name)


def _replay(changed: FittedTable[F], before: pa.Table, after: pa.Table) -> Replay:
    parts = np.unique(after[PART].to_numpy(), return_inverse=True)[1].astype(np.int64)
    kept = after[GROUP].is_valid().to_numpy()
    groups = np.full(len(after), -1, dtype=np.int64)
    groups[kept] = np.unique(after[GROUP].drop_null().to_numpy(), return_inverse=True)[1]
    method = changed.plan.method
    by_cost = method.merges_groups and not method.pairs_groups
    choices = _choices(_points(changed, before), parts, _territories(after)) if by_cost else None
    requirements = [requirement for requirement in changed.plan.requirements if requirement.column]
    whole = sensitive_domains(changed.schema, requirements, changed.unit_counts)
    return Replay(
        parts,
        groups,
        choices,
        failure_check(requirements, whole, before, _units(changed, before)),
        sensitive_codes(whole, before),
    )


def _points(changed: FittedTable[F], before: pa.Table) -> Matrix:
    """(n_records, d) Coordinates of the records on the columns of the only key set."""
    return changed.embedding.only(changed.keys[0].columns).points(before)


def _territories(after: pa.Table) -> list[Labels]:
    """The records of each territory: a part is merged only with parts of the same territory."""
    numbers = after[TERRITORY].to_numpy()
    by_number = np.argsort(numbers, kind="stable")
    return np.split(by_number, np.flatnonzero(np.diff(numbers[by_number])) + 1)


def _choices(points: Matrix, parts: Labels, territories: Sequence[Labels]) -> Choices:
    """A function from parts to the cheapest neighbor of each in its territory; -1 where the part is alone there."""

    def of(some: Labels) -> Labels:
        choices = np.full(some.size, -1, dtype=np.int64)
        for records in territories:
            names, own = np.unique(parts[records], return_inverse=True)
            present = np.flatnonzero(np.isin(names, some))
            if present.size and names.size > 1:
                groups, partners = cheapest_partners(points[records], Partition(own), present)
                choices[np.searchsorted(some, names[groups])] = names[partners]
        return choices

    return of


def sensitive_codes(whole: Domains, before: pa.Table) -> dict[str, Labels]:
    return {name: domain.positions(before[name]) for (name, _, form), domain in whole.items() if form == "as written"}


def _units(changed: FittedTable[F], before: pa.Table) -> Labels | None:
    unit = changed.schema.unit
    return None if unit is None else to_codes(unit.name, before[unit.name]).codes


def failure_check(requirements: Sequence[Requirement], whole: Domains, before: pa.Table, units: Labels | None) -> Fails:
    """A function that says which parts fail the requirements on sensitive values, for any records put into parts.

    Units are counted as when groups are judged.
    """
    codes = {key: domain.positions(before[key[0]]) for key, domain in whole.items()}

    def fails(records: Labels, parts: Labels) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
        ones = np.ones(records.size, dtype=np.int64)
        held = np.ones(int(parts.max()) + 1, dtype=bool)
        for requirement in requirements:
            for key in domain_keys(requirement, whole):
                values = codes[key][records], whole[key].tree, whole[key].n
                held &= requirement.holds(Groups.of(parts, ones, *values, None if units is None else units[records]))
        return ~held

    return fails


def _exposures(plan: ReleasePlan, found: Sequence[Finding]) -> Iterator[Exposure]:
    """Exposures where the lower confidence limit is above the baseline; of each kind of attack the worst column."""
    worse = [each for each in found if each.interval and each.interval[0] > (each.baseline or 0)]
    for kind, what in WHAT.items():
        of_kind = [each for each in worse if each.name.startswith(f"{kind}, ")]
        if of_kind:
            worst = max(of_kind, key=lambda each: each.estimate - (each.baseline or 0))
            column = worst.name.removeprefix(f"{kind}, ")
            remedy = "" if what == "blanked" else advice_to_hide_merging(plan)
            yield Exposure(what, worst.estimate, worst.baseline or 0, (column,), remedy)


def _cost(changed: FittedTable[F], replay: Replay, before: pa.Table, after: pa.Table) -> tuple[Finding, ...]:
    """Information loss of merging by pairs compared with merging by cost.

    Measured only for records grouped in one block, with none suppressed, few enough to be merged a second time.
    """
    method, kept = changed.plan.method, replay.groups >= 0
    in_one_block = changed.division.blocks.n_blocks == 1
    if not method.pairs_groups or not in_one_block or len(before) > FEASIBLE:
        return ()
    if not kept.all():
        return ()
    points = _points(changed, before)
    by_cost = _merged_by_cost(points, replay, _territories(after))
    loss = Partition(replay.groups).information_loss(points)
    meaning = "100 * SSE / SST of groups merged by pairs; the baseline is merging by cost, which discloses what failed."
    baseline = by_cost.information_loss(points)
    return (Finding("SSE / SST of groups merged by pairs", loss, meaning, baseline=baseline, unit="%"),)


def _merged_by_cost(points: Matrix, replay: Replay, territories: Sequence[Labels]) -> Partition:
    labels, n_groups = np.empty(len(points), dtype=np.int64), 0
    for records in territories:
        merged = _merged_in_territory(points, replay, records)
        labels[records] = n_groups + merged.labels
        n_groups += merged.n_groups
    return Partition(labels)


def _merged_in_territory(points: Matrix, replay: Replay, records: Labels) -> Partition:
    parts = Partition(np.unique(replay.parts[records], return_inverse=True)[1])
    return merge_failing(points[records], parts, lambda groups: ~replay.fails(records, groups.labels))
