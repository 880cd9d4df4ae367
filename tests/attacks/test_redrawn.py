"""Who knows tool, policy and seed, and guesses the key, undoes neither household numbers nor noise."""

import numpy as np
import pyarrow as pa
import pytest

from attacks.published import publish
from attacks.redrawn import VALUES, household_rate, noise_rate

KEY, GUESSES = bytes(range(32)), [bytes(32), b"\xff" * 32, bytes(range(1, 33))]
N_HOUSEHOLDS, N_STRATA = 600, 520


def households():
    number = np.random.default_rng(1).permutation(N_HOUSEHOLDS)
    return pa.table(
        {"household": [f"{at:06}" for at in number], "x": np.zeros(N_HOUSEHOLDS), "illness": ["a", "b"] * 300}
    ).append_column("name", pa.array([f"person {at}" for at in range(N_HOUSEHOLDS)]))


HOUSEHOLD_POLICY = {
    "seed": 3,
    "requirements": [{"name": "k_anonymity", "k": 2}],
    "output": {"representation": "anatomy", "shuffle": False},
    "columns": {
        "household": {"role": "household"},
        "x": {"role": "quasi_identifier", "kind": "numeric"},
        "illness": {"role": "sensitive"},
        "name": {"role": "other"},
    },
}


@pytest.fixture(scope="module")
def numbered(tmp_path_factory):
    table = households()
    published = publish(table, HOUSEHOLD_POLICY, tmp_path_factory.mktemp("households"), key=KEY)
    return published, dict(zip(table["name"].to_pylist(), table["household"].to_pylist(), strict=True))


def test_household_numbers_are_undone_by_who_has_the_key(numbered):
    assert household_rate(*numbered, KEY).succeeds(0.5)


@pytest.mark.parametrize("key", GUESSES, ids=["zeros", "ones", "next"])
def test_household_numbers_are_not_undone_without_it(numbered, key):
    assert household_rate(*numbered, key).fails(2 / N_HOUSEHOLDS)


NOISE_POLICY = {
    "seed": 3,
    "within": ["stratum"],
    "perturbations": [{"name": "noise", "columns": ["x"], "alpha": 0.5}],
    "output": {"shuffle": False},
    "columns": {"stratum": {"role": "quasi_identifier"}, "x": {"role": "other", "kind": "numeric"}},
}


def strata():
    """Of two records each, and which values they have."""
    draw = np.random.default_rng(2)
    pairs = [tuple(draw.choice(VALUES, 2, replace=False).tolist()) for _ in range(N_STRATA)]
    names = [f"S{at:04}" for at in range(N_STRATA)]
    table = pa.table({"stratum": np.repeat(names, 2), "x": np.array(pairs).ravel()})
    return table, dict(zip(names, pairs, strict=True))


@pytest.fixture(scope="module")
def noisy(tmp_path_factory):
    table, pairs = strata()
    return publish(table, NOISE_POLICY, tmp_path_factory.mktemp("noise"), key=KEY), pairs


@pytest.mark.long
def test_noise_is_taken_away_by_who_has_the_key(noisy):
    assert noise_rate(*noisy, KEY).succeeds(0.9)


@pytest.mark.gate
def test_noise_is_not_taken_away_without_it(noisy):
    assert noise_rate(*noisy, GUESSES[0]).fails(1 / (len(VALUES) * (len(VALUES) - 1)))
