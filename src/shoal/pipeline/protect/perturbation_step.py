"""Perturbation of values, before microaggregation or generalization, or instead of them.

Also the transition matrices of PRAM for the report.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import pyarrow as pa

from shoal import progress
from shoal.assessment.assessment import FEWEST_SHOWN
from shoal.assessment.utility.pram_matrix import PramMatrix
from shoal.encode.codes import Codes, to_codes
from shoal.encode.count_table import CountTable
from shoal.encode.number_column import to_numbers
from shoal.engines.protocol import Engine, F
from shoal.kernels import Labels, Vector
from shoal.methods.perturbation import Pram
from shoal.methods.perturbation.perturbation_method import PerturbationMethod
from shoal.pipeline.protect.fitted_table import FittedTable
from shoal.pipeline.protect.strata import Strata
from shoal.rng import Rng
from shoal.schema import Column, Schema
from shoal.sources import sha256_of_table


def perturb_table(original: FittedTable[F]) -> FittedTable[F]:
    """The original after all perturbations."""
    methods = original.plan.perturbations
    _check_calendars(original)
    return replace(original, frame=perturb_records(original, len(methods)), before=original) if methods else original


def _check_calendars(original: FittedTable[F]) -> None:
    """Raises an error where the days of all records, not only of a stratum, would reveal a shift of dates."""
    schema, unit = original.schema, [original.schema.unit.name] if original.schema.unit else []
    for shift in filter(None, (method.shift_of_dates for method in original.plan.perturbations)):
        for name in shift.columns or schema.quasi_identifiers:
            if name in schema:
                counts = original.engine.group_counts(original.frame, [name, *unit])
                shift.check_calendar(schema[name], CountTable.of(counts))


def perturb_records(original: FittedTable[F], n: int) -> F:
    """The records after the first ``n`` perturbations."""
    plan, engine, frame = original.plan, original.engine, original.frame
    whole, strata = (_strata(original, names) for names in ((), plan.within))
    with progress.stage("perturbing values", 0):
        for steps in _passes(plan.perturbations[:n], one_stratum=not plan.within):
            found = {step: _with_bounds(original, frame, plan.perturbations[step]) for step in steps}
            perturbation = BlockPerturbation(found, original.schema, original.rng)
            blocks = whole if plan.perturbations[steps[0]].shift_of_dates else strata
            frame = engine.map_blocks(engine.map_rows(frame, blocks.mark), perturbation)
    return frame


def _strata(original: FittedTable[F], names: Sequence[str]) -> Strata:
    return Strata.of(names, lambda by: original.engine.group_counts(original.frame, by))


def _passes(methods: Sequence[PerturbationMethod], *, one_stratum: bool) -> list[list[int]]:
    """Methods applied in the same pass over strata. A method that needs the values of all strata starts a new pass; a
    shift of dates, which is that of a unit in all strata, has a pass of its own."""
    passes: list[list[int]] = []
    for step, method in enumerate(methods):
        starts = method.coding_by_share or method.shift_of_dates or (step and methods[step - 1].shift_of_dates)
        if passes and (one_stratum or not starts):
            passes[-1].append(step)
        else:
            passes.append([step])
    return passes


def _with_bounds(original: FittedTable[F], frame: F, method: PerturbationMethod) -> tuple[PerturbationMethod, ...]:
    """Top and bottom coding by share takes bounds from all records: in a small stratum the share may be empty."""
    coding = method.coding_by_share
    if not original.plan.within or not coding:
        return (method,)
    names = method.columns or original.schema.quasi_identifiers
    known = _known_values(original.engine, frame, names)
    return tuple(coding.with_bounds_of(name, values) if len(values) else method for name, values in known.items())


def _known_values(engine: Engine[F], frame: F, names: Sequence[str]) -> dict[str, Vector]:
    """The nonmissing values of numeric columns."""
    found = engine.by_record(frame, names, _numbers_of)
    return {name: found[name].drop_null().to_numpy() for name in names}


def _numbers_of(piece: pa.Table) -> pa.Table:
    numbers = {name: to_numbers(name, piece[name]) for name in piece.column_names}
    return pa.table({name: pa.array(each.values, mask=each.missing) for name, each in numbers.items()})


@dataclass(frozen=True)
class BlockPerturbation:
    """Applies perturbation methods in their order, each to the result of the previous one."""

    methods: Mapping[int, tuple[PerturbationMethod, ...]]  # by position in the policy
    schema: Schema
    rng: Rng

    def __call__(self, block_id: int, block: pa.Table) -> pa.Table:
        """The perturbed block. Random numbers depend on all its values, also of columns unknown to an intruder."""
        rng = self.rng.of_block(block_id).of_values(sha256_of_table(block))
        for step, methods in self.methods.items():
            for method in methods:
                block = method.perturb_by_level(block, self.schema, rng.of_step(step))
        return block


def n_imputed(original: FittedTable[F]) -> dict[str, int]:
    """Number of imputed cells by column: missing before perturbation and not afterwards."""
    if original.before is None:
        return {}
    names = original.schema.names
    before, after = (each.total(names, _n_missing) for each in (original.before, original))
    return {name: n for name, n in zip(names, (before - after).tolist(), strict=True) if n > 0}


def _n_missing(piece: pa.Table) -> Labels:
    """(n_columns,) The number of missing cells of each column."""
    return np.array([piece[name].null_count for name in piece.column_names], dtype=np.int64)


def pram_matrices(original: FittedTable[F]) -> tuple[PramMatrix, ...]:
    """The transition matrix of each application of PRAM to a column; with several strata, that of the largest.

    The values are counted just before PRAM is applied.
    """
    return tuple(
        _matrix(original, at, method, original.schema[name])
        for at, perturbation in enumerate(original.plan.perturbations)
        if (method := perturbation.post_randomization)
        for name in method.columns or original.schema.quasi_identifiers
    )


def _matrix(original: FittedTable[F], at: int, method: Pram, column: Column) -> PramMatrix:
    plan, engine = original.plan, original.engine
    strata = _strata(original, plan.within)
    largest = int(np.argmax(strata.sizes))
    names = dict.fromkeys((*plan.within, column.name))  # the column may itself define the strata
    all_counts = CountTable.of(engine.group_counts(perturb_records(original, at), list(names)))
    counts = all_counts.only(strata.stratum_of(all_counts.combinations) == largest)
    values = to_codes(column.name, counts[column.name], column.order)
    codes = Codes(np.repeat(values.codes, counts.n), values.values)
    n_strata = len(strata.sizes)
    stratum = strata.values_of(largest) if n_strata > 1 else {}
    chances = method.matrix(column, codes)
    return PramMatrix.of(column.name, codes, chances, plan.k or FEWEST_SHOWN, n_strata, stratum)
