"""Individual risk: the chance that a record is linked to its person in the population, given the sample.

Benedetti & Franconi (1998), "Statistical and technological solutions for controlled data dissemination"; Polettini
(2003), "Some remarks on the individual risk methodology".

The intruder knows the keys of the population and picks one of the F persons with the key of the record. F is not
known; given that f of them are in the sample it is negative binomial with p = f / (sum of weights), and the risk is the
mean of 1 / F. That is p^f / f times 2F1(f, f; f + 1; 1 - p), or, with a = (1 - p) / p, the integral of
u^(f-1) / (1 + a u) over 0 .. 1. So

    f = 1      p / (1 - p) * log(1 / p)
    f = 2      p / (1 - p) - (p / (1 - p))^2 * log(1 / p)
    any f      risk(f) = (1 / (f - 1) - risk(f - 1)) / a

The recurrence is used for small f and a of 1 or more, where it does not lose digits; otherwise the series
p / f * 2F1(1, 1; f + 1; 1 - p), whose terms are all positive, converges.
"""

from __future__ import annotations

from math import fsum

import numpy as np
from numpy.typing import ArrayLike

from shoal import kernels
from shoal.assessment.risk.uniqueness import KeyCounts
from shoal.errors import ArrayError
from shoal.findings import Finding, Findings
from shoal.kernels import Labels, Vector

LARGEST_RECURRENCE = 20  # f from which on the series needs few terms for any p
N_TERMS = 64  # of the series; below f = 20 it is used for 1 - p up to 1/2 only


def individual_risk(f: ArrayLike, population: ArrayLike) -> Vector:
    """(n,) for records whose key ``f`` records of the sample and ``population`` persons (sum of weights) share."""
    counts, persons = np.asarray(f, dtype=np.float64), np.asarray(population, dtype=np.float64)
    if counts.ndim != 1 or counts.shape != persons.shape:
        raise ArrayError.other_shape(counts.shape, persons.shape)
    invalid = ~(np.isfinite(counts) & np.isfinite(persons) & (counts >= 1) & (persons > 0))
    if counts.size == 0 or invalid.any():
        raise ArrayError.bad_counts(int(invalid.sum()))
    p = np.minimum(counts / persons, 1.0)
    by_recurrence = (counts < LARGEST_RECURRENCE) & (p <= 0.5)
    risks = np.empty_like(p)
    risks[by_recurrence] = _by_recurrence(counts[by_recurrence], p[by_recurrence])
    risks[~by_recurrence] = _by_series(counts[~by_recurrence], p[~by_recurrence])
    return risks


def household_risk(risks: ArrayLike, households: ArrayLike) -> Vector:
    """(n,) the chance that at least one member of the record's household is linked; ``households``: 0, 1, ..."""
    record_risks = kernels.as_vector(risks, "risks")
    labels = kernels.as_labels(households)
    if len(record_risks) != len(labels):
        raise ArrayError.other_shape(record_risks.shape, labels.shape)
    outside = int(((record_risks < 0) | (record_risks > 1)).sum())
    if outside:
        raise ArrayError.not_from_to("risks", 0, 1, f"{outside} others")
    none_linked, in_order = np.ones(int(labels.max()) + 1), np.lexsort((record_risks, labels))
    np.multiply.at(none_linked, labels[in_order], 1 - record_risks[in_order])  # the same in any order of the records
    return (1 - none_linked)[labels]


def individual_risk_findings(counts: KeyCounts, households: Labels | None = None) -> Findings:
    """Findings over all records; with ``households``, a record is at risk if a member of its household is."""
    alone = individual_risk(counts.sample, counts.population)
    risks = alone if households is None else household_risk(alone, households)
    subject = "a record" if households is None else "a member of a household"
    return Findings(
        (
            Finding(
                "highest individual risk",
                100 * float(risks.max()),
                f"The highest chance that {subject} is linked to the right person of the population.",
                baseline=100 / counts.n_persons,
                unit="%",
            ),
            Finding(
                "expected re-identifications",
                fsum(alone),
                "The number of records expected to be linked to their person: the sum of the risks of single records.",
            ),
        )
    )


def _by_recurrence(f: Vector, p: Vector) -> Vector:
    a = (1 - p) / p
    risks = np.log1p(a) / a
    for size in range(2, LARGEST_RECURRENCE):
        risks = np.where(f >= size, (1 / (size - 1) - risks) / a, risks)
    return risks


def _by_series(f: Vector, p: Vector) -> Vector:
    term = p / f
    total = term.copy()
    for n in range(N_TERMS):
        term = term * ((n + 1) / (f + 1 + n) * (1 - p))
        if not term.any():  # the whole population is in the file
            break
        total += term
    return total
