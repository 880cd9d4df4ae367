"""Input of generalization: counts of the combinations of values of a key set, by stratum.

Numbers of different units cannot be added over combinations. If the schema has a unit, only the first record of each
unit in a stratum is counted: a block with k first records has at least k units. The results and proofs of a method
refer to these counts, and so does the distribution in the whole table with which shares are compared.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from shoal.encode.count_table import CountTable
from shoal.encode.units import first_records
from shoal.engines.protocol import FIRST, RECORD_ID, F
from shoal.errors import PolicyError
from shoal.kernels import Labels
from shoal.kernels.combinations import combination_keys
from shoal.methods.generalization.coded_counts import CodedCounts
from shoal.methods.generalization.generalization_method import GeneralizationMethod
from shoal.pipeline.protect.fitted_table import FittedTable
from shoal.pipeline.protect.strata import Strata
from shoal.pipeline.protect.weighted_amounts import WeightedAmounts
from shoal.plan import Partition
from shoal.policy.keys import KeySet
from shoal.requirements.judge import Domains, ValueCounts, keep_until_stable, requirement_checker, sensitive_domains
from shoal.requirements.requirement import nearest_met, requirement_names
from shoal.schema import Schema


@dataclass(frozen=True)
class KeySetCounts:
    key_set: KeySet
    schema: Schema  # without the columns of strata
    strata: Strata
    counts: CountTable  # of all strata: columns of strata, quasi-identifiers, columns that are read
    whole: Domains  # of the strata that hold; of all where a part of one may be released
    unit: str | None  # the column of units
    holding: NDArray[np.bool_]  # (n_strata,) whether a stratum holds as one class, beside the others that do
    in_part: bool = False  # whether a part of a stratum that does not hold may be released

    def by_stratum(self) -> Iterator[tuple[int, CountTable]]:
        """Number and counts of each stratum with k records that satisfies the requirements as one group, or of which a
        part may.

        Without strata this is not checked: the method reports what fails.
        """
        for stratum, counts in self.large_strata():
            if self.in_part or self.holds(stratum, counts):
                yield stratum, counts

    def holds(self, stratum: int, counts: CountTable) -> bool:
        """Whether a stratum satisfies the requirements as one group; True where there are no strata."""
        return not self.strata.names or bool(self.holding[stratum] and self.coded(counts).can_hold)

    def large_strata(self) -> Iterator[tuple[int, CountTable]]:
        """Number and counts of each stratum with k records."""
        stratum_of = self.strata.stratum_of(self.counts.combinations)
        for stratum, n_records in enumerate(self.strata.sizes.tolist()):
            if n_records >= self.key_set.k:
                yield stratum, self.counts.only(stratum_of == stratum).without(self.strata.names)

    def check_first_records(self, counts: CountTable) -> None:
        """Raises PolicyError where the first records of units are counted, and not even all of these satisfy the
        requirements: all records may."""
        for requirement, groups in self.coded(counts).failing() if self.unit is not None else ():
            name, reached = requirement_names([requirement])[0], requirement.reached(groups)
            nearest = nearest_met(requirement, reached)
            figures = (requirement.measure, requirement.asked, reached, nearest)
            raise PolicyError.first_records_fail(name, *figures, str(self.unit))

    def coded(self, counts: CountTable) -> CodedCounts:
        return CodedCounts.read(counts, self.schema, self.key_set.requirements, whole=self.whole)


def strata_of(original: FittedTable[F]) -> Strata:
    strata = Strata.of(original.plan.within, lambda names: original.engine.group_counts(original.frame, names))
    strata.check_sizes(original.keys, original.plan.suppression_limit)
    return strata


def counts_by_key_set(
    original: FittedTable[F],
    method: GeneralizationMethod,
    strata: Strata,
    *,
    in_part: bool = False,
    by_unit: bool = True,
) -> Iterator[KeySetCounts]:
    """The counts of every key set. ``in_part``: a part of a stratum may be released that does not hold; not where units
    are counted, as the first record of a unit says nothing of a part. ``by_unit``: these count where
    there are units; otherwise all records do."""
    plan, weighted = original.plan, WeightedAmounts.of(original.plan, original.schema)
    unit = original.schema.unit if by_unit else None
    keys = [weighted.read_by(key) for key in original.keys]
    holding = _holding_strata(original, weighted, keys, method, strata, by_unit)
    in_part = in_part and unit is None
    whole_strata = holding | in_part
    for key in keys:
        schema = _without_strata(key.only(original.schema), plan.within)
        counts = joint_counts(original, [key], method, strata, by_unit=by_unit)
        counted = by_column(counts, whole_strata[strata.stratum_of(counts.combinations)])
        whole = sensitive_domains(
            original.schema, key.requirements, original.value_counts if whole_strata.all() and not unit else counted
        )
        yield KeySetCounts(key, schema, strata, counts, whole, unit.name if unit else None, holding, in_part)


def joint_counts(
    original: FittedTable[F], keys: Sequence[KeySet], method: GeneralizationMethod, strata: Strata, *, by_unit: bool
) -> CountTable:
    """Counts of the combinations of all columns of these key sets, and of those that are read."""
    weighted, within = WeightedAmounts.of(original.plan, original.schema), original.plan.within
    columns = [name for key in keys for name in key.only(original.schema).quasi_identifiers]
    read = [name for key in keys for name in _columns_read(key, method, original.frame.names)]
    return _counts(original, weighted, list(dict.fromkeys([*within, *columns, *read])), strata, by_unit)


def _holding_strata(
    original: FittedTable[F],
    weighted: WeightedAmounts,
    keys: Sequence[KeySet],
    method: GeneralizationMethod,
    strata: Strata,
    by_unit: bool,
) -> NDArray[np.bool_]:
    """(n_strata,) Whether a stratum holds as one class in every key set, beside the others that do."""
    if not strata.names:
        return np.ones(1, dtype=bool)
    read = [name for key in keys for name in _columns_read(key, method, original.frame.names)]
    counts = _counts(original, weighted, list(dict.fromkeys([*strata.names, *read])), strata, by_unit)
    required = [each for key in keys for each in key.requirements if each.reads != "extents"]
    stratum_of = strata.stratum_of(counts.combinations)
    whole = sensitive_domains(original.schema, required, by_column(counts, np.ones(len(counts), dtype=bool)))
    checker = requirement_checker(counts.combinations, required, whole, counts.n, persons=counts.persons)
    large = strata.sizes >= max(key.k for key in keys)
    kept = keep_until_stable([(checker, Partition(stratum_of))], len(counts), large[stratum_of])
    return np.bincount(stratum_of[kept], minlength=strata.sizes.size) > 0


def by_column(counts: CountTable, kept: NDArray[np.bool_]) -> ValueCounts:
    """Counts of the values of a column in the rows that are ``kept``; 0 of those in other rows alone."""
    known = CountTable(counts.combinations, np.where(kept, counts.n, 0))
    return lambda name: known.by([name])


def _counts(
    original: FittedTable[F], weighted: WeightedAmounts, names: list[str], strata: Strata, by_unit: bool
) -> CountTable:
    """Counts of the combinations that occur; ``by_unit``, if the schema has a unit, of first records, so that a count
    may be 0. With those of a population, where a requirement reads it."""
    engine, unit = original.engine, original.schema.unit if by_unit else None
    frame = engine.map_rows(original.frame, weighted.added_to) if weighted.names else original.frame
    if unit is None:
        counts, population = CountTable.of(engine.group_counts(frame, names)), original.population
        if population is None:
            return counts
        in_strata = population.only(strata.occur_in(population.combinations))
        return counts.with_population(in_strata.by([name for name in names if name in population.names]))
    is_first = np.zeros(original.n_records, dtype=bool)
    is_first[first_records(_units_of_strata(original, strata))] = True
    marked = engine.map_rows(frame, partial(_with_first, is_first))
    counts = CountTable.of(engine.group_counts(marked, [*names, FIRST]))
    return CountTable(counts.combinations, np.where(counts[FIRST].to_numpy(), counts.n, 0)).by(names)


def _with_first(is_first: NDArray[np.bool_], piece: pa.Table) -> pa.Table:
    return piece.append_column(FIRST, pa.array(is_first[piece[RECORD_ID].to_numpy()]))


def _units_of_strata(original: FittedTable[F], strata: Strata) -> Labels:
    """(n_records,) The unit of each record; a unit in several strata is one in each, since strata share no block."""
    units = original.units
    if not strata.names:
        return units
    stratum_of: Labels = original.by_record(strata.names, strata.stratum_of).to_numpy()
    return np.where(units < 0, -1, combination_keys([units, stratum_of], units.size))


def _columns_read(key: KeySet, method: GeneralizationMethod, names: Sequence[str]) -> list[str]:
    """The sensitive columns that requirements read, and the target of the loss."""
    if method.target is not None and method.target not in names:
        raise PolicyError.unknown_column("method.target", method.target, names)
    sensitive = {str(r.column) for r in key.requirements if r.column and r.reads != "extents"}
    return sorted(sensitive | ({method.target} if method.target else set()))


def _without_strata(schema: Schema, within: Sequence[str]) -> Schema:
    """The schema without the columns of strata, which are released unchanged."""
    return Schema(column for column in schema.columns if column.name not in within)
