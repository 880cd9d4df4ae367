"""Linkage of whole households, assignment by assignment as its definition says: slow and short."""

from __future__ import annotations

import math
from itertools import permutations

import numpy as np


def assignment_sum(log_ratios):
    """The sum over all assignments of members to records, and the share of it with each member and record."""
    size = len(log_ratios)
    total, shares = 0.0, np.zeros((size, size))
    for records in permutations(range(size)):
        product = math.prod(math.exp(log_ratios[member][record]) for member, record in enumerate(records))
        total += product
        for member, record in enumerate(records):
            shares[member, record] += product
    return total, shares / total if total else shares


def posteriors(log_ratios, households, released):
    """(n_persons, n_records) the posterior of every pair, for households that are searched for one by one."""
    found = np.zeros(log_ratios.shape)
    for ours in households:
        same = [theirs for theirs in released if len(theirs) == len(ours)]
        sums = [assignment_sum(log_ratios[np.ix_(ours, theirs)]) for theirs in same]
        everything = sum(total for total, _ in sums)
        for theirs, (total, shares) in zip(same, sums, strict=True):
            found[np.ix_(ours, theirs)] = total / everything * shares if everything else 0.0
    return found
