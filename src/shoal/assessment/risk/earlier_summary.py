"""What several releases of the same persons reveal together, in a few figures that name no file and no value."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class PersonShare:
    """A share of some persons, in percent; ``baseline``: the same without earlier releases, None: there is none."""

    share: float
    baseline: float | None
    n_persons: int

    @property
    def severity(self) -> tuple[float, float]:
        """As of a finding: what is above the baseline, then the share."""
        return self.share - (self.baseline or 0.0), self.share


@dataclass(frozen=True)
class EarlierSummary:
    """A release next to earlier ones.

    n_releases   earlier ones
    left         records that are left of a person at least; None: not measured
    m            the least m that is required of sensitive columns; None: no m-invariance is required
    holds_m      whether all that is required holds together with the earlier releases; None: not measured
    below_k      by intruder: persons of whom fewer than k records are left
    pinned       by intruder and sensitive column: persons whose value is certain
    """

    n_releases: int
    left: int | None = None
    m: int | None = None
    holds_m: bool | None = None
    below_k: tuple[PersonShare, ...] = ()
    pinned: tuple[PersonShare, ...] = ()
