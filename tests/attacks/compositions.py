"""An intruder knows a whole household and looks for one that is composed like it.

Who it is          knows the quasi-identifiers of all members of a household, and that it is in the file
What they hold     the release, whose numbers tie the members of a household
What they try      among the households of as many members, take the one whose members are nearest; any of those alike
When it is right   it is this household; where k households are composed alike, one in k guesses is
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pyarrow as pa
from scipy.spatial import KDTree

from attacks.members import Places, points
from attacks.published import Published
from attacks.rates import Rate


def guesses(
    published: Published, known: pa.Table, household: str, numbers: Sequence[str], names: Sequence[str], seed: int = 0
) -> dict[str, str]:
    """The released number that every known household is taken for; none where no household has as many members."""
    here, there = points(known, published.records, numbers, names)
    ours, our_vectors = _vectors(known[household].to_pylist(), here)
    theirs, their_vectors = _vectors(published.records[household].to_pylist(), there)
    draw, found = np.random.default_rng(seed), dict[str, str]()
    for size in np.unique(our_vectors[:, 0]):
        at, among = (np.flatnonzero(vectors[:, 0] == size) for vectors in (our_vectors, their_vectors))
        if among.size:
            found |= _nearest(at, ours, our_vectors, among, theirs, their_vectors, draw)
    return found


def _nearest(
    at: Places, ours: list[str], our_vectors: Any, among: Places, theirs: list[str], their_vectors: Any, draw: Any
) -> dict[str, str]:
    alike, which = np.unique(their_vectors[among].round(9), axis=0, return_inverse=True)
    nearest = KDTree(alike).query(our_vectors[at])[1]
    members = [among[which.ravel() == group] for group in range(len(alike))]
    return {ours[unit]: theirs[draw.choice(members[group])] for unit, group in zip(at, nearest, strict=True)}


def _vectors(households: Sequence[str], X: Any) -> tuple[list[str], Any]:
    """Households that have a number; their size, and the sums and sums of squares of their members' points."""
    tied = np.array([bool(name) for name in households])
    names, unit_of = np.unique(np.array(households, dtype=object)[tied].astype(str), return_inverse=True)
    features = np.hstack([np.ones((int(tied.sum()), 1)), X[tied], X[tied] ** 2])
    vectors = np.zeros((len(names), features.shape[1]))
    np.add.at(vectors, unit_of, features)
    return list(names), vectors


def rate(guessed: dict[str, str], true_numbers: dict[str, set[str]], targets: Sequence[str]) -> Rate:
    """``true_numbers``: the released numbers of the members of every household."""
    right = sum(guessed.get(unit) in true_numbers.get(unit, set()) for unit in targets)
    return Rate(right, len(targets))
