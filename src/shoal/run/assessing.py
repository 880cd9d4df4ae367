"""What is found out about a release before it is written: of large tables, losses and pictures from a sample."""

from __future__ import annotations

import pyarrow.compute as pc

from shoal.assess.assessment import Assessment, assess
from shoal.assess.risk.class_sizes import ClassSizes
from shoal.assess.utility.clusters import cluster_findings
from shoal.engines.protocol import GROUP, F
from shoal.run.original import Original

MOST_RECORDS = 1_000_000  # of more, every so many-th; classes are counted over all
MOST_CELLS = 8 * MOST_RECORDS  # of a table with many columns


def assessed(original: Original[F], protected: F, n_suppressed: int) -> Assessment:
    """Original and release side by side; ``protected`` has a group for every record that is released."""
    sizes = (_sizes(original, original.frame), _sizes(original, _kept(original, protected)))
    step = step_of(original.n_records, len(original.frame.names))
    before, after = (original.engine.sample(frame, step) for frame in (original.frame, protected))
    kept = pc.is_valid(after[GROUP])
    assessment = assess(
        before.filter(kept),
        after.filter(kept),
        original.schema,
        k=original.policy.k,
        suppressed=n_suppressed / original.n_records,
        sizes=sizes,
    )
    if original.policy.method.name == "vmdav" and original.policy.k:
        return assessment.with_findings(cluster_findings(original.embedding.points(before), original.policy.k))
    return assessment


def step_of(n_records: int, n_columns: int) -> int:
    return -(-n_records // min(MOST_RECORDS, MOST_CELLS // n_columns))


def _kept(original: Original[F], protected: F) -> F:
    return original.engine.map_rows(protected, lambda piece: piece.filter(pc.is_valid(piece[GROUP])))


def _sizes(original: Original[F], frame: F) -> ClassSizes:
    pieces = original.engine.class_counts(frame, original.schema.quasi_identifiers, ())
    return ClassSizes.total(ClassSizes.of(piece.column(piece.num_columns - 1)) for piece in pieces)
