"""A manifest confirms no guess of a cell that was suppressed."""

import hashlib

import numpy as np
import pytest

import shoal
from attacks.confirmed import rate
from attacks.rates import FEWEST_TARGETS

ILLNESSES = ("asthma", "flu", "HIV", "cancer")
N_PERSONS = 10
POLICY = {
    "requirements": [{"name": "k_anonymity", "k": 2}],
    "columns": {"age": {"role": "quasi_identifier", "kind": "numeric"}, "illness": {"role": "identifier"}},
}


@pytest.fixture(scope="module")
def released(tmp_path_factory):
    """For every person of small tables: the manifest, what the input would be with every illness of theirs, and which
    it was."""
    folder, targets = tmp_path_factory.mktemp("inputs"), []
    for at, (written, persons) in enumerate(tables()):
        path = folder / f"{at}.csv"
        path.write_bytes(written)
        manifest = {"text": shoal.protect(path, POLICY).manifest.to_json()}
        targets += [(manifest, candidates, true) for candidates, true in persons]
    return tuple(zip(*targets, strict=True))


def tables():
    """Small tables as files, and for every person of each the candidates and which of them is true."""
    draw = np.random.default_rng(1)
    for _ in range(FEWEST_TARGETS // N_PERSONS):
        ages, ill = draw.integers(18, 90, N_PERSONS), draw.integers(0, len(ILLNESSES), N_PERSONS)
        yield _written(ages, ill), [(_candidates(ages, ill, at), int(true)) for at, true in enumerate(ill)]


def _candidates(ages, ill, person):
    others = [np.where(np.arange(N_PERSONS) == person, guessed, ill) for guessed in range(len(ILLNESSES))]
    return [_written(ages, each) for each in others]


def _written(ages, ill):
    lines = [f"{age},{ILLNESSES[illness]}" for age, illness in zip(ages, ill, strict=True)]
    return "\n".join(["age,illness", *lines, ""]).encode()


def test_a_plain_hash_confirms_a_guess(released):
    _, candidates, truth = released
    weak = [{"sha256": hashlib.sha256(each[true]).hexdigest()} for each, true in zip(candidates, truth, strict=True)]
    assert rate(weak, candidates, truth).succeeds(0.99)


def test_a_manifest_confirms_none(released):
    assert rate(*released).fails(1 / len(ILLNESSES))
    assert rate(*released).n_right == 0
