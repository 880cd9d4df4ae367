"""Probabilistic linkage: the intruder links every person to the record of highest matching weight.

two files, true pairs -> Links, Model

A pair's weight is the sum over columns of log2(m / u) of its level of agreement (`fellegi_sunter.py`). The intruder
estimates m and u from the pairs themselves, without knowing which are true, from about two million of them at most.
Links need not be one to one.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from shoal import kernels, progress
from shoal.errors import LinkageError
from shoal.kernels import Labels, Vector
from shoal.linkage.agreement import Agreement, Levels, agreements
from shoal.linkage.candidates import Candidates
from shoal.linkage.fellegi_sunter import Model, learn, patterns_of
from shoal.linkage.linkage_tables import LinkageTables
from shoal.linkage.record_links import Links
from shoal.linkage.true_pairs import true_or_same

LEARNED_FROM = 2_000_000  # pairs
MOST_PAIRS = 5_000_000_000


def probabilistic_linkage(
    sides: LinkageTables, truth: Labels | None = None, *, k: int = 1, candidates: Candidates | None = None
) -> tuple[Links, Model]:
    """The released record of highest weight for every original one."""
    among = Candidates.everything(sides.n_original, sides.n_released) if candidates is None else candidates
    if among.n_pairs_at_most > MOST_PAIRS:
        raise LinkageError.too_many_pairs(among.n_pairs_at_most, MOST_PAIRS)
    true = true_or_same(truth, sides.n_original, sides.n_released)
    compared = agreements(sides)
    model = learn(*patterns_of(_some_levels(compared, among)), [column.n_levels for column in compared])

    everybody = np.arange(sides.n_original)
    true_found = among.hold(everybody, true)
    to_truth = np.full(len(everybody), np.nan)
    to_truth[true_found] = -_weights(compared, model, everybody[true_found], true[true_found])
    tallies = kernels.LinkPairs(to_truth)
    done = 0
    with progress.stage("comparing pairs", among.n_pairs_at_most) as at:
        for one, other in among.batches():
            tallies.consider(one, other, -_weights(compared, model, one, other))
            at(done := done + len(one))
    return Links.of(*tallies.tally(), k), model


def _weights(compared: Sequence[Agreement], model: Model, one: Labels, other: Labels) -> Vector:
    total = np.zeros(len(one))
    for column, weights in zip(compared, model.weights, strict=True):
        total += weights[column.levels(one, other)]
    return total


def _some_levels(compared: Sequence[Agreement], among: Candidates) -> Levels:
    """(n_pairs, n_columns): all pairs of original records at regular steps, so that blocks of any size are included."""
    every = int(np.ceil(among.n_pairs_at_most / LEARNED_FROM))
    seen = [
        np.column_stack([column.levels(one, other) for column in compared])
        for record in _spans(among.n_original, every)
        for one, other in among.batches(*record)
        if len(one)
    ]
    if not seen:
        raise LinkageError.no_pair()
    return np.concatenate(seen)


def _spans(n_records: int, every: int) -> list[tuple[int, int]]:
    """One span of all records, or spans of single records, ``every`` apart."""
    return [(0, n_records)] if every <= 1 else [(at, at + 1) for at in range(0, n_records, every)]
