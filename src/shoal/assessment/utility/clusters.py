"""Diagnosis of natural clusters at a given k, by the loss of V-MDAV with growing groups and with groups of k."""

from __future__ import annotations

from collections import Counter
from typing import Literal

import numpy as np

from shoal.findings import Finding, Findings
from shoal.kernels import Matrix, Vector
from shoal.methods.microaggregation.vmdav import CLUSTERED_RATIO, GAMMA_CLUSTERED, GAMMA_SCATTERED, GAMMAS, vmdav
from shoal.plan import Partition

GROWING = "SSE / SST of groups that grow"


def cluster_findings(
    X: Matrix, k: int, blocks: Partition, gamma: float | Literal["auto"], *, split: bool = False, note: str = ""
) -> Findings:
    """The diagnosis as a finding: the loss of groups that grow, compared with that of groups of k.

    It covers the blocks with at least k of the records ``X``; where there are none, there is no finding.
    ``gamma`` is that of the policy, ``note`` a remark on the gammas taken.
    """
    large = _large_blocks(blocks, k)
    if not large:
        return Findings()
    errors = np.array([_squared_errors(X[members], k, split) for members in large])  # (n_blocks, n_gammas)
    records_counted = X[np.concatenate(large)]
    losses = 100 * errors.sum(axis=0) / (_total_sse(records_counted) or 1.0)
    loss_by_gamma = dict(zip(GAMMAS, losses.tolist(), strict=True))
    structure = (
        "clustered"
        if loss_by_gamma[GAMMA_CLUSTERED] < CLUSTERED_RATIO * loss_by_gamma[GAMMA_SCATTERED]
        else "scattered"
    )
    meaning = (
        f"At k = {k} the records are {structure}: 100 * SSE / SST of V-MDAV with gamma {GAMMA_CLUSTERED:g}, where "
        f"gamma {GAMMA_SCATTERED:g} is the baseline; the best gamma tried is {GAMMAS[int(np.argmin(losses))]:g}. "
        f"Gamma taken: {_gammas_taken(errors, gamma)}{note}.{_coverage_sentence(len(records_counted), len(X))}"
    )
    return Findings(
        (Finding(GROWING, loss_by_gamma[GAMMA_CLUSTERED], meaning, baseline=loss_by_gamma[GAMMA_SCATTERED], unit="%"),)
    )


def _large_blocks(blocks: Partition, k: int) -> list[np.ndarray]:
    """The records of every block with at least k of them."""
    order = np.argsort(blocks.labels, kind="stable")
    return [members for members in np.split(order, np.cumsum(blocks.sizes)[:-1]) if len(members) >= k]


def _squared_errors(X: Matrix, k: int, split: bool) -> Vector:
    """(n_gammas,) SSE of V-MDAV with every gamma tried."""
    records = np.ascontiguousarray(X)
    return np.array([vmdav(records, k, gamma=gamma, split=split).sse(records) for gamma in GAMMAS])


def _total_sse(X: Matrix) -> float:
    """The SSE of all records in one group."""
    return Partition(np.zeros(len(X), dtype=np.int64)).sse(X)


def _coverage_sentence(n_counted: int, n_records: int) -> str:
    """A sentence where some blocks of a sample have too few records."""
    if n_counted == n_records:
        return ""
    return f" Computed from the {n_counted:,} of {n_records:,} records whose block has k or more of them."


def _gammas_taken(errors: Matrix, gamma: float | Literal["auto"]) -> str:
    """Such as "0.2 in 3 blocks, 1.1 in 1 block"."""
    if gamma != "auto":
        return f"{gamma:g}"
    chosen_gammas = Counter(GAMMAS[int(at)] for at in errors.argmin(axis=1))
    if len(errors) == 1:
        return f"{next(iter(chosen_gammas)):g}"
    return ", ".join(
        f"{each:g} in {n:,} {'block' if n == 1 else 'blocks'}" for each, n in sorted(chosen_gammas.items())
    )
