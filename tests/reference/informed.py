"""Linkage by an intruder who knows the method, pair by pair as its definition says: slow, short, dense.

Every function returns the log likelihood ratio of one pair, of a column without missing cells: the chance that the
person's record shows the released value, divided by the chance that any record does.
"""

from __future__ import annotations

import math

import numpy as np


def log_or_exclude(ratio):
    return math.log(ratio) if ratio > 0 else -math.inf


def rank_swap_ratio(values, own, shown, reach, *, upward):
    """The density of the distance of ranks, averaged over the ranks that equal values may have."""
    ascending = sorted(values)
    ranks, shown_ranks = ([r for r, value in enumerate(ascending) if value == each] for each in (own, shown))
    low, high, far = ranks[0], ranks[-1], (shown_ranks[0], shown_ranks[-1])
    distances = range(max(low - far[1], far[0] - high, 0), max(far[1] - low, high - far[0]) + 1)

    def chance(distance):
        if distance > reach:
            return 0.0
        ends = (distance / (reach + 1), (distance + 1) / (reach + 1))
        return 2 ** ends[1] - 2 ** ends[0] if upward else ends[1] - ends[0]

    mean = sum(map(chance, distances)) / len(distances)
    return log_or_exclude(mean * len(values) / 2)


def noise_ratio(records, own, shown, alpha, *, correlated):
    """The normal density of the original values given the released ones, up to what all pairs share."""
    means, covariances = records.mean(axis=0), np.cov(records.T).reshape(len(own), len(own))
    noise = alpha * (covariances if correlated else np.diag(np.diag(covariances)))
    gain = covariances @ np.linalg.inv(covariances + noise)
    rest = (own - means) - gain @ (shown - means)
    return -0.5 * float(rest @ np.linalg.inv(covariances - gain @ covariances) @ rest)


def transition_ratio(codes, own, shown, matrix):
    """Bayes' rule: the chance of the transition divided by the share of the released value."""
    shares = [codes.count(code) / len(codes) for code in range(len(matrix))]
    of_released = sum(share * row[shown] for share, row in zip(shares, matrix, strict=True))
    return log_or_exclude(matrix[own][shown] / of_released)


def data_swap_ratio(released, own, shown, rate):
    share = released.count(shown) / len(released)
    return log_or_exclude(((1 - rate) * (own == shown) + rate * share) / share)


def record_swap_ratio(released, own, shown, chance):
    """``released``, ``own``, ``shown``: (region, other columns that move with it)."""
    share = released.count(shown) / len(released)
    elsewhere = sum(region != own[0] for region, *_ in released) / len(released)
    from_elsewhere = share / elsewhere if shown[0] != own[0] else 0.0
    return log_or_exclude(((1 - chance) * (own == shown) + chance * from_elsewhere) / share)


def rounding_ratio(released, own, shown, base):
    below = math.floor(own / base) * base
    above = below + base
    chance = {below: (above - own) / base, above: (own - below) / base}.get(shown, 0.0)
    return log_or_exclude(chance / (released.count(shown) / len(released)))


def partner_ratios(original, released, ratios):
    """(n_persons, n_records) sums over the columns of what the partners of a pair have in all other columns: the only
    person who had the released value, and the only record that shows the person's. ``ratios``: by column."""
    total = np.zeros(next(iter(ratios.values())).shape)
    for name, (person, record) in [(name, at) for name in ratios for at in np.ndindex(total.shape)]:
        owners = [at for at, value in enumerate(original[name]) if value == released[name][record]]
        holders = [at for at, value in enumerate(released[name]) if value == original[name][person]]
        if len(owners) == len(holders) == 1 and owners != [person]:
            total[person, record] += sum(ratios[other][owners[0], holders[0]] for other in ratios if other != name)
    return total


def joint_posteriors(ratios, *, suppressed, n_rounds=100):
    """(n_persons, n_records) from log ratios: each record belongs to one person, each person has one record at most."""
    chances = np.exp(ratios - np.maximum(ratios.max(axis=1, keepdims=True), -1e300))  # some can be no record
    for _ in range(n_rounds):
        chances = chances / np.maximum(chances.sum(axis=0, keepdims=True), 1e-300)
        sums = chances.sum(axis=1, keepdims=True)
        chances = chances / (np.maximum(sums, 1) if suppressed else np.maximum(sums, 1e-300))
    return chances


def chances_found(scores, truth):
    """(n_persons,) chance of each to be found by whoever takes the highest score and draws among equal ones."""
    found = []
    for row, true in zip(scores, truth, strict=True):
        best = row.max()
        ties = [at for at, score in enumerate(row) if score >= best - 1e-9 * (1 + abs(best)) and best > -math.inf]
        found.append((true in ties) / max(len(ties), 1))
    return np.array(found)
