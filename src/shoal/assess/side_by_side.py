"""All that can be found out about a release by holding it beside its original.

Aligned, Intruder -> Assessment

Classes and uniqueness are counted over all records; what compares records one by one looks at every so many-th of very
many, and says so.
"""

from __future__ import annotations

from dataclasses import replace
from math import comb

import numpy as np

from shoal.assess.aligned import MOST_RECORDS, Aligned
from shoal.assess.assessment import Assessment, assess, class_sizes
from shoal.assess.attacks import attacks
from shoal.assess.findings import Findings
from shoal.assess.intruder import Intruder
from shoal.assess.link import households_of
from shoal.assess.risk.individual_risk import individual_risk_findings
from shoal.assess.risk.interval import interval_findings
from shoal.assess.risk.suda import suda_of_table
from shoal.assess.risk.uniqueness import key_counts, uniqueness_findings
from shoal.assess.scored import scored
from shoal.assess.utility.moments import moment_findings
from shoal.assess.utility.probabilistic import probabilistic_findings

Told = tuple[Findings, tuple[str, ...]]

USUAL_K = 3  # persons who may share a key, where no policy says it
MOST_KEYS = 100_000_000  # records times sets of columns that are searched for special uniques
SUDA_COLUMNS = 3  # columns of a special unique, at most


def side_by_side(aligned: Aligned, who: Intruder, k: int | None, *, wildcards: bool = False) -> Assessment:
    """``k``: what the policy asks for; None where nothing is. ``wildcards``: a released blank may be any value."""
    before, after, read = aligned.before, aligned.after(aligned.released), aligned.after(aligned.read)
    schema = aligned.schema
    base = assess(
        before,
        after,
        schema,
        k=k,
        suppressed=aligned.n_suppressed / len(aligned.original),
        sizes=(class_sizes(aligned.original, schema), class_sizes(aligned.released, schema, wildcards=wildcards)),
        by_extents=aligned.by_extents,
    )
    unique, of_unique = _uniqueness(aligned, k or USUAL_K)
    special, of_special = _special(aligned)
    tried = attacks(aligned, who, who.columns or schema.quasi_identifiers)
    score, of_score = scored(aligned, who, tried)
    numbers = (found(before, read, schema) for found in (interval_findings, moment_findings, probabilistic_findings))
    return replace(
        base.with_findings(
            unique + special + sum(numbers, tried.findings) + (score.findings() if score else Findings())
        ),
        linkages=tried.linkages,
        score=score,
        notes=(*aligned.notes, *_sampled(aligned), *of_unique, *of_special, *tried.notes, *of_score),
    )


def _uniqueness(aligned: Aligned, k: int) -> Told:
    """What weights tell besides the sizes of classes."""
    if not aligned.schema.with_role("weight"):
        return Findings(), ("Without a column of weights the table is taken for the population: no k-map is told.",)
    counts = key_counts(aligned.released, aligned.schema)
    households = households_of(aligned.released, aligned.schema, np.arange(len(aligned.released)))
    return uniqueness_findings(counts, k) + individual_risk_findings(counts, households), ()


def _special(aligned: Aligned) -> Told:
    d = len(aligned.schema.quasi_identifiers)
    n_sets = sum(comb(d, size) for size in range(1, SUDA_COLUMNS + 1))
    if n_sets * len(aligned.released) > MOST_KEYS:
        return Findings(), ("Special uniques were not looked for: too many records and columns.",)
    return suda_of_table(aligned.released, aligned.schema, SUDA_COLUMNS).findings(), ()


def _sampled(aligned: Aligned) -> tuple[str, ...]:
    n_released = len(aligned.original) - aligned.n_suppressed
    if n_released <= MOST_RECORDS:
        return ()
    return (f"Losses and intervals are of {len(aligned.kept):,} of {n_released:,} records, evenly spread.",)
