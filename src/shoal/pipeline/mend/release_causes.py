"""Why records of a release are at risk: the columns that single them out, and classes that share a sensitive value."""

from __future__ import annotations

from shoal.assessment.exposure import HOMOGENEOUS
from shoal.assessment.mend.homogeneous_classes import homogeneous_classes
from shoal.assessment.mend.mends import RiskCauses
from shoal.assessment.profile.unique_sets import FEW_KEYS
from shoal.pipeline.mend.trial_release import TrialRelease

N_SETS, N_RISKY = 8, 10  # sets and records that are named


def release_causes(release: TrialRelease) -> RiskCauses:
    """Why records of a release are at risk."""
    homogeneous = tuple(
        homogeneous_classes(release.records, release.class_columns, name)
        for name in release.plan.columns
        if _is_homogeneous(release, name)
    )
    known = release.known
    if known is None:
        return RiskCauses(homogeneous=homogeneous)
    return RiskCauses(
        known.names,
        known.keys.n_records,
        known.n_singled_out,
        sum(known.special.by_size[:FEW_KEYS]),
        tuple(known.contributions.items()),
        known.worst_sets(N_SETS),
        known.riskiest(N_RISKY, release.numbers) if known.n_singled_out else (),
        homogeneous,
    )


def _is_homogeneous(release: TrialRelease, name: str) -> bool:
    """Whether whole classes share one value of a column, for more records than the policy accepts."""
    found = release.release.findings
    title = f"{HOMOGENEOUS}, {name}"
    if title not in found or name not in release.records.column_names:
        return False
    goal = found[title].goal
    return goal is not None and found[title].estimate > goal
