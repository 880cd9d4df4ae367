"""Special uniques (SUDA): records that are unique on few columns already.

Elliot, Manning & Ford (2002), "A computational algorithm for handling the special uniques problem"; SUDA2 of Manning,
Haglin & Keane (2008), doi:10.1007/s10618-007-0078-6.

A minimal sample unique is a set of columns on which a record is unique in the file, but on no proper subset of it. The
smaller the sets and the more of them, the more likely the record is unique in the population, too.

score    the sum over the minimal sample uniques of a record; of d columns, one of m columns counts (d - m) (d - m - 1)
         ... down to d - M, where M is the largest size searched. With all sizes: the scores of suda2 in sdcMicro with
         original_scores=TRUE, its default
dis      the chance that a unique match of an intruder is correct (DIS-SUDA of Elliot & Manning 2003): that chance for
         the whole file, U q / (U q + P (1 - q)) with U uniques, P records in pairs and the sampling fraction q,
         distributed over the records by their scores. Here a minimal sample unique of m columns counts
         (2^(d-m) - 1) m! (d-m)! / d!, as in the published example: the disScore of sdcMicro with
         original_scores=FALSE. With TRUE it distributes the same risk by the scores above

Sets of all sizes are searched unless the caller limits them, or the work of very many columns does: then the findings
say how many records are unique on larger sets only. Missing is a value of its own.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import accumulate

import numpy as np
import pyarrow as pa
from numpy.typing import ArrayLike

from shoal import kernels, progress
from shoal.encode.codes import to_codes
from shoal.errors import ArrayError
from shoal.findings import Finding, Findings
from shoal.kernels import Labels, Vector
from shoal.kernels.combinations import number_combinations
from shoal.schema import Schema

FEW_COLUMNS = 3
MOST_WORK = 200_000_000  # records times sets of columns; a tenth where sets are larger than three, which nest deeply


@dataclass(frozen=True)
class Suda:
    """Scores of the records and contributions of the columns.

    scores         SUDA score of every record, (n,); 0: no special unique
    dis            DIS-SUDA score of every record, (n,), from 0 to 1, as of sdcMicro with original_scores=FALSE; None
                   where the sampling fraction is not known
    unique_sets    minimal sample uniques of 1, 2, ... columns of every record, (n, max_size)
    contributions  percent of the sum of scores that is due to sets with the column, (d,)
    n_unique       records that are unique on all columns: where sets of every size were searched, those with a score
    """

    scores: Vector
    dis: Vector | None
    unique_sets: Labels
    contributions: Vector
    n_unique: int

    def __repr__(self) -> str:
        """Figures only: which record has which score is private."""
        n_special, n = int(np.count_nonzero(self.scores)), len(self.scores)
        highest = "" if self.dis is None else f", highest DIS-SUDA score {self.dis.max():.2%}"
        return f"Suda({n:,} records, {n_special:,} special uniques{highest})"

    def findings(self) -> Findings:
        n, n_special = len(self.scores), int(np.count_nonzero(self.scores))
        d, largest = len(self.contributions), self.unique_sets.shape[1]
        share = "Share of records that are unique on some of the columns."
        match = (
            "The chance that a unique match of an intruder is correct, for the record with the highest score, scaled "
            "as the disScore of sdcMicro with original_scores=FALSE."
        )
        if largest < d:
            hidden = f"{100 * (self.n_unique - n_special) / n:.4g} %"
            share = (
                f"Share of records that are unique on up to {largest} of the {d} columns. Larger sets were not "
                f"searched: another {hidden} of the records are unique on these only."
            )
            match += f" Sets of more than {largest} of the {d} columns were not searched."
        special = Finding("special uniques", 100 * n_special / n, share, unit="%")
        if self.dis is None:
            return Findings((special,))
        highest = Finding("highest DIS-SUDA score", 100 * float(self.dis.max()), match, unit="%")
        return Findings((special, highest))


def suda(codes: ArrayLike, *, max_size: int | None = None, fraction: float | None = None) -> Suda:
    """Special uniques of (n, d) codes on up to ``max_size`` columns, or without it on any number of them that the bound
    of the work allows; ``fraction``: share of the population sampled, if it is known."""
    array = np.asarray(codes)
    if array.ndim != 2 or array.dtype.kind not in "iu" or array.size == 0:
        raise ArrayError.not_codes(array.shape, array.dtype)
    if max_size is not None and max_size < 1:
        raise ArrayError.too_small("max_size", 1, max_size)
    if fraction is not None and not 0 < fraction < 1:
        raise ArrayError.not_from_to("fraction", 0, 1, fraction)
    dense = [np.unique(column, return_inverse=True)[1] for column in array.T]
    return _suda(np.column_stack(dense).astype(np.int64), max_size, fraction)


def largest_size(n_records: int, d: int) -> int:
    """Columns of the largest sets that the bound of the work allows to search: 0 where there are too many columns even
    for one by one."""
    n_sets = accumulate(math.comb(d, size) for size in range(1, d + 1))
    allowed = (
        size
        for size, n in enumerate(n_sets, 1)
        if n_records * n <= (MOST_WORK if size <= FEW_COLUMNS else MOST_WORK // 10)
    )
    return max(allowed, default=0)


def suda_of_table(
    table: pa.Table, schema: Schema, max_size: int | None = None, *, fraction: float | None = None
) -> Suda:
    """Special uniques on the quasi-identifiers of a table."""
    columns = [to_codes(name, table[name]).codes for name in schema.quasi_identifiers]
    from_zero = [codes - min(int(codes.min(initial=0)), 0) for codes in columns]
    return _suda(np.column_stack(from_zero), max_size, fraction)


def _suda(codes: Labels, max_size: int | None, fraction: float | None) -> Suda:
    n, d = codes.shape
    max_size = max(1, largest_size(n, d)) if max_size is None else min(max_size, d)
    state = kernels.Suda(np.ascontiguousarray(codes), codes.max(axis=0) + 1, max_size)
    with progress.stage("looking for special uniques", state.n_items) as at:
        while n_left := state.step(1):
            at(state.n_items - n_left)
        at(state.n_items)
    by_record, by_column = state.by_record(), state.by_column()
    weights = suda_weights(d, max_size)
    scores = by_record @ weights
    sizes = np.bincount(number_combinations(codes.T, len(codes)))
    n_unique, n_paired = int((sizes == 1).sum()), 2 * int((sizes == 2).sum())
    return Suda(
        scores,
        None if fraction is None else dis_scores(by_record, d, fraction, n_unique, n_paired),
        by_record,
        contributions(by_column @ weights, float(scores.sum())),
        n_unique,
    )


def suda_weights(d: int, max_size: int) -> Vector:
    """(max_size,) what a minimal sample unique of 1, 2, ... of d columns adds to a score."""
    last = min(max_size, d - 1)
    return np.array([math.prod(d - i for i in range(m, last + 1)) for m in range(1, max_size + 1)], dtype=np.float64)


def contributions(by_column: Vector, total: float) -> Vector:
    """(d,) percent of the sum of all scores, from the sum of the scores of the sets that a column is part of."""
    return 100 * by_column / max(total, 1.0)


def dis_scores(unique_sets: Labels, d: int, fraction: float, n_unique: int, n_paired: int) -> Vector:
    """(n,) the risk of the whole file, distributed over the records by their minimal sample uniques of 1, 2, ... of d
    columns. Of all records ``n_unique`` are unique and ``n_paired`` are in pairs."""
    scores = unique_sets @ np.array([(2 ** (d - m) - 1) / math.comb(d, m) for m in range(1, unique_sets.shape[1] + 1)])
    is_special = scores > 0
    if not is_special.any():
        return np.zeros(len(scores))
    odds = n_paired * (1 - fraction) / (n_unique * fraction)  # against a correct match, for the whole file
    power = np.where(is_special, scores, 1.0) ** (1 + (8 - d) / 20)
    total = float((1 / power[is_special]).sum())
    return np.where(is_special, 1 / (1 + n_unique * odds / (power * total)), 0.0)
