"""Transition matrices of PRAM for the report, from counts of the values just before PRAM was applied."""

from __future__ import annotations

import numpy as np

from shoal.assessment.assessment import FEWEST_SHOWN
from shoal.assessment.utility.pram_matrix import PramMatrix
from shoal.encode.codes import Codes, to_codes
from shoal.encode.count_table import CountTable
from shoal.engines.protocol import F
from shoal.methods.perturbation import Pram
from shoal.pipeline.protect.fitted_table import FittedTable
from shoal.pipeline.protect.perturbation_step import after
from shoal.pipeline.protect.strata import Strata
from shoal.schema import Column


def pram_matrices(original: FittedTable[F]) -> tuple[PramMatrix, ...]:
    """One matrix for each application of PRAM to a column; with several strata, that of the largest."""
    return tuple(
        _matrix(original, at, method, original.schema[name])
        for at, perturbation in enumerate(original.plan.perturbations)
        if (method := perturbation.post_randomization)
        for name in method.columns or original.schema.quasi_identifiers
    )


def _matrix(original: FittedTable[F], at: int, method: Pram, column: Column) -> PramMatrix:
    plan, engine = original.plan, original.engine
    strata = Strata.of(plan.within, lambda names: engine.group_counts(original.frame, names))
    largest = int(np.argmax(strata.sizes))
    names = dict.fromkeys((*plan.within, column.name))  # the column may itself define the strata
    everywhere = CountTable.of(engine.group_counts(after(original, at), list(names)))
    counts = everywhere.only(strata.stratum_of(everywhere.combinations) == largest)
    values = to_codes(column.name, counts[column.name], column.order)
    codes = Codes(np.repeat(values.codes, counts.n), values.values)
    n_strata = len(strata.sizes)
    stratum = strata.named(largest) if n_strata > 1 else {}
    chances = method.matrix(column, codes)
    return PramMatrix.of(column.name, codes, chances, plan.k or FEWEST_SHOWN, n_strata, stratum)
