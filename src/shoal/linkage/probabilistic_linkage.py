"""Probabilistic linkage: the intruder links every person to the record of highest matching weight.

two files, true pairs -> Links, Model

A pair's weight is the sum over columns of log2(m / u) of its level of agreement (`fellegi_sunter.py`). The intruder
estimates m and u from the pairs themselves, without knowing which are true, from about two million of them at most.
Links need not be one to one.

Within a blocking of several passes, m and u are those of all pairs, inside and outside the blocks. A pair is in a block
because it agrees in the column of one pass, and often in no other; among such pairs EM would find the passes, and
agreement would count against a pair. Which pairs are compared does not change what the agreement of a pair means.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from shoal import kernels, progress
from shoal.errors import LinkageError
from shoal.kernels import Labels, Vector
from shoal.linkage.agreement import Agreement, Levels, column_agreements
from shoal.linkage.candidates import Candidates
from shoal.linkage.fellegi_sunter import Model, count_patterns, estimate_model
from shoal.linkage.linkage_tables import LinkageTables
from shoal.linkage.record_links import Links
from shoal.rng import sampled_places

MOST_TRAINING_PAIRS = 2_000_000  # pairs
MOST_PAIRS = 5_000_000_000


def probabilistic_linkage(
    tables: LinkageTables, truth: Labels, *, k: int = 1, candidates: Candidates | None = None
) -> tuple[Links, Model]:
    """The released record of highest weight for every original one; ``truth``: the true one, or -1."""
    pairs = Candidates.all_pairs(tables.n_original, tables.n_released) if candidates is None else candidates
    if pairs.n_pairs_at_most > MOST_PAIRS:
        raise LinkageError.too_many_pairs(pairs.n_pairs_at_most, MOST_PAIRS)
    columns = column_agreements(tables)
    with progress.stage("estimating weights of agreement", 0):
        patterns = count_patterns(*_sample_levels(columns, _training_pairs(pairs), tables.counts))
        model = estimate_model(*patterns, [column.n_levels for column in columns])

    records = np.arange(tables.n_original)
    is_candidate = pairs.contains(records, truth)
    true_distances = np.full(len(records), np.nan)
    true_distances[is_candidate] = -_matching_weights(columns, model, records[is_candidate], truth[is_candidate])
    tallies = kernels.LinkPairs(true_distances)
    n_done = 0
    with progress.stage("comparing pairs", pairs.n_pairs_at_most) as at:
        for one, other in pairs.batches():
            tallies.consider(one, other, -_matching_weights(columns, model, one, other), tables.counts[other])
            at(n_done := n_done + len(one))
    return Links.of(*tallies.tally(), k), model


def _matching_weights(columns: Sequence[Agreement], model: Model, one: Labels, other: Labels) -> Vector:
    total = np.zeros(len(one))
    for column, weights in zip(columns, model.weights, strict=True):
        total += weights[column.levels(one, other)]
    return total


def _training_pairs(pairs: Candidates) -> Candidates:
    """The pairs that weights are estimated from: those of the blocking, or all where it has several passes."""
    if pairs.n_pairs_at_most == 0:
        raise LinkageError.no_pair()
    return pairs if len(pairs.passes) == 1 else Candidates.all_pairs(pairs.n_original, pairs.n_released)


def _sample_levels(columns: Sequence[Agreement], pairs: Candidates, counts: Labels) -> tuple[Levels, Labels]:
    """(n_pairs, n_columns): all pairs of original records drawn at random, so that blocks of any size are included;
    and how many pairs of records each stands for."""
    every = int(np.ceil(pairs.n_pairs_at_most / MOST_TRAINING_PAIRS))
    sampled = [
        (np.column_stack([column.levels(one, other) for column in columns]), counts[other])
        for span in _record_spans(pairs.n_original, every)
        for one, other in pairs.batches(*span)
        if len(one)
    ]
    if not sampled:
        raise LinkageError.no_pair()
    levels, counts_of_pairs = zip(*sampled, strict=True)
    return np.concatenate(levels), np.concatenate(counts_of_pairs)


def _record_spans(n_records: int, every: int) -> list[tuple[int, int]]:
    """One span of all records, or spans of single records, one of ``every`` so many."""
    if every <= 1:
        return [(0, n_records)]
    return [(at, at + 1) for at in sampled_places(n_records, -(-n_records // every), "training pairs").tolist()]
