"""m-invariance: comparing releases excludes no sensitive value of a person, and gives away nobody who left or joined.

Xiao & Tao (2007), doi:10.1145/1247480.1247556. There every class of m or more records shows each value once, and the
classes that a person is in show the same values in every release. Here a value may be that of one in m records at most,
which bounds the chance of a guess alike. With repeated values the same set is not enough: of a class that shows a value
once less, who left had it. So the share of the likeliest value of whoever left or joined is bounded by 1 / m, too (see
``turnover.py``). Missing is not a value.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from shoal.gate.common_candidates import EARLIER, CommonCandidates, ReleaseClasses
from shoal.gate.gate import SLACK, Verdict
from shoal.gate.turnover import Turnover
from shoal.kernels import Labels, Vector
from shoal.requirements.requirement import RepeatRequirement

PERSONS = "persons"  # the key of a verdict that names whom it is about


@dataclass(frozen=True, eq=False)
class Invariance:
    """``found``: all releases, with a sensitive column alone as the values of their records; missing is 0."""

    found: CommonCandidates

    def reached(self) -> Vector:
        """(n_joint,) the m of every combination of classes: 1 over the share of the most frequent value, at most the
        number of values; 0 where the sets of values differ between releases."""
        joint = self.found
        first = np.unique(joint.joint_class, return_index=True)[1]
        classes = joint.new.classes[first]
        m, n_values = _bounds(joint.new)[classes], _n_values(joint.new)[classes]
        is_same = np.ones(first.size, dtype=bool)
        common = joint.n_sensitive(np.where(joint.new.values > 0, joint.new.values, -1))
        common -= self._missing_everywhere(first)
        for release in joint.earlier:
            places = release.of_persons[first]
            n_former = np.append(_n_values(release), 0)[places]
            is_same &= (places < 0) | ((n_former == n_values) & (common == n_values))
        return np.where(is_same, m, 0.0)

    def _missing_everywhere(self, first: Labels) -> Labels:
        """(n_joint,) 1 where missing is left among the values of all releases, 0 elsewhere."""
        missing = _has_missing(self.found.new)[self.found.new.classes[first]]
        for release in self.found.earlier:
            places = release.of_persons[first]
            missing &= np.append(_has_missing(release), False)[places] | (places < 0)
        return missing.astype(np.int64)


def _table(release: ReleaseClasses) -> tuple[Labels, Labels, Labels]:
    """Class, value and records of every combination that occurs, without missing values."""
    n_values = int(release.values.max(initial=0)) + 1
    keys, n = np.unique(release.classes * n_values + release.values, return_counts=True)
    known = keys % n_values > 0
    return (keys // n_values)[known], (keys % n_values)[known], n[known]


def _n_values(release: ReleaseClasses) -> Labels:
    """(n_classes,) different values of every class."""
    n_classes = int(release.classes.max(initial=-1)) + 1
    return np.bincount(_table(release)[0], minlength=n_classes).astype(np.int64)


def _has_missing(release: ReleaseClasses) -> NDArray[np.bool_]:
    """(n_classes,) whether a class has a missing value."""
    n_classes = int(release.classes.max(initial=-1)) + 1
    return np.asarray(np.bincount(release.classes[release.values == 0], minlength=n_classes) > 0)


def _bounds(release: ReleaseClasses) -> Vector:
    """(n_classes,) known records over those of the most frequent value, at most the number of values."""
    classes, _, n = _table(release)
    n_values = _n_values(release)
    most, known = np.zeros(n_values.size), np.zeros(n_values.size)
    np.maximum.at(most, classes, n)
    np.add.at(known, classes, n)
    return np.minimum(known / np.maximum(most, 1), n_values)


def invariance_verdicts(
    found: CommonCandidates, wanted: RepeatRequirement, columns: Sequence[str], names: Sequence[str]
) -> tuple[Verdict, Verdict]:
    """The verdicts on m-invariance: of persons who stay, and of those who left or joined. ``columns``: that make the
    classes; ``names``: of the earlier releases."""
    stay = Invariance(found).reached()
    turnovers = [each(found, at) for at in range(len(names)) for each in (Turnover.of_departed, Turnover.of_joined)]
    shares, n_gone = (np.concatenate(each) for each in zip(*((t.shares, t.n_gone) for t in turnovers), strict=True))
    known = shares > 0  # others: nobody left or joined, or nobody with a value
    earlier = {EARLIER: ", ".join(names)}
    return (
        _verdict(wanted, stay, found.joint_sizes, columns, earlier),
        _verdict(wanted, 1 / shares[known], n_gone[known], columns, {**earlier, PERSONS: "departed and new"}),
    )


def _verdict(
    wanted: RepeatRequirement, reached: Vector, n_records: Labels, columns: Sequence[str], besides: dict[str, str]
) -> Verdict:
    """``reached``: the m of every class, or combination of classes; ``n_records``: of each."""
    fails = reached < wanted.m - SLACK
    return Verdict(
        requirement=wanted.name,
        asked=wanted.m,
        reached=float(reached.min()) if reached.size else None,
        holds=not fails.any(),
        n_classes=reached.size,
        n_classes_failing=int(fails.sum()),
        n_records_failing=int(n_records[fails].sum()),
        columns=tuple(columns),
        column=wanted.column,
        besides=besides,
    )
