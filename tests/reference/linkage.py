"""Linkage by looking at every pair: distances added column by column, ties by counting."""

from __future__ import annotations

import math


def squared_distance(a, b):
    total = 0.0
    for x, y in zip(a, b, strict=True):
        total += (y - x) * (y - x)
    return total


def chances(measure, truth, candidates, k):
    """Per record the chance that its true candidate is among the k nearest; measure(i, j), candidates[i] a set."""
    found = []
    for i, true in enumerate(truth):
        if true not in candidates[i]:
            found.append(0.0)
            continue
        to_truth = measure(i, true)
        n_closer = sum(measure(i, j) < to_truth for j in candidates[i])
        n_as_near = sum(measure(i, j) == to_truth for j in candidates[i])
        found.append(min(1.0, max(0.0, (k - n_closer) / n_as_near)))
    return found


def nearest(measure, candidates):
    """Per record (lowest nearest candidate, how many are as near); (-1, 0) without candidates."""
    found = []
    for i, among in enumerate(candidates):
        if not among:
            found.append((-1, 0))
            continue
        least = min(measure(i, j) for j in among)
        ties = [j for j in sorted(among) if measure(i, j) == least]
        found.append((ties[0], len(ties)))
    return found


def owa(values, quantifier):
    """The ordered weighted average as the paper writes it."""
    ordered = sorted(values, reverse=True)
    n = len(ordered)
    return sum((quantifier(i / n) - quantifier((i - 1) / n)) * ordered[i - 1] for i in range(1, n + 1))


def em(pairs, n_levels, n_steps):
    """Fellegi-Sunter by EM, pair by pair: (m, u, share) after so many steps."""
    m = [[0.9 if level == n - 1 else 0.1 / (n - 1) for level in range(n)] for n in n_levels]
    u = [[0.9 if level == 0 else 0.1 / (n - 1) for level in range(n)] for n in n_levels]
    share = 0.1
    for _ in range(n_steps):
        true = []
        for pair in pairs:
            yes, no = share, 1 - share
            for j, level in enumerate(pair):
                if level >= 0:
                    yes, no = yes * m[j][level], no * u[j][level]
            true.append(yes / (yes + no))
        share = math.fsum(true) / len(pairs)
        for j, n in enumerate(n_levels):
            for side, chance in ((m, true), (u, [1 - t for t in true])):
                totals = [
                    math.fsum(c for c, p in zip(chance, pairs, strict=True) if p[j] == level) for level in range(n)
                ]
                side[j] = [total / math.fsum(totals) for total in totals]
    return m, u, share
