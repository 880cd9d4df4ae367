"""One-to-one links: the intruder gives every released record to one person at most, at the least sum of distances.

points of both files, true pairs, disjoint blocks -> OneToOneLinks

An assignment problem, solved exactly within every block of up to 20,000 persons and records. No matrix of all pairs is
stored. Every person begins with the nearest records, every record with the nearest persons. An auction over these pairs
finds nearly optimal links and prices (`kernels.Assignment.start`), which are compared with all pairs of the block
(`kernels.RecordPricing`); pairs that could lower the sum are added, and the auction is repeated until they are few.
Then shortest paths mend the links exactly (`kernels.Assignment.settle`), until no pair is left that could lower the
sum: the prices prove the optimum over all pairs by weak duality:

    bound = sum over persons of min(no link, min over records of (distance - price)) + sum over records of price

Every released record is linked, or every person if they are fewer; who is left over has no link.

Equal records share a price and a number of copies, and equal persons are interchangeable: an intruder who draws among
them at random is right with the chance (links between both classes) / (persons of the class * records of the class).
Among several assignments with the same sum that differ otherwise, one is taken, the same in every run.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from shoal import kernels, progress
from shoal.errors import LinkageError
from shoal.kernels import Labels, Matrix, Vector
from shoal.linkage.candidates import Candidates, Runs
from shoal.linkage.metric import WeightedPoints
from shoal.linkage.record_links import Links
from shoal.linkage.true_pairs import check_truth

MOST_RECORDS = 20_000  # persons or records of a block
NEAREST = 10  # pairs added for a person at a time
MOST_AUCTIONS = 20
FEW_PERSONS = 0.01  # whose links are mended one by one
PERSONS_AT_A_TIME = 500  # between two updates of the progress
ROUNDING = 1e-11  # of the cost of a person without a link: smaller gains are rounding


@dataclass(frozen=True, eq=False)
class OneToOneLinks:
    links: Links
    total: float  # the sum of the distances of all links
    bound: float  # no one-to-one links within the blocks have a smaller sum, but for rounding


@dataclass(frozen=True, eq=False)
class AssignmentBlock:
    """The persons and records of a block, equal ones as one class, and an upper bound of their distances."""

    persons: Matrix  # (n_persons, d)
    records: Matrix  # (n_classes, d) different ones
    copies: Labels  # (n_classes,)

    @cached_property
    def unlinked(self) -> float:
        """What a person without a link costs: more than any distance, so that nobody remains next to a free record."""
        both = [self.persons, self.records]
        low, high = (np.min([x.min(axis=0) for x in both], axis=0), np.max([x.max(axis=0) for x in both], axis=0))
        return 1.01 * float(np.sqrt(((high - low) ** 2).sum())) or 1.0

    def distances_to(self, links: Labels) -> Vector:
        """(n_persons,) the distance to the class of records that a person is linked to; ``unlinked`` for -1."""
        to_links = np.sqrt(((self.persons - self.records[links]) ** 2).sum(axis=1))
        return np.where(links >= 0, to_links, self.unlinked)


def one_to_one_links(points: WeightedPoints, truth: ArrayLike | None, candidates: Candidates | None) -> OneToOneLinks:
    """The links of least sum. ``candidates``: of a blocking whose blocks do not overlap; if not given, all pairs."""
    n_persons, n_records = len(points.original), len(points.released)
    true_records = check_truth(truth, n_persons, n_records)
    pairs = Candidates.all_pairs(n_persons, n_records) if candidates is None else candidates
    scales = np.sqrt(points.weights)
    original, released = points.original * scales, points.released * scales
    records, chances = np.full(n_persons, -1, dtype=np.int64), np.zeros(n_persons)
    n_ties, measures = np.zeros(n_persons, dtype=np.int64), np.full(n_persons, np.inf)
    total = bound = 0.0
    n_done = 0
    with progress.stage("linking one to one", n_persons) as at:
        for persons, members in disjoint_blocks(pairs):
            classes = _classes(points.released[members])
            block = AssignmentBlock(original[persons], released[members[classes.firsts]], classes.sizes)
            solved = _solve(block, _advance_from(n_done, at))
            total, bound = total + solved.total, bound + solved.bound
            n_done += len(persons)
            linked = solved.classes >= 0
            links = solved.classes[linked]
            records[persons[linked]] = members[classes.firsts[links]]
            measures[persons[linked]] = solved.distances[linked] ** 2
            n_ties[persons[linked]] = classes.sizes[links]
            chances[persons] = _chances(
                _classes(points.original[persons]), classes, solved.classes, _places(members, true_records[persons])
            )
    return OneToOneLinks(Links(records, measures, n_ties, chances), total, bound)


def _advance_from(before: int, at: progress.Advance) -> progress.Advance:
    """Progress of a block as progress of all: ``before`` persons are done."""
    return lambda done: at(before + done)


def disjoint_blocks(candidates: Candidates) -> Iterator[tuple[Labels, Labels]]:
    """The persons and the records of every block; an error where blocks overlap or are too large."""
    if len(candidates.passes) > 1:
        raise LinkageError.overlapping_blocks()
    runs = candidates.passes[0]
    by_run = np.lexsort((runs.end, runs.begin))
    by_run = by_run[runs.sizes[by_run] > 0]
    begin, end = runs.begin[by_run], runs.end[by_run]
    starts = np.flatnonzero(np.r_[True, (np.diff(begin) != 0) | (np.diff(end) != 0)]) if len(by_run) else by_run
    _check_blocks(runs, begin[starts], end[starts], np.diff(np.r_[starts, len(by_run)]))
    for start, stop in zip(starts, np.r_[starts[1:], len(by_run)], strict=True):
        yield np.sort(by_run[start:stop]), np.sort(runs.order[begin[start] : end[start]])


def _check_blocks(runs: Runs, begin: Labels, end: Labels, n_persons: Labels) -> None:
    if (begin[1:] < end[:-1]).any():
        raise LinkageError.overlapping_blocks()
    largest = max(int((end - begin).max(initial=0)), int(n_persons.max(initial=0)))
    if largest > MOST_RECORDS:
        raise LinkageError.block_too_large(largest, MOST_RECORDS)


@dataclass(frozen=True, eq=False)
class EqualRows:
    """Equal rows: the class of every row, and the first row and the size of every class."""

    of_row: Labels
    firsts: Labels
    sizes: Labels


def _classes(rows: Matrix) -> EqualRows:
    _, firsts, of_row, sizes = np.unique(rows, axis=0, return_index=True, return_inverse=True, return_counts=True)
    return EqualRows(of_row.ravel(), firsts.astype(np.int64), sizes.astype(np.int64))


def _places(members: Labels, records: Labels) -> Labels:
    """(n,) the place of every record among the ascending members of a block; -1 where it is none of them."""
    places = np.minimum(np.searchsorted(members, records), len(members) - 1)
    return np.where(members[places] == records, places, -1)


def _chances(persons: EqualRows, records: EqualRows, links: Labels, truth: Labels) -> Vector:
    """(n_persons,) chance of a correct link. ``links``: class of records, ``truth``: record of every person, or -1."""
    n_classes = len(records.sizes)
    linked = links >= 0
    pairs = np.sort(persons.of_row[linked] * n_classes + links[linked])
    true_class = records.of_row[truth]
    wanted = persons.of_row * n_classes + true_class
    n_links = np.searchsorted(pairs, wanted, "right") - np.searchsorted(pairs, wanted, "left")
    return np.where(truth >= 0, n_links / (persons.sizes[persons.of_row] * records.sizes[true_class]), 0.0)


@dataclass(frozen=True, eq=False)
class BlockSolution:
    classes: Labels  # (n_persons,) the class of records of every person; -1: no link
    distances: Vector  # (n_persons,)
    bound: float  # of the sum of distances

    @property
    def total(self) -> float:
        return float(self.distances[self.classes >= 0].sum())


def _solve(block: AssignmentBlock, at: progress.Advance) -> BlockSolution:
    """The links of a block. Where persons are fewer than records, it is the records that look for a person."""
    n_persons, slots = len(block.persons), np.repeat(np.arange(len(block.records)), block.copies)
    if n_persons >= len(slots):
        return _solve_for_persons(block, at)
    mirrored = AssignmentBlock(block.records[slots], block.persons, np.ones(n_persons, dtype=np.int64))
    found = _solve_for_persons(mirrored, lambda done: at(min(done, n_persons)))
    linked = np.flatnonzero(found.classes >= 0)
    links = np.full(n_persons, -1, dtype=np.int64)
    links[found.classes[linked]] = slots[linked]
    return BlockSolution(links, block.distances_to(links), found.bound)


def _solve_for_persons(block: AssignmentBlock, at: progress.Advance) -> BlockSolution:
    assignment = kernels.Assignment(len(block.persons), block.copies, block.unlinked)
    pricing = kernels.RecordPricing(block.records)
    _add_nearest(assignment, block)
    for _ in range(MOST_AUCTIONS):
        price = _price(block, assignment, pricing, 2 * assignment.start(), at)
        if price.n_improved < FEW_PERSONS * len(block.persons):
            break
    while True:
        for first in range(0, len(block.persons), PERSONS_AT_A_TIME):
            assignment.settle(first, min(first + PERSONS_AT_A_TIME, len(block.persons)))
        price = _price(block, assignment, pricing, ROUNDING * block.unlinked, at)
        if not price.n_improved:
            links = assignment.records()
            return BlockSolution(links, block.distances_to(links), price.bound)


def _add_nearest(assignment: kernels.Assignment, block: AssignmentBlock) -> None:
    """Adds the nearest records of every person, the nearest persons of every record, and enough pairs to link all."""
    for persons, records, costs in _nearest_pairs(block.persons, block.records):
        assignment.add(persons, records, costs)
    for records, persons, costs in _nearest_pairs(block.records, block.persons):
        assignment.add(persons, records, costs)
    for persons, records in _halved_pairs(block):
        differences = block.persons[persons] - block.records[records]
        assignment.add(persons, records, np.sqrt((differences**2).sum(axis=1)))


def _halved_pairs(block: AssignmentBlock) -> Iterator[tuple[Labels, Labels]]:
    """Both files halved alike along their widest columns; within a part, as many persons as records, all with all."""
    parts = [(np.arange(len(block.persons)), np.repeat(np.arange(len(block.records)), block.copies))]
    while parts:
        persons, records = parts.pop()
        n = min(len(persons), len(records))
        if n <= NEAREST:
            yield np.repeat(persons[:n], n), np.tile(records[:n], n)
            continue
        column = int(np.argmax(np.ptp(block.persons[persons], axis=0) + np.ptp(block.records[records], axis=0)))
        persons = persons[np.argsort(block.persons[persons, column], kind="stable")]
        records = records[np.argsort(block.records[records, column], kind="stable")]
        at, to = len(persons) * (n // 2) // n, len(records) * (n // 2) // n  # the smaller file stays the smaller one
        parts += [(persons[:at], records[:to]), (persons[at:], records[to:])]


def _nearest_pairs(points: Matrix, others: Matrix) -> Iterator[tuple[Labels, Labels, Vector]]:
    """Every point with its nearest others, and their distances."""
    pricing, prices = kernels.RecordPricing(others), np.zeros(len(others))
    for first in range(0, len(points), PERSONS_AT_A_TIME):
        batch = points[first : first + PERSONS_AT_A_TIME]
        rows, found, costs = pricing.below(batch, prices, np.full(len(batch), np.inf), NEAREST)
        yield first + rows, found, costs


@dataclass(frozen=True)
class Price:
    """All pairs of a block, compared with the prices of an assignment over some of them."""

    n_improved: int  # persons with a pair of lower cost minus price than their link, which was added
    bound: float  # of the sum of distances over all pairs, where there are none


def _price(
    block: AssignmentBlock,
    assignment: kernels.Assignment,
    pricing: kernels.RecordPricing,
    slack: float,
    at: progress.Advance,
) -> Price:
    """Adds the pairs that may lower the sum by more than ``slack``."""
    links, prices = assignment.records(), assignment.prices()
    least = block.distances_to(links) - np.where(links >= 0, prices[links], 0.0) - slack
    n_improved = 0
    for first in range(0, len(links), PERSONS_AT_A_TIME):
        batch = slice(first, first + PERSONS_AT_A_TIME)
        rows, records, costs = pricing.below(block.persons[batch], prices, least[batch], NEAREST)
        assignment.add(first + rows, records, costs)
        n_improved += len(np.unique(rows))
        at(min(first + PERSONS_AT_A_TIME, len(links)))
    n_unlinked = int((links < 0).sum())
    return Price(n_improved, float(least.sum() + (block.copies * prices).sum()) - n_unlinked * block.unlinked)
