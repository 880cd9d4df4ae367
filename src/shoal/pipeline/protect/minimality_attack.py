"""Minimality attack on a release during its run, when its parts are available: the groups before merging, or the blocks
of a cut tree, of which those that fail are missing from the release. Whoever knows that a person is in the table and
finds no class for her knows that her part failed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from shoal.assessment.assessment import Assessment
from shoal.assessment.exposure import Exposure, ExposureKind
from shoal.assessment.risk.minimality import BLANKED, MINIMALITY, SUPPRESSED, Choices, Fails, Replay
from shoal.encode.codes import to_codes
from shoal.engines.protocol import GROUP, PART, TERRITORY, F
from shoal.findings import Finding, Findings, UnmeasuredFigure
from shoal.kernels import Labels, Matrix
from shoal.methods.microaggregation.merge import cheapest_partners, merge_failing
from shoal.methods.microaggregation.unit_vectors import UnitGroups, UnitVectors, size_of_kind
from shoal.pipeline.protect.fitted_table import FittedTable
from shoal.pipeline.protect.level_points import LevelPoints
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
    compared = _compared(after)
    before, after = before.filter(compared), after.filter(compared)
    if not len(after):
        return assessment
    replay = _replay(changed, before, after)
    assessed = with_attacks(assessment, changed.plan, tuple(_attack_findings(replay, changed.plan.seed)))
    return assessed.with_findings(Findings(_cost(changed, replay, before, after)))


def _compared(after: pa.Table) -> pa.BooleanArray:
    """(n_records,) Records with a part: those of a block with fewer than k records have none, as k explains why it is
    suppressed. Nor is a record compared that was suppressed while others of its part are released."""
    parts, is_released = after[PART], pc.is_valid(after[GROUP])
    of_released = pc.is_in(parts, value_set=pc.unique(parts.filter(is_released)))
    return pc.and_(pc.is_valid(parts), pc.or_(is_released, pc.invert(of_released)))


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
    choices = None
    if by_cost:
        territories = _territories(changed, parts, before, after)
        choices = _choices(_unit_points(changed, before, territories), territories)
    return _replay_of_failures(changed, before, parts, groups, choices)


def _replay_of_failures(
    changed: FittedTable[F], before: pa.Table, parts: Labels, groups: Labels, choices: Choices | None
) -> Replay:
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
    return changed.weighted_embedding.only(changed.keys[0].columns).points(before)


def _unit_points(changed: FittedTable[F], before: pa.Table, territories: Sequence[Territory]) -> list[Matrix]:
    """Coordinates of the units of each territory, as they were grouped."""
    points = LevelPoints.of(changed.weighted_embedding, changed.schema, changed.keys[0].columns, before)
    return [points.of_units(territory.vectors) for territory in territories]


@dataclass(frozen=True)
class Territory:
    """Units that may share a group: a part is merged only with parts of the same territory."""

    vectors: UnitVectors
    names: Labels  # (n_groups, size) the part of every group of units at every position
    groups: Partition  # of the units

    @classmethod
    def of(cls, records: Labels, parts: Labels, units: Labels | None, size: int) -> Territory:
        """``records``: those of the territory. The parts of a unit are numbered in the order of its members."""
        order = records if units is None or size == 1 else records[np.lexsort((parts[records], units[records]))]
        vectors = UnitVectors(order.reshape(-1, size))
        names, own = np.unique(parts[vectors.rows[:, 0]], return_inverse=True)
        return cls(vectors, names[:, None] + np.arange(size), Partition(own))

    def partners(self, points: Matrix, some: Labels) -> tuple[Labels, Labels]:
        """Those of the parts ``some`` that are in this territory, and the part each would be merged with."""
        present = np.flatnonzero(np.isin(self.names, some).any(axis=1))
        if not present.size or self.groups.n_groups == 1:
            return some[:0], some[:0]
        groups, partners = cheapest_partners(points, self.groups, present)
        parts, chosen = self.names[groups].ravel(), self.names[partners].ravel()
        known = np.isin(parts, some)
        return parts[known], chosen[known]


def _territories(changed: FittedTable[F], parts: Labels, before: pa.Table, after: pa.Table) -> list[Territory]:
    numbers, units = after[TERRITORY].to_numpy(), _units(changed, before)
    by_number = np.argsort(numbers, kind="stable")
    found = np.split(by_number, np.flatnonzero(np.diff(numbers[by_number])) + 1)
    return [Territory.of(records, parts, units, size_of_kind(int(numbers[records[0]]))) for records in found]


def _choices(points: Sequence[Matrix], territories: Sequence[Territory]) -> Choices:
    """A function from parts to the cheapest neighbor of each in its territory; -1 where the part is alone there."""

    def of(some: Labels) -> Labels:
        choices = np.full(some.size, -1, dtype=np.int64)
        for at, territory in zip(points, territories, strict=True):
            parts, partners = territory.partners(at, some)
            choices[np.searchsorted(some, parts)] = partners
        return choices

    return of


def sensitive_codes(whole: Domains, before: pa.Table) -> dict[str, Labels]:
    """(n_records,) The value of every record, by column: as written, or its cell where only cells are compared."""
    compared = {name: domain for (name, *_, form), domain in whole.items() if form in ("in cells", "as written")}
    return {name: domain.positions(before[name]) for name, domain in compared.items()}


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
    territories = _territories(changed, replay.parts, before, after)
    by_cost = _merged_by_cost(_unit_points(changed, before, territories), replay, territories)
    loss = Partition(replay.groups).information_loss(points)
    meaning = "100 * SSE / SST of groups merged by pairs; the baseline is merging by cost, which discloses what failed."
    baseline = by_cost.information_loss(points)
    return (Finding("SSE / SST of groups merged by pairs", loss, meaning, baseline=baseline, unit="%"),)


def _merged_by_cost(points: Sequence[Matrix], replay: Replay, territories: Sequence[Territory]) -> Partition:
    merged = [_merged_in_territory(at, replay, each) for at, each in zip(points, territories, strict=True)]
    return UnitGroups(tuple(territory.vectors for territory in territories), tuple(merged)).of_records


def _merged_in_territory(points: Matrix, replay: Replay, territory: Territory) -> Partition:
    vectors = territory.vectors

    def holds(groups: Partition) -> NDArray[np.bool_]:
        failing = replay.fails(vectors.records, vectors.positions(groups).labels)
        return ~np.asarray(failing.reshape(-1, vectors.size).any(axis=1))

    return merge_failing(points, territory.groups, holds)
