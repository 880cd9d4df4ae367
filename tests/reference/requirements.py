"""Slow, obvious twins of the requirements: one group at a time, as the papers write it.

A group is a list of sensitive values, None for a missing one; ``whole`` are the values of all records. Each twin gives
the figure that the requirement calls ``reached``, for this one group.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from math import exp, inf, log


def shares(values):
    known = [value for value in values if value is not None]
    return {value: Fraction(n, len(known)) for value, n in Counter(known).items()}


def distinct_l(group):
    return len(shares(group))


def entropy_l(group):
    return exp(-sum(p * log(p) for p in map(float, shares(group).values())))


def recursive_l(group, c):
    """Largest l with r_1 < c (r_l + ... + r_m)."""
    r = sorted((n for value, n in Counter(group).items() if value is not None), reverse=True)
    return max((l for l in range(1, len(r) + 1) if r[0] < Fraction(str(c)) * sum(r[l - 1 :])), default=0)  # noqa: E741


def alpha_k(group, k):
    return 1.0 if len(group) < k else float(max(shares(group).values(), default=1))


def m_invariance(group):
    """Records with a value for one with the most frequent value."""
    return float(1 / max(shares(group).values())) if shares(group) else 0.0


def delta(group, whole):
    q, p = shares(group), shares(whole)
    if not q or set(q) < set(p):
        return inf
    return max(abs(log(q[s] / p[s])) for s in p)


def beta(group, whole, enhanced):
    q, p = shares(group), shares(whole)
    gains = {s: (q[s] - p[s]) / p[s] for s in q if q[s] > p[s]}
    if not q or (enhanced and any(gain > -log(p[s]) + 1e-9 for s, gain in gains.items())):
        return inf
    return float(max(gains.values(), default=0))


def epsilon_holds(group, epsilon, sigma, b, *, sign=-1):
    """Rules R1 and R2 for a class II adversary; ``sign`` = +1 is R2 as it was printed, with n(q) + b."""
    counts = Counter(value for value in group if value is not None)
    n = sum(counts.values())
    if n - b <= 0 or n - b < (sigma + b) / (epsilon - 1):
        return False
    least = epsilon * (1 - 1 / (sigma + b)) + (epsilon - 1) * (n - b) / (sigma + b)
    return all(n_s / (n + sign * b) <= 1 - 1 / least + 1e-12 for n_s in counts.values())


def t_equal(group, whole):
    q, p = shares(group), shares(whole)
    return float(sum(abs(p[s] - q.get(s, 0)) for s in p) / 2) if q else 1.0


def t_ordered(group, whole):
    """Values are numbers here, and their order is that of the numbers."""
    q, p = shares(group), shares(whole)
    if not q:
        return 1.0
    owed, total = Fraction(0), Fraction(0)
    for s in sorted(p):
        owed += p[s] - q.get(s, 0)
        total += abs(owed)
    return float(total / max(len(p) - 1, 1))


def t_hierarchical(group, whole, paths):
    """By the cost of every inner node: what has to be moved between its branches. ``paths``: value -> nodes above."""
    q, p = shares(group), shares(whole)
    if not q:
        return 1.0
    height = len(next(iter(paths.values())))
    extra = {(s,): p.get(s, Fraction(0)) - q.get(s, Fraction(0)) for s in paths}
    total = Fraction(0)
    for level in range(1, height + 1):
        branches = {}
        for node, amount in extra.items():
            branches.setdefault(_above(node, paths, level), []).append(amount)
        for amounts in branches.values():
            surplus = sum(amount for amount in amounts if amount > 0)
            lack = -sum(amount for amount in amounts if amount < 0)
            total += Fraction(level, height) * min(surplus, lack)
        extra = {node: sum(amounts) for node, amounts in branches.items()}
    return float(total)


def _above(node, paths, level):
    """The node of this level over a node of the level before; nodes are told apart by all values below them."""
    top = paths[node[0]][level - 1]
    return tuple(s for s in paths if paths[s][level - 1] == top)


def dominance(amounts, n):
    """Share of the n largest in the total; amounts are those of the contributors of one group."""
    sizes = sorted((abs(amount) for amount in amounts), reverse=True)
    return sum(sizes[:n]) / sum(sizes) if sum(sizes) else 0.0


def p_percent(amounts):
    """Percent of the largest amount by which its second largest contributor errs who knows the total."""
    sizes = sorted((abs(amount) for amount in amounts), reverse=True)
    return 100 * sum(sizes[2:]) / sizes[0] if sizes and sizes[0] else inf


def contributors(amounts):
    return sum(amount != 0 for amount in amounts)


def marketer(classes):
    """Mean probability of a record. ``classes``: (records, persons of the population) of each."""
    return sum(f / max(F, f) for f, F in classes) / sum(f for f, _ in classes)


def at_risk(classes, threshold):
    return sum(f for f, F in classes if 1 / max(F, f) > threshold) / sum(f for f, _ in classes)
