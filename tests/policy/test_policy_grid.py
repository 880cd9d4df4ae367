"""A policy many times over."""

import pytest

from shoal.errors import ComparisonError, PolicyError
from shoal.policy import combinations, load, with_settings
from survey_example import survey_policy


def test_all_combinations_the_last_setting_fastest():
    grid = {"method.k": [3, 5], "seed": [0, 1]}
    assert [tuple(settings.values()) for settings in combinations(grid)] == [(3, 0), (3, 1), (5, 0), (5, 1)]
    assert list(combinations({})) == [{}]
    for values in ([], "35"):
        with pytest.raises(ComparisonError, match="list of values"):
            list(combinations({"method.k": values}))


def test_settings_change_what_they_name_and_nothing_else(tmp_path):
    policy = load(survey_policy(perturbations=[{"name": "rank_swap", "p": 5}], method={"name": "mdav", "k": 4}))
    changed = with_settings(policy, {"perturbations.0.p": 20, "requirements.0.k": 4, "output.shuffle": True})
    assert (changed.perturbations[0].p, changed.k, changed.output.shuffle) == (20, 4, True)
    assert changed.columns == policy.columns
    assert with_settings(policy, {}) is policy
    filed = with_settings(policy.read_from(tmp_path / "policy.toml"), {"seed": 3})
    assert (filed.file, filed.seed) == (tmp_path / "policy.toml", 3)


def test_a_new_name_starts_anew():
    policy = load(survey_policy(method={"name": "vmdav", "gamma": 0.3}))
    changed = with_settings(policy, {"method.k": 7, "method.name": "mdav"})
    assert (changed.method.name, changed.method.k) == ("mdav", 7)


@pytest.mark.parametrize("key", ["perturbations.0.p", "requirements.7.k", "requirements.k", "requirements.x.k"])
def test_a_place_that_is_not_there_is_told(key):
    with pytest.raises(ComparisonError, match="no table at this place"):
        with_settings(load(survey_policy()), {key: 3})


def test_settings_must_fit_together():
    with pytest.raises(PolicyError, match="no such key"):
        with_settings(load(survey_policy()), {"method.gama": 3})
    with pytest.raises(PolicyError, match=r"method\.k"):
        with_settings(load(survey_policy(k=5)), {"method.k": 3})
