"""Disclosure risk and utility of a release before it is written; for large tables, losses and charts from a sample."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from shoal.assessment.assessment import Assessment, assess, wildcard_sizes
from shoal.assessment.linkage_attacks import FEWEST_PERSONS, MOST_PERSONS, LinkageAttacks, linkage_attacks
from shoal.assessment.risk.attack import Attack
from shoal.assessment.risk.class_sizes import ClassSizes
from shoal.assessment.risk.interval import interval_attacks
from shoal.assessment.risk.regression_guesses import regression_attribute_attacks
from shoal.assessment.risk.regression_linkage import RegressionAttack
from shoal.assessment.table_pair import AlignedTables, TablePair
from shoal.assessment.utility.clusters import cluster_findings
from shoal.assessment.utility.coverage import coverage_findings
from shoal.assessment.utility.optimality import optimality_findings
from shoal.assessment.utility.population_map import PopulationMap, map_of_quasi_identifiers
from shoal.blocking.som import MapRules
from shoal.encode.codes import to_codes
from shoal.encode.count_table import CountTable
from shoal.encode.units import count_units, n_units_of
from shoal.engines.protocol import BLOCK, GAMMA, GROUP, PART, F
from shoal.errors import LinkageError, TableError
from shoal.findings import Findings, UnmeasuredFigure
from shoal.kernels import Labels
from shoal.linkage.intruder import Intruder
from shoal.methods import VMdav
from shoal.methods.microaggregation.vmdav_diagnosis import MOST_RECORDS as MOST_DIAGNOSED
from shoal.methods.microaggregation.vmdav_diagnosis import vmdav_diagnosis
from shoal.pipeline.methods_of_plan import published_methods
from shoal.pipeline.protect import minimality_attack
from shoal.pipeline.protect.block_assignment import BlockAssignment
from shoal.pipeline.protect.determined_cell_search import determined_cells_of_release
from shoal.pipeline.protect.exposures import ExposureMeasurement, dependent_exposures
from shoal.pipeline.protect.fitted_table import FittedTable
from shoal.pipeline.protect.grouped_rows import released_rows
from shoal.pipeline.protect.outermost_ends import outermost_ends
from shoal.pipeline.protect.recoding_figures import recoding_figures
from shoal.pipeline.protect.unit_intersections import with_intersections
from shoal.pipeline.release_attacks import (
    PopulationFile,
    counts_on_engine,
    replaced_columns,
    with_release_attacks,
)
from shoal.plan import Partition
from shoal.policy.keys import adds_amounts
from shoal.rng import sampled_places

MOST_RECORDS = 1_000_000  # of larger tables a random sample; classes are counted over all records
MOST_CELLS = 8 * MOST_RECORDS  # limit for tables with many columns
MOST_COORDINATES = 30_000_000  # of a release that is linked
MOST_COMPARED = 1_000_000_000  # about: coordinates of persons times records; of more persons, a sample
LEAF = 32  # records of a leaf of the search tree for linkage
LINKED = "linked persons, distance"
TOO_LARGE = UnmeasuredFigure(LINKED, "not measured: the release is too large. Try shoal link.")


def assess_release(
    original: FittedTable[F],
    changed: FittedTable[F],
    protected: F,
    n_suppressed: int,
    population: Any = None,
    linked: pa.Array[Any] | None = None,
) -> Assessment:
    """The assessment of a release. ``protected`` has a group for every released record, and was made from ``changed``,
    the original after perturbation. ``population``: that of the persons, a file or any dataframe. ``linked``: the
    households that are released under a number, None: all."""
    released = _released(original, protected)
    sizes = (_sizes(original, original.as_read), _released_sizes(original, released))
    places = assessed_places(original.n_records, len(original.frame.names))
    before, after = (original.engine.sample(frame, places) for frame in (original.frame, protected))
    kept = pc.is_valid(after[GROUP])
    recoded_losses = _recoded_losses(original, places, before, after)
    release = counts_on_engine(original, released, original.n_records - n_suppressed)
    kept_before, kept_after = before.filter(kept), after.filter(kept)
    exposure = ExposureMeasurement(original.plan, release, kept_after)()
    assessment = assess(
        kept_before,
        kept_after,
        original.schema,
        k=original.plan.k,
        suppressed=n_suppressed / original.n_records,
        by_extents=original.plan.extents,
        sizes=sizes,
        exposure_findings=exposure.findings,
        recoded_losses=recoded_losses,
        groups=_group_sizes(original, released),
    )
    assessment = replace(assessment, recodings=recoding_figures(original, recoded_losses))
    assessment = assessment.with_labels(_value_labels(original))
    assessment = assessment.with_attacks((*exposure.attacks, *_interval_attacks(original, kept_before, kept_after)))
    assessment = with_release_attacks(assessment, release, kept_after, _population(original, population))
    determined = determined_cells_of_release(original, released)
    assessment = assessment.with_findings(determined.findings)
    ends = outermost_ends(changed, released)
    assessment = assessment.with_exposures((*exposure.exposures, *determined.exposures, *ends))
    grouped = before if changed is original else original.engine.sample(changed.frame, places)
    method = original.plan.method
    if (method.microaggregation or (method.generalization and n_suppressed)) and adds_amounts(original.keys):
        assessment = replace(assessment, not_measured=(*assessment.not_measured, minimality_attack.AMOUNTS))
    is_sample = len(places) < original.n_records
    if is_sample:
        unmeasured = (minimality_attack.TOO_LARGE,) if PART in after.column_names else ()
        assessment = replace(assessment, not_measured=(*assessment.not_measured, TOO_LARGE, *unmeasured))
    else:
        assessment = _with_linkage(assessment, original, before, _with_shown_numbers(original, after, linked))
        assessment = _with_attacks_on_groups(assessment, changed, grouped, after)
    return _with_clusters_or_map(assessment, changed, grouped, protected, is_sample=is_sample)


def _with_attacks_on_groups(
    assessment: Assessment, changed: FittedTable[F], grouped: pa.Table, after: pa.Table
) -> Assessment:
    """The assessment with what blocks cost, and what an intruder who knows how groups are formed concludes from them.
    ``grouped``: all records, as groups were formed of them; ``after``: the same with their groups."""
    assessment = assessment.with_findings(_cost_of_blocks(changed, grouped, after))
    assessment = assessment.with_findings(_distance_to_optimum(changed, grouped, after))
    assessment = minimality_attack.with_minimality(assessment, changed, grouped, after)
    kept = pc.is_valid(after[GROUP])
    return with_intersections(assessment, changed, grouped.filter(kept), after.filter(kept))


def _population(original: FittedTable[F], source: Any) -> PopulationFile:
    plan, recodings = original.plan, original.recoding.recodings if original.recoding else {}
    blanked = plan.quasi_identifiers if plan.blanks_cells else ()
    as_read, replaced = original.as_read.schema, replaced_columns(plan)
    return PopulationFile(source, as_read, recodings, plan.extents, blanked, replaced, plan.cells)


def _interval_attacks(original: FittedTable[F], before: pa.Table, after: pa.Table) -> tuple[Attack, ...]:
    """Interval disclosure by an intruder who found the record of a person."""
    if not len(after):
        return ()
    try:
        pair = TablePair.of(before, after, original.schema, original.plan.extents)
        return interval_attacks(pair.original, pair.single_valued, pair.schema)
    except (LinkageError, TableError):  # no value that could be compared
        return ()


def _value_labels(original: FittedTable[F]) -> dict[str, Mapping[object, str]]:
    """Labels of the codes of SPSS, Stata and SAS files, by column; recoded columns have other values."""
    labels = original.frame.origin.labels
    recoded = original.recoding.recodings if original.recoding else {}
    return {name: texts for name, texts in labels.values.items() if name not in recoded} if labels else {}


def _recoded_losses(original: FittedTable[F], places: Labels, before: pa.Table, after: pa.Table) -> dict[str, float]:
    """Losses of the columns that were recoded by hand, compared with the values before recoding."""
    if original.recoding is None:
        return {}
    kept = pc.is_valid(after[GROUP])
    source = original.recoding.in_memory(original.engine.sample(original.as_read, places)).filter(kept)
    return source.losses(before.filter(kept), after.filter(kept), original.schema, original.plan.extents)


def _with_linkage(assessment: Assessment, original: FittedTable[F], before: pa.Table, after: pa.Table) -> Assessment:
    """The assessment with record linkage by an intruder who knows all quasi-identifiers, of all persons or a sample."""
    try:
        aligned = _aligned(original, before, after)
        attack = _linkage(original, aligned)
        learned = _learned(original, aligned, attack.regression if attack else None)
    except (LinkageError, TableError) as reason:  # a release may have columns without a distance
        unmeasured = UnmeasuredFigure(LINKED, f"not measured: {reason}")
        return replace(assessment, not_measured=(*assessment.not_measured, unmeasured))
    if attack is None:
        return replace(assessment, not_measured=(*assessment.not_measured, TOO_LARGE))
    found = replace(assessment.with_findings(attack.findings), attacks=assessment.attacks + attack.attacks)
    found = found.with_exposures(dependent_exposures(original.plan, attack.linkages))
    return replace(found.with_attacks(learned), linkages=attack.linkages, notes=attack.notes)


def _with_shown_numbers(original: FittedTable[F], after: pa.Table, linked: pa.Array[Any] | None) -> pa.Table:
    """The records without the numbers of households that are released without one."""
    if linked is None:
        return after
    for column in original.schema.with_role("household"):
        numbers = after[column.name]
        shown = pc.if_else(pc.is_in(numbers, value_set=linked), numbers, pa.scalar(None, numbers.type))
        after = after.set_column(after.column_names.index(column.name), column.name, shown)
    return after


def _aligned(original: FittedTable[F], before: pa.Table, after: pa.Table) -> AlignedTables:
    kept = after[GROUP].is_valid().to_numpy()
    truth = np.where(kept, np.cumsum(kept) - 1, -1)
    places = np.arange(original.n_records)
    as_read = (
        original.recoding.in_memory(original.engine.sample(original.as_read, places)) if original.recoding else None
    )
    released, extents = after.filter(pa.array(kept)), original.plan.extents
    return TablePair.of(before, released, original.schema, extents, as_read).aligned(truth)


def _linkage(original: FittedTable[F], aligned: AlignedTables) -> LinkageAttacks | None:
    n_released, width = len(aligned.released), original.embedding.width
    if n_released * width > MOST_COORDINATES:
        return None
    names, n_persons = aligned.schema.quasi_identifiers, _most_persons(n_released, width)
    measures = ("distance", "extents", "informed", "households", "regression")
    published, blocking = published_methods(original.plan), original.plan.linkage_blocking
    return linkage_attacks(aligned, Intruder(), names, measures, n_persons, published, blocking)


def _learned(original: FittedTable[F], aligned: AlignedTables, linkage: RegressionAttack | None) -> tuple[Attack, ...]:
    """What an intruder guesses of sensitive values who learns from the release how they depend on others."""
    group = GROUP if original.plan.representation.separates_sensitive else None
    return regression_attribute_attacks(aligned, published_methods(original.plan), group, linkage)


def _most_persons(n_released: int, width: int) -> int:
    n_compared = min(n_released, LEAF << min(width, 32))  # by a tree, which does not help in many dimensions
    return min(MOST_PERSONS, max(FEWEST_PERSONS, MOST_COMPARED // (n_compared * width)))


def n_linked_persons(n_records: int, width: int) -> int:
    """How many persons are searched for in a release of ``n_records``, of points of ``width`` coordinates."""
    return 0 if n_records * width > MOST_COORDINATES else min(n_records, _most_persons(n_records, width))


def _cost_of_blocks(original: FittedTable[F], before: pa.Table, after: pa.Table) -> Findings:
    """Loss caused by dividing records into blocks, for a single key set."""
    if not original.plan.method.forms_groups or not original.division.blocks.rules or len(original.keys) > 1:
        return Findings()
    kept = after[GROUP].is_valid().to_numpy()
    groups = to_codes(GROUP, after[GROUP]).codes[kept]
    blocks = to_codes(BLOCK, original.division.mark(before)[BLOCK]).codes[kept]
    points = original.embedding.coded(before).only(kept)
    grouped, divided = (Partition(np.unique(labels, return_inverse=True)[1]) for labels in (groups, blocks))
    borders = None if original.division.shifted else divided  # after repair, borders separate no records
    return coverage_findings(points, grouped, borders, original.keys[0].k, seed=original.plan.seed)


def _distance_to_optimum(changed: FittedTable[F], records: pa.Table, after: pa.Table) -> Findings:
    """How far the groups are from the optimum at most, where records are grouped one by one, by one key set."""
    method, kept = changed.plan.method.microaggregation, after[GROUP].is_valid().to_numpy()
    if not method or not method.seeks_optimum or changed.schema.unit or len(changed.keys) > 1:
        return Findings()
    if kept.sum() < changed.keys[0].k:
        return Findings()
    points = np.ascontiguousarray(changed.weighted_embedding.points(records)[kept])
    groups = Partition(to_codes(GROUP, after[GROUP]).codes[kept])
    return optimality_findings(points, groups, changed.keys[0].k)


def _with_clusters_or_map(
    assessment: Assessment, changed: FittedTable[F], records: pa.Table, protected: F, *, is_sample: bool
) -> Assessment:
    """The assessment with what a method of variable groups, or one that groups on a map, tells about the records."""
    plan, method = changed.plan, changed.plan.method
    if method.variable_groups and plan.k:
        return assessment.with_findings(_clusters(changed, records, protected, method.variable_groups, is_sample))
    if method.map_rules:
        return replace(assessment, map=_map(changed, records, method.map_rules, is_sample=is_sample))
    return assessment


def _clusters(changed: FittedTable[F], records: pa.Table, protected: F, method: VMdav, is_sample: bool) -> Findings:
    """Whether the records are clustered within the blocks in which they were grouped, and with which gamma."""
    marked = changed.division.mark(records)
    if is_sample:  # a cluster of a few records is not seen in a sample of them: blocks are whole
        marked = _whole_blocks(changed, marked[BLOCK])
    blocks = Partition(to_codes(BLOCK, marked[BLOCK]).codes)
    points, k = changed.weighted_embedding.points(marked), changed.keys[0].k
    diagnosis = vmdav_diagnosis(
        points, k, distance=method.distance, leftovers=method.leftovers, split=method.split, blocks=blocks
    )
    return cluster_findings(diagnosis, changed.n_records, _rules_taken(changed, protected, method))


def _whole_blocks(changed: FittedTable[F], sampled: pa.ChunkedArray[Any]) -> pa.Table:
    """All records of the blocks of a few sampled ones, about as many as are diagnosed."""
    most = -(-MOST_DIAGNOSED * changed.division.blocks.n_blocks // changed.n_records)
    chosen = pc.unique(sampled.take(sampled_places(len(sampled), most, "blocks that are diagnosed")))
    in_blocks = changed.engine.map_rows(changed.frame, partial(_of_blocks, changed.division, chosen))
    return changed.engine.collect(in_blocks)


def _of_blocks(division: BlockAssignment, chosen: Any, piece: pa.Table) -> pa.Table:
    marked = division.mark(piece)
    return marked.filter(pc.is_in(marked[BLOCK], value_set=chosen))


def _rules_taken(changed: FittedTable[F], protected: F, method: VMdav) -> dict[str, int]:
    """By how many records: with which gamma the groups were formed, those of the first set of quasi-identifiers."""
    if not method.chooses_gamma:
        return {f"gamma {method.gamma:g}": changed.n_records}
    rules, counts = changed.engine.group_counts(protected, [GAMMA]).columns
    taken = zip(rules.to_pylist(), counts.to_numpy().tolist(), strict=True)
    return {rule: n for rule, n in taken if rule is not None}


def _map(changed: FittedTable[F], records: pa.Table, rules: MapRules, *, is_sample: bool) -> PopulationMap:
    seed, fewest = changed.plan.seed, changed.plan.k or 0
    embedding = changed.weighted_embedding
    found = map_of_quasi_identifiers(records, changed.schema, embedding, rules, seed=seed, fewest=fewest)
    n_maps = changed.division.blocks.n_blocks * len(changed.keys)
    return replace(found, grouped=n_maps == 1 and not is_sample, n_maps=n_maps)


def assessed_places(n_records: int, n_columns: int) -> Labels:
    """Places of the records that losses and charts are computed from, ascending."""
    return sampled_places(n_records, max(1, min(MOST_RECORDS, MOST_CELLS // n_columns)), "assessment")


def _released(original: FittedTable[F], protected: F) -> F:
    return original.engine.map_rows(protected, released_rows)


def _released_sizes(original: FittedTable[F], released: F) -> ClassSizes:
    """Class sizes of the release, counted as the gate does: if blanks are wildcards, by the records that match."""
    if not original.plan.blanks_are_wildcards:
        return _sizes(original, released)
    return wildcard_sizes(CountTable.of(original.engine.group_counts(released, original.schema.quasi_identifiers)))


def _sizes(original: FittedTable[F], frame: F) -> ClassSizes:
    """Class sizes in records or, if the schema has a unit, in different units."""
    return _sizes_by(original, frame, original.schema.quasi_identifiers)


def _group_sizes(original: FittedTable[F], released: F) -> ClassSizes | None:
    """Sizes of the groups of an anatomy; None for other releases."""
    return _sizes_by(original, released, (GROUP,)) if original.plan.representation.separates_sensitive else None


def _sizes_by(original: FittedTable[F], frame: F, names: Sequence[str]) -> ClassSizes:
    unit, engine = original.schema.unit, original.engine
    if unit is None:
        return engine.class_total(frame, names, (), _sizes_in_records)
    sizes = engine.class_total(frame, names, [unit.name], partial(_sizes_in_units, unit.name))
    return replace(sizes, n_units=engine.class_total(frame, [unit.name], (), partial(n_units_of, unit.name)))


def _sizes_in_records(counts: pa.Table) -> ClassSizes:
    return ClassSizes.of(CountTable.of(counts).n)


def _sizes_in_units(unit: str, counts: pa.Table) -> ClassSizes:
    return ClassSizes.of(count_units(CountTable.of(counts), unit).n, "unit")
