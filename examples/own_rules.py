"""A requirement and a loss of one's own: see docs/user_rules.md."""

from dataclasses import dataclass

from shoal import UserLoss, UserRequirement


@dataclass(frozen=True)
class Minority(UserRequirement):
    """At least ``rest`` records of a class do not have its most frequent sensitive value."""

    rest: int
    monotone = True

    def holds(self, groups):
        most = groups.sensitive.max(axis=1).toarray().ravel()  # (n_groups,) records of the most frequent value
        return groups.totals - most >= self.rest


@dataclass(frozen=True)
class SpreadOfRecords(UserLoss):
    """Every record costs the share of the columns that its block covers, to the power of ``p``."""

    p: float = 1.0

    def loss(self, blocks):
        return blocks.totals * (blocks.widths**self.p).sum(axis=1)
