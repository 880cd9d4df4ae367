"""A manifest confirms no guess of a cell that was suppressed."""

import hashlib

import numpy as np
import pytest

import shoal
from attacks.confirmed import rate
from attacks.rates import FEWEST_TARGETS

pytestmark = pytest.mark.slow

ILLNESSES = ("asthma", "flu", "HIV", "cancer")
POLICY = {
    "requirements": [{"name": "k_anonymity", "k": 2}],
    "columns": {"age": {"role": "quasi_identifier", "kind": "numeric"}, "illness": {"role": "identifier"}},
}


@pytest.fixture(scope="module")
def released(tmp_path_factory):
    """Manifests of tiny tables, and the inputs."""
    folder, manifests, (candidates, truth) = tmp_path_factory.mktemp("inputs"), [], inputs()
    for at, true in enumerate(truth):
        path = folder / f"{at}.csv"
        path.write_bytes(candidates[at][true])
        manifests.append({"text": shoal.protect(path, POLICY).manifest.to_json()})
    return manifests, candidates, truth


def inputs():
    """What each tiny table would be with every illness of its first person, and which it was."""
    draw = np.random.default_rng(1)
    truth = draw.integers(0, len(ILLNESSES), FEWEST_TARGETS)
    ages = [draw.integers(18, 90, 3) for _ in truth]
    return [[_written(each, illness) for illness in ILLNESSES] for each in ages], truth.tolist()


def _written(ages, illness):
    return f"age,illness\n{ages[0]},{illness}\n{ages[1]},flu\n{ages[2]},flu\n".encode()


def test_a_plain_hash_confirms_a_guess(released):
    _, candidates, truth = released
    weak = [{"sha256": hashlib.sha256(each[true]).hexdigest()} for each, true in zip(candidates, truth, strict=True)]
    assert rate(weak, candidates, truth).succeeds(0.99)


def test_a_manifest_confirms_none(released):
    assert rate(*released).fails(1 / len(ILLNESSES))
    assert rate(*released).n_right == 0
