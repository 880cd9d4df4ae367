"""The search for mends: candidates are run one by one, and the best are confirmed on all records."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from math import inf
from typing import Any

from shoal import progress
from shoal.assessment.mend.mends import Mends, RiskCauses
from shoal.assessment.mend.risk_figure import limit_name
from shoal.assessment.mend.tried_change import ReleaseFigures, TriedChange, ranked
from shoal.errors import EngineError, ShoalError, SourceError
from shoal.pipeline.mend.record_sample import RULE, RecordSample
from shoal.pipeline.mend.release_causes import release_causes
from shoal.pipeline.mend.trial_release import TrialRelease
from shoal.policy import Policy
from shoal.policy.change.candidate_changes import (
    RiskyColumns,
    advised_change,
    candidate_changes,
    combination_of,
    each_once,
    joint_changes,
)
from shoal.policy.change.policy_change import PolicyChange, policy_of_text, policy_source
from shoal.policy.change.policy_edit import edit_lines
from shoal.policy.change.value_facts import ValueFacts
from shoal.sources.key_file import Key

MOST_COLUMNS = 5  # for which changes are tried
MOST_OUTSIDE = 8  # that are protected or dropped together
MOST_CHANGES, MOST_JOINT, MOST_ADVISED = 40, 24, 6  # that are tried: of one column, of several, with what they advise
N_CONFIRMED = 3  # changes that hold on all records
MOST_CONFIRMED = 6  # changes that are run on all records
Pair = tuple[PolicyChange, TriedChange]
COUNTED_ROLES = ("quasi_identifier", "sensitive", "weight", "other")  # columns whose loss counts


@dataclass(frozen=True, eq=False)
class MendSearch:
    """What stays the same for all changes."""

    source: Any
    policy: Policy
    key: Key
    text: str  # of the policy
    sample: RecordSample
    columns: tuple[str, ...]  # whose loss counts

    @classmethod
    def of(cls, source: Any, policy: Policy, key: Key, most: int) -> MendSearch:
        with progress.stage("reading the table", 0):
            sample = RecordSample.of(source, policy, most)
        released = tuple(name for name, rule in policy.columns.items() if rule.role in COUNTED_ROLES)
        return cls(source, policy, key, policy_source(policy), sample, released)

    @classmethod
    def found(cls, source: Any, policy: Policy, key: Key, most: int) -> Mends:
        return cls.of(source, policy, key, most).mends()

    @property
    def is_sampled(self) -> bool:
        return self.sample.n_tried < self.sample.n_records

    def mends(self) -> Mends:
        with progress.stage("the policy as it is", 0):
            release = TrialRelease.of(self.source, self.policy, self.key)
            search = replace(self, columns=tuple(n for n in self.columns if n in release.records.column_names))
            before_all = release.figures(search.columns)
            causes = release_causes(release)
        n = self.sample.n_records, self.sample.n_tried
        if not before_all.above:
            return Mends(*n, before_all, before_all, causes)
        before = search._figures_of_sample() if self.is_sampled else before_all
        tried, n_left_out = search._tried(before_all, search._risky(release, causes, before_all))
        changes = tuple(ranked(search._confirmed(tried)))
        return Mends(*n, before, before_all, causes, changes, n_left_out, self._notes())

    def _figures_of_sample(self) -> ReleaseFigures:
        return TrialRelease.of(self.sample.source, self.policy, self.key).figures(self.columns)

    def _notes(self) -> tuple[str, ...]:
        return (f"Changes were tried on {RULE.format(most=self.sample.n_tried)}.",) if self.is_sampled else ()

    def _risky(self, release: TrialRelease, causes: RiskCauses, before: ReleaseFigures) -> RiskyColumns:
        """The columns that changes are tried for: those that contribute most, and those that warnings name."""
        named = [name for each in release.exposures if each.kind != "homogeneous" for name in each.columns]
        singling = [name for name, _ in causes.contributions if name in self.columns] if causes.n_singled_out else []
        names = tuple(dict.fromkeys(_alternately(singling, [name for name in named if name in self.columns])))
        chosen, table = names[:MOST_COLUMNS], self.sample.table
        outside = tuple(name for name in names if self.policy.columns[name].role == "other")[:MOST_OUTSIDE]
        facts = {name: ValueFacts.of(table[name], self.policy.k or 2) for name in chosen}
        homogeneous = tuple(each.column for each in causes.homogeneous)
        above = [risk.name for risk in before.above]
        limits = {name: most for name, most in self.policy.limits.by_name.items() if limit_name(name) in above}
        return RiskyColumns(chosen, outside, facts, homogeneous, release.remedies, limits)

    def _tried(self, before: ReleaseFigures, risky: RiskyColumns) -> tuple[list[Pair], int]:
        """Changes of one column or key; where none of them removes every risk, changes of several together."""
        single = candidate_changes(self.policy, risky)
        pairs, left_out = self._pairs(single[:MOST_CHANGES]), len(single[MOST_CHANGES:])
        if any(each.removes_risk for _, each in pairs):
            return pairs, left_out
        joint = self._joint(before, pairs, risky)
        pairs += self._pairs(joint[:MOST_JOINT])
        pairs += self._pairs(_advised(pairs))
        pairs += self._pairs(_shorter(pairs))
        return pairs, left_out + len(joint[MOST_JOINT:])

    def _joint(self, before: ReleaseFigures, tried: Sequence[Pair], risky: RiskyColumns) -> Sequence[PolicyChange]:
        """The cheapest change against each risk, all together; then changes of several columns, each with the cheapest
        ones against the other risks."""
        cheapest = [_cheapest(tried, risk.name) for risk in before.above]
        own = [change for change in cheapest if change is not None]
        several = [combination_of([change, *own]) for change in joint_changes(self.policy, risky)]
        return _new_ones([change for change in (combination_of(own), *several) if change is not None], tried)

    def _pairs(self, changes: Sequence[PolicyChange]) -> list[Pair]:
        """The changes with what came of them."""
        found: list[Pair] = []
        with progress.stage("trying changes of the policy", len(changes)) as at:
            for change in changes:
                found.append((change, self._try(change)))
                at(len(found))
        return found

    def _try(self, change: PolicyChange) -> TriedChange:
        lines = edit_lines(self.text, change.edits)
        text = change.text(self.text)
        try:
            release = TrialRelease.of(self.sample.source, policy_of_text(text, self.policy), self.key)
        except (SourceError, EngineError):  # not caused by the policy
            raise
        except ShoalError as error:
            return TriedChange(change.title, lines, len(change.edits), None, str(error), text=text)
        figures = release.figures(self.columns)
        return TriedChange(change.title, lines, len(change.edits), figures, text=text, remedies=release.remedies)

    def _confirmed(self, pairs: Sequence[Pair]) -> list[TriedChange]:
        """The changes, the best of them with the figures of all records: until three hold there, or six were run. Where
        one leaves a new risk there, it is run again with what the warnings advise."""
        if not self.is_sampled:
            return [replace(each, confirmed=each.figures) for _, each in pairs]
        change_of = {id(each): change for change, each in pairs}
        queue, found = deque(ranked(each for _, each in pairs)), list[TriedChange]()
        with progress.stage("confirming the best changes on all records", MOST_CONFIRMED) as at:
            while queue:
                tried = queue.popleft()
                found.append(self._confirm(tried) if tried.removes_risk and _is_wanting(found) else tried)
                at(_n_run(found))
                further = _with_advice(change_of[id(tried)], found[-1]) if _has_new_risk(found[-1]) else None
                if further is not None and all(further.edits != change.edits for change in change_of.values()):
                    queue.appendleft(self._try(further))
                    change_of[id(queue[0])] = further
        return found

    def _confirm(self, change: TriedChange) -> TriedChange:
        policy = policy_of_text(change.text, self.policy)
        try:
            release = TrialRelease.of(self.source, policy, self.key)
            return replace(change, confirmed=release.figures(self.columns), remedies=release.remedies)
        except (SourceError, EngineError):
            raise
        except ShoalError as error:
            return replace(change, figures=None, reason=f"on all records: {error}")


def _n_run(changes: Sequence[TriedChange]) -> int:
    return sum(each.confirmed is not None for each in changes)


def _is_wanting(changes: Sequence[TriedChange]) -> bool:
    """Whether more changes are run on all records."""
    n_held = sum(each.confirmed is not None and each.removes_risk for each in changes)
    return _n_run(changes) < MOST_CONFIRMED and n_held < N_CONFIRMED


def _has_new_risk(change: TriedChange) -> bool:
    """Whether it removes the risk in the sample, but not on all records."""
    return change.confirmed is not None and not change.removes_risk


def _advised(tried: Sequence[Pair]) -> list[PolicyChange]:
    """The changes that leave fewest risks, each with what the warnings of its own release advise; of those only that
    lose less than the cheapest that removes all."""
    least = min((each.figures.loss for _, each in tried if each.figures and each.removes_risk), default=inf)
    left = [
        (len(each.figures.above), each.figures.loss, at)
        for at, (_, each) in enumerate(tried)
        if each.figures and each.remedies and not each.removes_risk and each.figures.loss < least
    ]
    found = [_with_advice(*tried[at]) for _, _, at in sorted(left)]
    return _new_ones([each for each in found if each], tried)[:MOST_ADVISED]


def _shorter(tried: Sequence[Pair]) -> list[PolicyChange]:
    """The cheapest change that removes all risks without one of its steps, in case the others are enough."""
    removing = [(each.rank, at) for at, (_, each) in enumerate(tried) if each.removes_risk]
    if not removing:
        return []
    change = tried[min(removing)[1]][0]
    return _new_ones([change.without_step(at) for at in range(len(change.steps)) if len(change.steps) > 1], tried)


def _new_ones(changes: Sequence[PolicyChange], tried: Sequence[Pair]) -> list[PolicyChange]:
    """Each change once, without those that were tried and those that contain one which cannot be run."""
    failed = [change for change, each in tried if each.figures is None]
    known = [change.edits for change, _ in tried]
    return [
        change
        for change in each_once(changes)
        if change.edits not in known and not any(change.contains(other) for other in failed)
    ]


def _with_advice(change: PolicyChange, tried: TriedChange) -> PolicyChange | None:
    advice = [each for lines in tried.remedies for each in advised_change(lines)]
    return combination_of([change, *advice]) if advice else None


def _cheapest(tried: Sequence[Pair], risk: str) -> PolicyChange | None:
    """The change of the least loss that removes one risk, whatever else is left."""
    removing = [
        (each.figures.loss, at, change)
        for at, (change, each) in enumerate(tried)
        if each.figures is not None and all(left.name != risk for left in each.figures.above)
    ]
    return min(removing)[2] if removing else None


def _alternately(first: Sequence[str], second: Sequence[str]) -> Iterable[str]:
    for at in range(max(len(first), len(second))):
        yield from first[at : at + 1]
        yield from second[at : at + 1]
