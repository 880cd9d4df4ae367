"""Linkage risk: the share of persons whom an intruder finds in the release, and the chance of each to be found.

Links -> Linkage

The intruder holds records of persons (`Intruder`) and links each of them to the most likely record of the release. The
risk is the share of correct links, with ties shared; the baseline is drawing at random. With weights it is the share of
the population that the records represent.

The interval is that of all persons whom a sample was drawn from; of everybody the risk is counted and has none. Without
a sample it is that of other persons like these. There, members of a household are not found independently, so that
households are counted. The share of households with at least one member found is reported.

Where only pairs within blocks were compared, anybody whose own record is in none of them might be found without the
blocks: what is reported is then an interval that ends at the risk with all of these found, so that bad blocks never
make a release look safe.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any

import numpy as np

from shoal import notebook
from shoal.confidence import mean_interval
from shoal.findings import Finding, Findings
from shoal.kernels import Labels, Vector
from shoal.linkage.linkage_blocking import BlockingQuality
from shoal.linkage.record_links import Links

HIGH_CHANCE = 0.5  # chance to be found that counts as high
NOT_COMPARED = "pairs outside the blocks were not compared"


@dataclass(frozen=True, eq=False)
class Linkage:
    """One attack. ``persons[i]`` is a record of the original; links and weights are in its order."""

    persons: Labels  # (n_known,) records of the original that the intruder knows
    truth: Labels  # (n_known,) their released record; -1 where there is none
    links: Links
    weights: Vector  # (n_known,) persons that a record stands for; 1 without a weight column
    households: Labels | None  # (n_known,) number of the household
    n_released: int
    k: int  # guesses for every person
    columns: tuple[str, ...]  # what the intruder knows
    blocking: BlockingQuality | None
    notes: tuple[str, ...] = ()  # what was left out or looks wrong
    n_population: int | None = None  # persons that ``persons`` were drawn from without replacement; None: from many

    def __repr__(self) -> str:
        """Figures only: who is whose record is private."""
        known = f"{len(self.persons):,} known persons, {len(self.columns)} columns"
        return f"Linkage({known}, {self.n_released:,} released records, {self.risk:.2%} found)"

    def _repr_html_(self) -> str | None:
        return notebook.fragment(self)

    @property
    def chances(self) -> Vector:
        """(n_known,) chance of every known person to be found."""
        return self.links.chances

    @property
    def risk(self) -> float:
        """Share of the known persons who are found."""
        return float((self.weights * self.chances).sum() / self.weights.sum())

    @property
    def baseline(self) -> float:
        """The same for an intruder who draws records at random."""
        released = float((self.weights * (self.truth >= 0)).sum() / self.weights.sum())
        return min(1.0, self.k / self.n_released) * released

    @property
    def interval(self) -> tuple[float, float]:
        """95 % confidence interval of the risk: of all ``n_population``, where the persons are a sample of so many;
        otherwise of any persons like these, where households (or persons) are assumed to be independent."""
        if self.households is None or self.n_population is not None:
            return mean_interval(self.chances, self.weights, self.n_population)
        of_households = np.bincount(self.households, self.weights * self.chances) / self._household_weights
        return mean_interval(of_households, self._household_weights)

    @property
    def lost_pairs(self) -> float:
        """Share of the true pairs that no block holds; 0 where all pairs were compared."""
        return 0.0 if self.blocking is None or self.blocking.recall is None else 1 - self.blocking.recall

    @property
    def highest_risk(self) -> float:
        """The upper end of the reported interval; the risk itself where it was counted among all pairs."""
        interval = self.reported_interval
        return interval[1] if interval else self.risk

    @property
    def reported_interval(self) -> tuple[float, float] | None:
        """The interval up to the highest risk; None where everybody was searched for among all pairs."""
        if self.is_counted and not self.lost_pairs:
            return None
        low, high = (self.risk, self.risk) if self.is_counted else self.interval
        return low, min(1.0, high + self.lost_pairs)

    @property
    def is_counted(self) -> bool:
        """Whether everybody was searched for, so that the risk is no estimate."""
        return self.n_population == len(self.persons)

    @property
    def household_risk(self) -> float | None:
        """Share of households with at least one member found; None without households."""
        if self.households is None:
            return None
        nobody_found = np.exp(_log_products(1 - self.chances, self.households))
        weights = self._household_weights / np.bincount(self.households)  # of a household, not of its members
        return float((weights * (1 - nobody_found)).sum() / weights.sum())

    def at_risk(self, chance: float = HIGH_CHANCE) -> Labels:
        """Records of the original with at least this chance to be found, the highest first."""
        order = np.lexsort((self.persons, -self.chances))
        return self.persons[order][self.chances[order] >= chance]

    @cached_property
    def _household_weights(self) -> Vector:
        if self.households is None:
            return self.weights
        return np.bincount(self.households, self.weights).astype(np.float64)

    @property
    def findings(self) -> Findings:
        return Findings(
            (self._risk_finding(), self._high_risk_finding(), *self._household_finding(), *self._recall_finding())
        )

    def _risk_finding(self) -> Finding:
        interval = self.reported_interval
        guesses = "" if self.k == 1 else f", with {self.k} guesses each"
        return Finding(
            "linked persons",
            100 * self.risk,
            f"Share of the {len(self.persons):,} persons known to the intruder whom they find in the release by "
            f"{', '.join(self.columns)}{guesses}; the baseline is drawing at random.{self._limit_of_blocks}",
            interval=None if interval is None else (100 * interval[0], 100 * interval[1]),
            baseline=100 * self.baseline,
            unit="%",
            caveat=NOT_COMPARED if self.lost_pairs else "",
        )

    @property
    def _limit_of_blocks(self) -> str:
        if self.blocking is None or self.blocking.recall is None:
            return ""
        return f" Only pairs within blocks were compared, {100 * self.blocking.recall:.4g} % of the true ones."

    def _high_risk_finding(self) -> Finding:
        share = float(self.weights[self.chances >= HIGH_CHANCE].sum() / self.weights.sum())
        meaning = f"Share of the known persons who are found with a chance of {100 * HIGH_CHANCE:.0f} % or more."
        return Finding("persons at high risk", 100 * share, meaning, baseline=0, unit="%")

    def _household_finding(self) -> tuple[Finding, ...]:
        if self.household_risk is None:
            return ()
        meaning = "Share of the households with at least one member found."
        return (Finding("linked households", 100 * self.household_risk, meaning, unit="%"),)

    def _recall_finding(self) -> tuple[Finding, ...]:
        if self.blocking is None or self.blocking.recall is None:
            return ()
        meaning = (
            f"Share of the true pairs that the blocking kept; it saved {100 * self.blocking.reduction_ratio:.4g} % of "
            f"all comparisons. Pairs that it lost cannot be linked: without blocking the risk may be higher."
        )
        return (Finding("recall of the blocking", 100 * self.blocking.recall, meaning, baseline=100, unit="%"),)

    def to_dict(self) -> dict[str, Any]:
        """Figures for JSON; no individual record."""
        return {
            "risk": self.risk,
            "interval": self.reported_interval and list(self.reported_interval),
            "baseline": self.baseline,
            "household_risk": self.household_risk,
            "n_known": len(self.persons),
            "n_released": self.n_released,
            "k": self.k,
            "columns": list(self.columns),
            "blocking": None if self.blocking is None else asdict(self.blocking),
            "findings": self.findings.to_list(),
            "notes": list(self.notes),
        }


def _log_products(factors: Vector, groups: Labels) -> Vector:
    """Logarithm of the product over every group; minus infinity where a factor is 0."""
    with np.errstate(divide="ignore"):
        logs = np.log(factors)
    has_zero = np.bincount(groups, np.isinf(logs)) > 0
    return np.where(has_zero, -np.inf, np.bincount(groups, np.where(np.isinf(logs), 0.0, logs)))
