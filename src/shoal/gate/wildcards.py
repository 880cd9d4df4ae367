"""The gate for wildcards: number of matching records where a missing value may stand for any value.

counts of the written release -> records that match every row

Two records match if they are equal wherever both are known: a blank is a wildcard, as sdcMicro and others count. This
is not an equivalence relation: a record may match two that do not match each other. This is the gate's own counting; it
shares no code with what chose the blanks.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import pyarrow as pa

from shoal.errors import PolicyError
from shoal.gate.gate import Proof, Verdict
from shoal.gate.written_counts import WrittenCounts, WrittenRows, numbered_rows
from shoal.kernels import Labels
from shoal.requirements import Requirement
from shoal.requirements.groups import Groups
from shoal.schema import Schema
from shoal.total import TotalOfClasses


def prove_wildcards(classes: TotalOfClasses, schema: Schema, requirements: Sequence[Requirement]) -> Proof:
    """The proof of k-anonymity where a blank may be any value; other requirements are undefined under this rule."""
    for requirement in requirements:
        if requirement.reads != "totals":
            raise PolicyError.only_for("blanks = 'wildcard'", "k_anonymity", requirement.name)
    columns = [requirement.columns or schema.quasi_identifiers for requirement in requirements]
    sized = {names: _matching_sizes(classes, names) for names in {*columns, schema.quasi_identifiers}}
    sizes, n = sized[schema.quasi_identifiers]
    verdicts = [
        _verdict(requirement, names, *sized[names]) for requirement, names in zip(requirements, columns, strict=True)
    ]
    return Proof(int(n.sum()), len(sizes), int(sizes.min()) if len(sizes) else 0, tuple(verdicts))


def _matching_sizes(classes: TotalOfClasses, columns: tuple[str, ...]) -> tuple[Labels, Labels]:
    """(n_classes,) number of records that match each class, and number of its own records."""
    counts = classes(columns, (), WrittenRows).table
    return wildcard_class_sizes(counts, columns), WrittenCounts.of(counts).n


def _verdict(requirement: Requirement, columns: tuple[str, ...], sizes: Labels, n: Labels) -> Verdict:
    fails = sizes < (requirement.least_records or 1)
    return Verdict(
        requirement=requirement.name,
        asked=requirement.asked,
        reached=requirement.reached(Groups(sizes)) if len(sizes) else None,
        holds=not fails.any(),
        n_classes=len(sizes),
        n_classes_failing=int(fails.sum()),
        n_records_failing=int(n[fails].sum()),
        columns=columns,
        besides={"blanks": "wildcard"},
    )


def wildcard_class_sizes(counts: pa.Table, columns: Sequence[str]) -> Labels:
    """(n_rows,) number of records that match the row, its own included. ``counts``: last, the records of every row.

    Rows with the same missing columns are processed together: for each pair of such sets, the rows of one are counted
    by the columns known in both, and those of the other look up their counts. Time: rows times sets.
    """
    written = WrittenCounts.of(counts)
    n, sizes = written.n, np.zeros(len(counts), dtype=np.int64)
    for here, at_here, there, at_there in _pairs(written, columns):
        n_labels = int(max(at_here.max(), at_there.max())) + 1
        sizes[here] += _tally(at_there, n[there], n_labels)[at_here]
        if here is not there:
            sizes[there] += _tally(at_here, n[here], n_labels)[at_there]
    return sizes


def wildcard_extremes(counts: pa.Table, columns: Sequence[str], values: Labels) -> tuple[Labels, Labels]:
    """(n_rows,) the smallest and the largest known value among the rows that match each row. ``values``: (n_rows,) from
    0 on, -1 for missing. Where none is known, the smallest is above the largest."""
    above = int(values.max(initial=-1)) + 1
    least, greatest = np.full(len(counts), above), np.full(len(counts), -1)
    known = np.where(values < 0, above, values)
    for here, at_here, there, at_there in _pairs(WrittenCounts.of(counts), columns):
        for rows, at, others, at_others in ((here, at_here, there, at_there), (there, at_there, here, at_here)):
            n_labels = int(max(at.max(), at_others.max())) + 1
            low, high = np.full(n_labels, above), np.full(n_labels, -1)
            np.minimum.at(low, at_others, known[others])
            np.maximum.at(high, at_others, values[others])
            least[rows], greatest[rows] = np.minimum(least[rows], low[at]), np.maximum(greatest[rows], high[at])
    return least, greatest


def _pairs(counts: WrittenCounts, columns: Sequence[str]) -> Iterator[tuple[Labels, Labels, Labels, Labels]]:
    """For each pair of sets of missing columns: the rows of the one and their numbers, the rows of the other (or the
    same) and theirs; rows match if they have the same number."""
    codes = np.column_stack([counts.codes(name)[0] for name in columns])  # (n_rows, n_columns), -1 is missing
    missing, which = np.unique(codes < 0, axis=0, return_inverse=True)  # (n_sets, n_columns)
    rows = [np.flatnonzero(which.ravel() == at) for at in range(len(missing))]
    for here in range(len(missing)):
        for there in range(here, len(missing)):
            known = ~(missing[here] | missing[there])
            both = codes[np.concatenate([rows[here], rows[there]])][:, known]
            numbers = numbered_rows(both.T, len(both))
            yield rows[here], numbers[: rows[here].size], rows[there], numbers[rows[here].size :]


def _tally(labels: Labels, n: Labels, n_labels: int) -> Labels:
    return np.bincount(labels, weights=n, minlength=n_labels).astype(np.int64)
