"""SQUAREM: it ends where plain steps end, in fewer of them, and the likelihood never falls."""

import numpy as np
import pytest

from shoal.linkage.fellegi_sunter import TOLERANCE, count_patterns, em_step, estimate_model
from shoal.linkage.fixed_point import PLAIN_STEPS, fixed_point
from shoal.linkage.level_places import LevelPlaces

N_LEVELS = [4, 4, 4, 4]
START = np.array([*[0.1 / 3, 0.1 / 3, 0.1 / 3, 0.9] * 4, *[0.9, 0.1 / 3, 0.1 / 3, 0.1 / 3] * 4, 0.1, 0.9])


def _levels(original, released):
    """Levels of agreement of all pairs, column by column."""
    distances = np.abs(original[:, None] - released[None]) / original.std(axis=0)
    return (3 - np.searchsorted([0.0, 0.1, 0.5], distances)).reshape(-1, original.shape[1]).astype(np.int8)


def _table(seed=1, n=60):
    chance = np.random.default_rng(seed)
    return chance, chance.normal(size=(n, 1)) + chance.normal(size=(n, 4))


def _pairs_without_signal():
    chance, original = _table()
    return _levels(original, np.column_stack([chance.permutation(column) for column in original.T]))


def _estimate(pairs):
    return estimate_model(*count_patterns(pairs, np.ones(len(pairs), dtype=np.int64)), N_LEVELS)


def _step(pairs):
    patterns, counts = count_patterns(pairs, np.ones(len(pairs), dtype=np.int64))
    return em_step(LevelPlaces.of(patterns, N_LEVELS), counts)


def _change_by_one_step(model, pairs):
    """The largest change of m, u and the share by one more step of EM, pair by pair."""
    weights = np.prod([np.array([m[pairs[:, j]], u[pairs[:, j]]]) for j, (m, u) in enumerate(_columns(model))], axis=0)
    weights *= [[model.share], [1 - model.share]]
    true = weights[0] / weights.sum(axis=0)
    changes = [abs(true.mean() - model.share)]
    for j, (m, u) in enumerate(_columns(model)):
        for before, of_pairs in ((m, true), (u, 1 - true)):
            after = np.bincount(pairs[:, j], of_pairs, minlength=len(before)) / of_pairs.sum()
            changes.append(np.abs(after - before).max())
    return max(changes)


def _columns(model):
    return list(zip(model.m, model.u, strict=True))


def test_columns_without_signal_end_at_a_fixed_point():
    """Plain EM is not there after 1,000 steps."""
    pairs = _pairs_without_signal()
    model = _estimate(pairs)
    assert model.n_steps < 1000
    assert _change_by_one_step(model, pairs) < 10 * TOLERANCE


def test_columns_with_signal_end_where_plain_steps_end():
    chance, original = _table(n=40)
    pairs = _levels(original, np.where(chance.random(original.shape) < 0.6, original, np.roll(original, 1, axis=0)))
    step, values = _step(pairs), START
    for _ in range(1000):
        values, _ = step(values)
    model = _estimate(pairs)
    assert PLAIN_STEPS < model.n_steps < 100
    assert np.concatenate([*model.m, *model.u, [model.share]]) == pytest.approx(values[:-1], abs=1e-8)


def test_the_likelihood_never_falls():
    """From step to step; of extrapolations, only those count that a further step was taken from."""
    step, outputs, likelihoods = _step(_pairs_without_signal()), [], []

    def noted_step(values):
        after, likelihood = step(values)
        if any(values is output for output in outputs):
            likelihoods.append(likelihood)
        outputs.append(after)
        return after, likelihood

    fixed_point(noted_step, START, tolerance=TOLERANCE, most_steps=400)
    assert len(likelihoods) > 100
    assert np.diff(likelihoods).min() > -1e-8
