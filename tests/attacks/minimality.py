"""Minimality: who knows the method sees that groups were merged, and why.

The intruder knows the quasi-identifiers of everybody in the table, the policy and the release. They run the method
without what it asks of sensitive values, see of which parts a class was merged, and know that it would not have been
merged had the parts held. Of all ways to deal the values of the class to its records they keep those that explain the
merger, and accuse the records of a part where one value has become likelier than the class itself says.

Wong, Fu, Wang & Pei (2007), Minimality attack in privacy preserving data publishing, VLDB.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
from scipy.spatial import cKDTree

import shoal
from attacks.published import Published
from attacks.rates import Rate

N_DEALS = 200
MARGIN = 0.02  # of a probability, against the noise of so many deals
NEAR = 12  # parts that a class may be merged of
TOLERANCE = 1e-3  # standard deviations


@dataclass(frozen=True)
class Guesses:
    """``own``: how sure somebody is who reads nothing but the class."""

    persons: np.ndarray  # (n,) places among all persons
    values: np.ndarray  # (n,) texts
    own: np.ndarray  # (n,)

    def __add__(self, other: Guesses) -> Guesses:
        """Of another table, whose persons come behind."""
        both = zip(vars(self).values(), vars(other).values(), strict=True)
        return Guesses(*(np.concatenate(pair) for pair in both))

    @property
    def stated(self) -> float:
        return float(self.own.mean()) if self.own.size else 0.0

    def rate(self, truth: np.ndarray) -> Rate:
        """``truth``: the sensitive value of everybody, as text."""
        return Rate(int((truth[self.persons] == self.values).sum()), int(self.persons.size))


def guesses(published: Published, persons: pa.Table, *, surely: float = 0.0, by_cost: bool = True) -> Guesses:
    """Of members of merged classes. ``surely``: nobody is accused with less; ``by_cost``: whoever failed took its
    cheapest neighbor, so that the intruder sees who chose whom; otherwise it is known that one of them failed."""
    known = Known.of(published, persons)
    merged = np.bincount(known.class_of_part[known.class_of_part >= 0], minlength=len(known.classes)) > 1
    inside = np.flatnonzero(merged[known.classes_of_persons] & (known.classes_of_persons >= 0))
    return known.accused(inside, surely, by_cost)


def guesses_of_suppressed(published: Published, persons: pa.Table) -> Guesses:
    """Of persons that are not in the release: their part failed, so its records share values."""
    known = Known.of(published, persons)
    gone = np.flatnonzero(known.class_of_part < 0)
    whole = known.counts.sum(axis=0) / known.counts.sum()
    chance, found = np.random.default_rng(0), []
    for size in np.unique(known.sizes[gone]):
        deals = chance.multinomial(size, whole, 20 * N_DEALS)
        best = int((deals[known.fails(deals)] / size).mean(axis=0).argmax())
        members = _one_of_each(known.parts, np.flatnonzero(np.isin(known.parts, gone[known.sizes[gone] == size])))
        found.append((members, np.full(members.size, known.names[best]), np.full(members.size, whole.max())))
    return Guesses(*(np.concatenate(each) for each in zip(*found, strict=True)))


@dataclass(frozen=True)
class Known:
    """What the intruder has put together: persons, the parts they would be in, and the class of every part."""

    points: np.ndarray  # (n_persons, d) quasi-identifiers, standardized
    parts: np.ndarray  # (n_persons,)
    classes: np.ndarray  # (n_classes, d) as released, standardized
    counts: np.ndarray  # (n_classes, n_values) sensitive values
    names: np.ndarray  # (n_values,)
    class_of_part: np.ndarray  # (n_parts,) -1 where none was found
    requirement: dict[str, Any]

    @classmethod
    def of(cls, published: Published, persons: pa.Table) -> Known:
        asked = next(each for each in published.policy["requirements"] if "column" in each)
        names = persons.column_names
        numbers = np.column_stack([persons[name].to_numpy().astype(float) for name in names])
        released = np.column_stack([published.records[name].to_numpy().astype(float) for name in names])
        spread = numbers.std(axis=0)
        parts = replayed(published.policy, persons)
        if published.sensitive is None:
            keys, sensitive = released, published.records[asked["column"]].to_numpy()
            n_each = np.ones(len(keys), dtype=int)
            classes, of_record = np.unique(keys, axis=0, return_inverse=True)
            texts, codes = np.unique(sensitive, return_inverse=True)
            counts = np.zeros((len(classes), len(texts)))
            np.add.at(counts, (of_record.ravel(), codes), n_each)
            found = _matched(numbers / spread, parts, classes / spread, counts.sum(axis=1))
        else:
            groups, of_record = np.unique(published.records["group"].to_numpy(), return_inverse=True)
            texts, codes = np.unique(published.sensitive[asked["column"]].to_numpy(), return_inverse=True)
            counts = np.zeros((len(groups), len(texts)))
            at = np.searchsorted(groups, published.sensitive["group"].to_numpy())
            np.add.at(counts, (at, codes), published.sensitive["count"].to_numpy().astype(float))
            classes = np.zeros((len(groups), len(names)))
            nearest = cKDTree(released / spread).query(numbers / spread)[1]  # they are released as they are
            found = np.zeros(parts.max() + 1, dtype=int)
            found[parts] = of_record[nearest]
        return cls(numbers / spread, parts, classes / spread, counts, texts, found, asked)

    @property
    def sizes(self) -> np.ndarray:
        return np.bincount(self.parts)

    @property
    def classes_of_persons(self) -> np.ndarray:
        return self.class_of_part[self.parts]

    def accused(self, members: np.ndarray, surely: float, by_cost: bool) -> Guesses:
        """Of ``members`` of merged classes."""
        n_parts, n_values = len(self.sizes), len(self.names)
        of_class = self.classes_of_persons[members]
        members = members[np.argsort(of_class, kind="stable")]
        of_class = np.sort(of_class)
        values = np.concatenate(
            [np.repeat(np.arange(n_values), self.counts[c].astype(int)) for c in np.unique(of_class)]
        )
        chance, tally = np.random.default_rng(0), np.zeros((n_parts, n_values))
        explains = self._by_cost() if by_cost else self._some_failed
        for _ in range(N_DEALS):
            dealt = values[np.lexsort((chance.random(len(values)), of_class))]
            counts = np.zeros((n_parts, n_values))
            np.add.at(counts, (self.parts[members], dealt), 1)
            kept = explains(self.fails(counts) & (counts.sum(axis=1) > 0))
            tally += counts * kept[self.class_of_part][:, None]
        shares = tally / np.maximum(tally.sum(axis=1, keepdims=True), 1)
        own = (self.counts.max(axis=1) / self.counts.sum(axis=1))[self.class_of_part]
        margin = MARGIN if by_cost else 0.0
        chosen = (shares.max(axis=1) > own + margin) & (shares.max(axis=1) >= surely) & (self.class_of_part >= 0)
        targets = _one_of_each(self.parts, members[chosen[self.parts[members]]])
        best = self.names[shares.argmax(axis=1)]
        return Guesses(targets, best[self.parts[targets]], own[self.parts[targets]])

    def fails(self, counts: np.ndarray) -> np.ndarray:
        """Whether parts with these values fail what the policy asks."""
        asked = self.requirement
        shares = counts / np.maximum(counts.sum(axis=1, keepdims=True), 1)
        match asked["name"]:
            case "distinct_l_diversity":
                return (counts > 0).sum(axis=1) < asked["l"]
            case "alpha_k_anonymity":
                return shares.max(axis=1) > asked["alpha"] + 1e-9
            case "t_closeness":
                whole = self.counts.sum(axis=0) / self.counts.sum()
                return np.abs(shares - whole).sum(axis=1) / 2 > asked["t"] + 1e-9
        raise AssertionError(asked["name"])

    def _some_failed(self, failing: np.ndarray) -> np.ndarray:
        """(n_classes,)"""
        return self._any(failing)

    def _by_cost(self) -> Any:
        """Who fails goes to its cheapest neighbor; if that one was left alone, who did not go there did not fail."""
        choice = self._cheapest()
        n_parts = np.bincount(self.class_of_part[self.class_of_part >= 0], minlength=len(self.classes))
        stays = self.class_of_part[choice] == self.class_of_part
        other = self.class_of_part[choice]
        held = ~stays & (other >= 0) & (n_parts[other] == 1)
        chooses = stays | ~self._any(stays)[self.class_of_part]
        return lambda failing: self._any(failing & chooses) & ~self._any(failing & held)

    def _cheapest(self) -> np.ndarray:
        """(n_parts,) the part whose merging with it adds least to the sum of squares."""
        sizes = self.sizes
        centers = np.column_stack([np.bincount(self.parts, column) for column in self.points.T]) / sizes[:, None]
        _, near = cKDTree(centers).query(centers, NEAR)
        squared = ((centers[:, None] - centers[near]) ** 2).sum(axis=2)
        costs = squared * sizes[:, None] * sizes[near] / (sizes[:, None] + sizes[near])
        costs[near == np.arange(len(sizes))[:, None]] = np.inf
        return near[np.arange(len(sizes)), costs.argmin(axis=1)]

    def _any(self, of_parts: np.ndarray) -> np.ndarray:
        """(n_classes,) whether it is so of some part of the class."""
        known = self.class_of_part >= 0
        return np.bincount(self.class_of_part[known], of_parts[known], len(self.classes)) > 0


def _one_of_each(parts: np.ndarray, members: np.ndarray) -> np.ndarray:
    """One member of every part: what is right of one is right of most others, and would be counted several times."""
    return members[np.unique(parts[members], return_index=True)[1]]


def replayed(policy: dict[str, Any], persons: pa.Table) -> np.ndarray:
    """(n_persons,) the groups of the method without what it asks of sensitive values."""
    method = {key: value for key, value in policy.get("method", {}).items() if key not in ("decoys", "merge")}
    asked = [each for each in policy["requirements"] if "column" not in each]
    columns = {name: policy["columns"][name] for name in persons.column_names}
    told = {"representation": policy.get("output", {}).get("representation", "centroids")}
    told = {} if told["representation"] == "anatomy" else told
    release = shoal.protect(persons, {"requirements": asked, "columns": columns, "method": method, "output": told})
    return release.groups["group"].to_numpy()


def _matched(points: np.ndarray, parts: np.ndarray, classes: np.ndarray, n_records: np.ndarray) -> np.ndarray:
    """(n_parts,) the class whose mean is that of the part, or of two or three parts together; -1 for none."""
    sizes = np.bincount(parts)
    sums = np.column_stack([np.bincount(parts, column) for column in points.T])
    found = np.full(len(sizes), -1)
    free = np.ones(len(classes), dtype=bool)
    for n_parts in (1, 2, 3):
        left = np.flatnonzero(found < 0)
        if left.size < n_parts:
            break
        tree = cKDTree(sums[left] / sizes[left, None])
        for at in np.flatnonzero(free):
            near = left[np.atleast_1d(tree.query(classes[at], min(NEAR, left.size))[1])]
            some = np.array(list(itertools.combinations(near[found[near] < 0], n_parts)))
            some = some[sizes[some].sum(axis=1) == n_records[at]] if some.size else some
            if not some.size:
                continue
            far = np.abs(sums[some].sum(axis=1) / n_records[at] - classes[at]).max(axis=1)
            if far.min() < TOLERANCE:
                found[some[far.argmin()]], free[at] = at, False
    return found
