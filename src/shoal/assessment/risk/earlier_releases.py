"""Earlier releases: what an intruder learns who holds several releases of the same persons.

ComparedReleases, k -> attacks

The intruder holds all releases, and knows of a person the quasi-identifiers at the time of each, so the class in each,
and that the person is in them. Records of two releases are recognized as one person's by the columns that all show and
that do not change over time. Four intruders follow from how well this works:

- by values: the records that are left are those whose values occur in the person's classes of all releases
- by linked records: every record is linked to the one of the same person, as a pseudonym under the same key allows; the
  persons that are left are those who share all classes
- of a new person, known to be new: all records of persons of earlier releases are set aside
- by counts: knows who has left or joined, and in which classes the others are; a value that these classes show less
  often than before is that of who left

All figures are counted over all persons; the classes that persons are in are taken as known, which is the worst case
where extents overlap.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from shoal.assessment.risk.attack import Attack
from shoal.encode.codes import to_codes
from shoal.errors import listed, plural
from shoal.findings import Finding, UnmeasuredFigure
from shoal.gate.common_candidates import CommonCandidates
from shoal.gate.gate import SLACK
from shoal.gate.person_records import ComparedReleases
from shoal.gate.turnover import Turnover
from shoal.kernels import Labels, Vector

FEWEST = "fewest records left, earlier releases"
BELOW_K = "persons below k, earlier releases"
LINKED = "persons below k, linked records"
NEW = "new persons below k, linked records"
GONE = "departed persons below k, linked records"
MOVED = "persons who changed class"
PINNED = "pinned down by earlier releases"
UNIQUE = "records that link the releases"
DEPARTED, JOINED = "departed persons", "new persons"
ACQUAINTANCE = "an acquaintance who holds all releases"
COLLECTOR = "anybody who holds all releases"
NOT_KNOWN = (
    "not measured: whose records the earlier release has is not known. Put its private manifest, and the original, "
    "policy and key that this names, where it says, and name the column of persons by --person"
)

ALL_SUPPRESSED = (
    "not measured: nobody has a record in both releases. Persons whom both originals have are suppressed in one of them"
)


def earlier_release_attacks(compared: ComparedReleases, k: int, sensitive: Sequence[str]) -> tuple[Attack, ...]:
    """The attacks of all intruders; figures that need to know whose records are whose say so where it is not
    known. ``sensitive``: columns of the new release whose values may be pinned down."""
    linking = Attack("earlier releases", COLLECTOR, _values_words(compared), _linking_finding(compared))
    if not compared.are_persons_known:
        names = [FEWEST, BELOW_K, *(f"{name} {PINNED}" for name in sensitive), LINKED, NEW, GONE, MOVED]
        unknown = (UnmeasuredFigure(name, NOT_KNOWN) for name in names)
        return (linking, *(Attack("earlier releases", ACQUAINTANCE, _classes_words(compared), f) for f in unknown))
    if not compared.has_common_persons:
        names = [FEWEST, BELOW_K, *(f"{name} {PINNED}" for name in sensitive), LINKED, MOVED]
        unknown = (UnmeasuredFigure(name, ALL_SUPPRESSED) for name in names)
        return (linking, *(Attack("earlier releases", ACQUAINTANCE, _classes_words(compared), f) for f in unknown))
    by_values = f"{_classes_words(compared)}, and {_values_words(compared)}"
    by_links = f"{_classes_words(compared)}, and which records are of one person"
    by_counts = "the release, the latest earlier one, who has left or joined, and in which classes the others are"
    of_new = "the quasi-identifiers of a new person, and which records are of one person"
    return (
        *(Attack("earlier releases", ACQUAINTANCE, by_values, f) for f in _value_findings(compared, k, sensitive)),
        *(Attack("earlier releases", ACQUAINTANCE, by_links, f) for f in _link_findings(compared, k)),
        *(Attack("earlier releases", ACQUAINTANCE, of_new, f) for f in _new_findings(compared.candidates, k)),
        *(Attack("earlier releases", ACQUAINTANCE, by_counts, f) for f in _turnover_findings(compared, sensitive)),
        linking,
    )


def _classes_words(compared: ComparedReleases) -> str:
    n = len(compared.earlier)
    return (
        f"the release, {n} earlier {plural(n, 'one')}, a person's quasi-identifiers at each time, that they are in all"
    )


def _values_words(compared: ComparedReleases) -> str:
    names = listed(compared.stable)
    return f"what does not change over time: {names}" if names else "no column that all show and that does not change"


def _value_findings(compared: ComparedReleases, k: int, sensitive: Sequence[str]) -> Iterator[Finding]:
    found = compared.candidates
    known = ~found.is_new[found.joint_class]
    left, alone = found.left[found.joint_class][known], _class_sizes(compared)[known]
    yield Finding(
        FEWEST,
        int(left.min()),
        "The smallest number of records that can still be a person's, in the release that leaves fewest, for an "
        "intruder who compares values. The baseline is the smallest class of these persons in this release alone.",
        baseline=int(alone.min()),
        goal=k,
    )
    yield Finding(
        BELOW_K,
        _percent(left < k),
        f"Persons of this and an earlier release ({left.size:,}) of whom fewer than {k} records are left for an "
        "intruder who compares values. The baseline is the same from this release alone.",
        baseline=_percent(alone < k),
        goal=0,
        unit="%",
    )
    for name in sensitive:
        yield _pinned_finding(compared, name, known)


def _pinned_finding(compared: ComparedReleases, name: str, known: NDArray[np.bool_]) -> Finding:
    found, codes = compared.candidates, to_codes(name, compared.new.records[name]).codes
    alone = CommonCandidates(found.new, ())
    together = found.n_sensitive(codes)[found.joint_class] == 1
    single = alone.n_sensitive(codes)[alone.joint_class] == 1
    has_value = codes >= 0
    return Finding(
        f"{name} {PINNED}",
        _percent((together & has_value)[known]),
        f"Persons of this and an earlier release whose records that are left have one value of {name} only, so that it "
        "is known. The baseline is the same from the classes of this release alone.",
        baseline=_percent((single & has_value)[known]),
        unit="%",
    )


def _link_findings(compared: ComparedReleases, k: int) -> Iterator[Finding]:
    found = compared.candidates
    known = ~found.is_new[found.joint_class]
    sizes, alone = found.joint_sizes[found.joint_class][known], _class_sizes(compared)[known]
    yield Finding(
        LINKED,
        _percent(sizes < k),
        f"Persons of this and an earlier release who share all of their classes with fewer than {k} persons, with "
        "themselves: for an intruder who can link all records. The baseline is the same from this release alone.",
        baseline=_percent(alone < k),
        unit="%",
    )
    yield from _gone_findings(compared, k)
    yield Finding(
        MOVED,
        _percent(_have_moved(compared)),
        "Persons of the latest earlier release who are not in the class in which most persons of their former class "
        "are now.",
        unit="%",
    )


def _gone_findings(compared: ComparedReleases, k: int) -> Iterator[Finding]:
    gone, of = _departed_below(compared, k)
    if of:
        yield Finding(
            GONE,
            100 * gone / of,
            f"Persons of the latest earlier release who are not in this one ({of:,}), with fewer than {k} such persons "
            "in their class: for an intruder who knows that they are gone. This release cannot change it any more.",
            unit="%",
        )


def _new_findings(found: CommonCandidates, k: int) -> Iterator[Finding]:
    sizes = found.joint_sizes[found.joint_class][found.is_new[found.joint_class]]
    if sizes.size:
        yield Finding(
            NEW,
            _percent(sizes < k),
            f"Persons who are in no earlier release ({sizes.size:,}), with fewer than {k} such persons in their class: "
            "for an intruder who knows that they are new, and can link the records of all others.",
            unit="%",
        )


def pinned_shares(figures: Iterable[Finding], sensitive: Sequence[str]) -> dict[str, Finding]:
    """By sensitive column: the figure of those who stay, left or joined to which the earlier releases add most."""
    ends = (PINNED, *(f"of {of_whom} pinned down" for of_whom in (DEPARTED, JOINED)))
    found = [(name, each) for each in figures for name in sensitive if each.name in {f"{name} {end}" for end in ends}]
    worst: dict[str, Finding] = {}
    for name, each in found:
        worst[name] = max(each, worst.get(name, each), key=lambda figure: figure.severity)
    return worst


def _turnover_findings(compared: ComparedReleases, sensitive: Sequence[str]) -> Iterator[Finding]:
    """Of every sensitive column that does not change, what the counts of classes tell about who left or joined."""
    for name in (name for name in sensitive if name in compared.stable):
        found, at = compared.candidates_by(name), len(compared.earlier) - 1
        yield from _counted_finding(name, DEPARTED, Turnover.of_departed(found, at))
        yield from _counted_finding(name, JOINED, Turnover.of_joined(found, at))


def _counted_finding(name: str, of_whom: str, turnover: Turnover) -> Iterator[Finding]:
    n = int(turnover.n_gone.sum())
    if n:
        together, alone = (int(turnover.n_gone[each > 1 - SLACK].sum()) for each in _shares(turnover))
        yield Finding(
            f"{name} of {of_whom} pinned down",
            100 * together / n,
            f"Persons of one of this and the latest earlier release only ({n:,}) whose {name} follows from the counts: "
            "the classes with the others show one value less, and it is theirs. The baseline is the same from the "
            "release that they are in alone.",
            baseline=100 * alone / n,
            unit="%",
        )


def _shares(turnover: Turnover) -> tuple[Vector, Vector]:
    return turnover.shares, turnover.shares_alone


def _linking_finding(compared: ComparedReleases) -> Finding:
    n = len(compared.new.records)
    return Finding(
        UNIQUE,
        100 * compared.n_unique_everywhere / max(n, 1) if compared.stable else 0.0,
        "Records of this release that are alone in it, and in every earlier one, with their values of the columns that "
        "all show and that do not change: whoever holds the files can link them.",
        unit="%",
    )


def _class_sizes(compared: ComparedReleases) -> Labels:
    """(n_new,) the size of every record's class in this release alone."""
    classes = compared.new.classes
    return np.bincount(classes)[classes]


def _have_moved(compared: ComparedReleases) -> NDArray[np.bool_]:
    """(n_both,) whether the persons of the latest earlier release are apart from most of their former class."""
    before, now = compared.candidates.earlier[-1].of_persons, compared.new.classes
    both = before >= 0
    pairs, at, n = np.unique(before[both] * (int(now.max()) + 1) + now[both], return_inverse=True, return_counts=True)
    former = pairs // (int(now.max()) + 1)
    order = np.lexsort((-n, former))  # the largest part of every former class first
    firsts = np.ones(order.size, dtype=bool)
    firsts[1:] = former[order][1:] != former[order][:-1]
    is_main = np.zeros(order.size, dtype=bool)
    is_main[order[firsts]] = True
    return ~is_main[at]


def _departed_below(compared: ComparedReleases, k: int) -> tuple[int, int]:
    """Persons of the latest earlier release who are gone and share their class with fewer than k such; all gone."""
    latest = compared.earlier[-1]
    gone = np.ones(len(latest.records), dtype=bool)
    gone[compared.places[-1][compared.places[-1] >= 0]] = False
    sizes = np.bincount(latest.classes[gone], minlength=1)
    return int(sizes[sizes < k].sum()), int(gone.sum())


def _percent(found: NDArray[np.bool_]) -> float:
    return 100 * float(found.mean()) if found.size else 0.0
