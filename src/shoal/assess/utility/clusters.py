"""Do the records form natural clusters at this k? What V-MDAV loses with bold and with cautious groups tells."""

from __future__ import annotations

from shoal.assess.findings import Finding, Findings
from shoal.kernels import Matrix
from shoal.methods.microaggregation.vmdav import FOR_CLUSTERED, FOR_SCATTERED, vmdav_diagnosis


def cluster_findings(X: Matrix, k: int) -> Findings:
    """The diagnosis as a finding: the loss of groups that grow boldly, beside that of groups of k."""
    diagnosis = vmdav_diagnosis(X, k)
    loss = dict(zip(diagnosis.gammas, diagnosis.losses, strict=True))
    kind = "clustered" if diagnosis.is_clustered else "scattered"
    meaning = (
        f"At k = {k} the records are {kind}: information loss of V-MDAV with gamma {FOR_CLUSTERED:g}, where gamma "
        f"{FOR_SCATTERED:g} is the baseline; the best gamma tried is {diagnosis.best_gamma:g}."
    )
    return Findings(
        (
            Finding(
                "information loss of groups that grow",
                loss[FOR_CLUSTERED],
                meaning,
                baseline=loss[FOR_SCATTERED],
                unit="%",
            ),
        )
    )
