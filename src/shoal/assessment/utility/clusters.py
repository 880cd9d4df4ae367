"""Diagnosis of natural clusters at a given k as a finding, with the gamma that V-MDAV took."""

from __future__ import annotations

from collections.abc import Mapping

from shoal.findings import Finding, Findings
from shoal.methods.microaggregation.vmdav_diagnosis import GAMMA_CLUSTERED, GAMMA_SCATTERED, Diagnosis

GROWING = "SSE / SST of groups that grow"


def cluster_findings(diagnosis: Diagnosis, n_records: int, rules_taken: Mapping[str, int]) -> Findings:
    """The loss of groups that grow, compared with that of groups of k; no finding where no block has k records.

    ``n_records``: of the table; ``rules_taken``: by how many records, such as "gamma 0.2".
    """
    if not diagnosis.n_records:
        return Findings()
    structure = "clustered" if diagnosis.is_clustered else "scattered"
    meaning = (
        f"At k = {diagnosis.k} the records are {structure}: 100 * SSE / SST of V-MDAV with gamma {GAMMA_CLUSTERED:g}, "
        f"where gamma {GAMMA_SCATTERED:g} is the baseline; the best gamma is {diagnosis.best_gamma:g}"
        f"{_coverage(diagnosis.n_records, n_records)}. Groups were formed with {_shares(rules_taken)}."
    )
    baseline = diagnosis.loss_of_groups_of_k
    return Findings((Finding(GROWING, diagnosis.loss_of_growing_groups, meaning, baseline=baseline, unit="%"),))


def _coverage(n_counted: int, n_records: int) -> str:
    """Words on the sample, where some records were left out."""
    return "" if n_counted >= n_records else f"; computed from {n_counted:,} of {n_records:,} records"


def _shares(rules_taken: Mapping[str, int]) -> str:
    """Such as "gamma 0.2 for 300 records, MDAV for 12 records"; the most frequent first."""
    if len(rules_taken) == 1:
        return next(iter(rules_taken))
    ordered = sorted(rules_taken.items(), key=lambda rule: (-rule[1], rule[0]))
    return ", ".join(f"{rule} for {n:,} records" for rule, n in ordered)
