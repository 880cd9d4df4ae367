"""The score of a release: half information loss, half disclosure risk. The lower, the better the masking.

Domingo-Ferrer & Torra (2001), "A quantitative comparison of disclosure control methods for microdata".

    score = 0.5 IL + 0.5 DR
    DR    = 0.5 interval disclosure + 0.25 distance-based linkage + 0.25 probabilistic linkage

All parts are percentages. IL is that of the mean variations, which has no upper bound. The bounded score
takes IL1s instead, in which every cell counts as 100 % at most, and in place of both linkages the strongest one tried:

    bounded risk = 0.5 interval disclosure + 0.5 strongest linkage
"""

from __future__ import annotations

from dataclasses import asdict, dataclass

from shoal.errors import ArrayError
from shoal.findings import Finding, Findings

BOUNDED_SCORE = "bounded score"


@dataclass(frozen=True)
class Score:
    """
    information_loss       100 times the mean of the mean variations
    interval_disclosure    percent of the originals in the interval around their masked value
    distance_linkage       percent of the records that distances link to their own
    probabilistic_linkage  percent of the records that probabilistic linkage links to their own
    other_linkage          the same for the best of the other linkages tried, such as that by an intruder who knows the
                           method
    """

    information_loss: float
    interval_disclosure: float
    distance_linkage: float
    probabilistic_linkage: float
    other_linkage: float = 0.0

    def __post_init__(self) -> None:
        if not 0 <= self.information_loss < float("inf"):
            raise ArrayError.not_from_to("information_loss", 0, float("inf"), self.information_loss)
        for name in ("interval_disclosure", "distance_linkage", "probabilistic_linkage", "other_linkage"):
            if not 0 <= getattr(self, name) <= 100:
                raise ArrayError.not_from_to(name, 0, 100, getattr(self, name))

    @property
    def disclosure_risk(self) -> float:
        """As published."""
        return 0.5 * self.interval_disclosure + 0.25 * self.distance_linkage + 0.25 * self.probabilistic_linkage

    @property
    def strongest_linkage(self) -> float:
        return max(self.distance_linkage, self.probabilistic_linkage, self.other_linkage)

    @property
    def bounded_risk(self) -> float:
        """The disclosure risk of the bounded score, by the strongest linkage."""
        return 0.5 * self.interval_disclosure + 0.5 * self.strongest_linkage

    @property
    def value(self) -> float:
        return 0.5 * self.information_loss + 0.5 * self.disclosure_risk

    def bounded(self, bounded_loss: float) -> float:
        """The bounded score: half ``bounded_loss``, half the bounded risk."""
        return 0.5 * bounded_loss + 0.5 * self.bounded_risk

    def to_dict(self) -> dict[str, float]:
        """The score and all of its parts."""
        risks = {"disclosure_risk": self.disclosure_risk, "bounded_risk": self.bounded_risk}
        return {"score": self.value, **risks, **asdict(self), "strongest_linkage": self.strongest_linkage}

    def findings(self, bounded_loss: float) -> Findings:
        risk = "As published: half interval disclosure, a quarter distance-based, a quarter probabilistic linkage."
        bounded_risk = "Half interval disclosure, half the strongest linkage."
        return Findings(
            (
                Finding(
                    "score",
                    self.value,
                    "As published (Domingo-Ferrer and Torra 2001): half mean variation, which has no upper bound, half "
                    "disclosure risk; the lower, the better.",
                ),
                Finding(
                    BOUNDED_SCORE,
                    self.bounded(bounded_loss),
                    "Half IL1s, every cell 100 % at most, half interval disclosure and the strongest linkage; the "
                    "lower, the better. Shown by shoal compare, which recommends nothing by it.",
                ),
                Finding("disclosure risk of the score", self.disclosure_risk, risk, unit="%"),
                Finding("disclosure risk of the bounded score", self.bounded_risk, bounded_risk, unit="%"),
                Finding(
                    "mean variation of the score",
                    self.information_loss,
                    "Mean of the variations of data, means, covariances, variances and correlations.",
                    unit="%",
                ),
            )
        )
