"""The intruder who knows how regions were swapped, against a slow twin; and what that adds."""

import numpy as np
import pyarrow as pa
import pytest

import shoal
from informed_example import attack_on
from reference import informed as reference
from shoal.assessment.risk.informed.record_swap_likelihood import RecordSwapLikelihood

N = 90
KEYS = (("sex", "job"), ("sex", "job", "county"))


def persons(n=N):
    chance = np.random.default_rng(4)
    county = chance.choice(list("KLM"), n)
    return pa.table(
        {
            "county": county,
            "place": [f"{one}{two}" for one, two in zip(county, chance.integers(0, 2, n), strict=True)],
            "sex": chance.choice(["f", "m"], n),
            "job": chance.choice(list("abcdef"), n),
        }
    )


def swap(**more):
    return shoal.RecordSwap(region="county", keys=("sex", "job"), **more)


def likelihood_of(attack):
    return next(each for each in attack.search.likelihoods if isinstance(each, RecordSwapLikelihood))


@pytest.mark.gate(but="0")
@pytest.mark.parametrize("drop", [0, 9])
def test_ratios_are_those_of_the_twin(drop):
    attack, aligned = attack_on(persons(), swap(columns=("county", "place"), rate=0.4), "nominal", drop=drop)
    found = likelihood_of(attack)
    own, shown = (
        list(zip(*(table[name].to_pylist() for name in ("county", "place")), strict=True))
        for table in (aligned.original, aligned.released)
    )
    twin = [
        [reference.record_swap_ratio(shown, a, b, chance) for b in shown]
        for a, chance in zip(own, found.chances, strict=True)
    ]
    pairs = np.indices((N, N - drop)).reshape(2, -1)
    np.testing.assert_allclose(found.log_ratios(*pairs).reshape(N, -1), np.array(twin), rtol=1e-9, atol=1e-12)
    assert np.isinf(twin).any()  # another place of the same county was not swapped in


def test_who_was_at_risk_was_swapped_more_often_than_others():
    """Chances are learned without the random numbers of the release, and they are those of the release."""
    table = persons(600)
    attack, aligned = attack_on(table, swap(k=14, rate=0.1), "nominal")
    chances = likelihood_of(attack).chances
    moved = np.array(aligned.original["county"]) != np.array(aligned.released["county"])[aligned.truth]
    low, high = np.unique(chances)
    assert low < 0.6 < high
    for chance in (low, high):
        assert moved[chances == chance].mean() == pytest.approx(chance, abs=0.1)


def test_a_region_that_may_be_swapped_still_tells_who_it_is():
    """Without it, one of each class of sex and job would be found; where nobody's were swapped, one of each county."""
    table = persons(400).drop_columns(["place"])
    attack, aligned = attack_on(table, swap(rate=0.2), "nominal")
    found = attack.links(np.arange(400)).chances.mean()
    classes, regions = (len(set(zip(*(table[name].to_pylist() for name in names), strict=True))) for names in KEYS)
    stayed = np.array(aligned.original["county"]) == np.array(aligned.released["county"])[aligned.truth]
    assert 1.5 * classes / 400 < found < regions / 400
    assert 0.75 < stayed.mean() < 0.85


def test_a_region_that_everybody_shares_excludes_nobody():
    table = persons().set_column(0, "county", [["K"] * N])
    attack, _ = attack_on(table, swap(), "nominal")
    ratios = likelihood_of(attack).log_ratios(np.arange(N), np.arange(N))
    assert np.isfinite(ratios).all()


def test_who_does_not_hold_the_keys_leaves_the_region_out():
    columns = {name: {"role": "quasi_identifier", "kind": "nominal"} for name in ("county", "place", "sex")}
    columns["job"] = {"role": "sensitive", "kind": "nominal"}
    rule = {"name": "record_swap", "region": "county", "keys": ["sex", "job"], "rate": 0.2}
    notes = shoal.protect(persons(), {"columns": columns, "perturbations": [rule]}, key=bytes(32)).assessment.notes
    assert any("leaves out county: its method reads columns that the intruder does not hold" in note for note in notes)
