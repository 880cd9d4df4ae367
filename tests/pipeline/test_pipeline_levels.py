"""Levels of a taxonomy that a release may show: every method keeps to them, and the gate proves it from the file."""

import numpy as np
import pyarrow as pa
import pytest

import shoal
from shoal.errors import PolicyError, RequirementError
from shoal.gate.released_levels import LevelLimits
from shoal.policy import load

KEY = bytes(range(32))
TREE = "".join(f"{a}{b};{a}*;{'low' if a in '12' else 'high'};*\n" for a in "1234" for b in "123")
METHODS = {
    "mdav": {"name": "mdav"},
    "mondrian": {"name": "mondrian"},
    "mondrian_greedy": {"name": "mondrian", "mode": "greedy", "loss": "certainty"},
    "gensearch": {"name": "gensearch", "nodes": 2000, "cuts": {"age": 3}},
    "levels": {"name": "global_recoding"},
    "cuts": {"name": "global_recoding", "scheme": "cuts"},
}


def table(n=400, seed=2):
    chance = np.random.default_rng(seed)
    codes = [f"{a}{b}" for a in "1234" for b in "123"]
    return pa.table({"age": chance.integers(18, 60, n), "job": chance.choice(codes, n, p=np.arange(12, 0, -1) / 78)})


def policy(tmp_path, method, k=3, **levels):
    (tmp_path / "jobs.csv").write_text(TREE)
    return {
        "columns": {
            "age": {"role": "quasi_identifier", "kind": "numeric"},
            "job": {"role": "quasi_identifier", "taxonomy": str(tmp_path / "jobs.csv"), **levels},
        },
        "requirements": [{"name": "k_anonymity", "k": k}],
        "method": METHODS[method],
        "output": {"representation": "extents", "shuffle": False},
    }


def level_of(label):
    return {"low": 2, "high": 2, "*": 3}.get(label, 1 if label.endswith("*") else 0)


def levels(release):
    return {level_of(label) for label in release["job"].to_pylist()}


@pytest.mark.gate(but=("1-mdav", "1-mondrian", "1-mondrian_greedy"))
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("level", [1, 2, 3])
def test_nothing_below_min_level_is_released(method, level, tmp_path):
    limited = shoal.protect(table(), policy(tmp_path, method, min_level=level), key=KEY).table
    assert min(levels(limited)) >= level


def test_without_a_limit_values_are_shown(tmp_path):
    assert min(levels(shoal.protect(table(), policy(tmp_path, "mdav"), key=KEY).table)) == 0


@pytest.mark.gate(but=("1-mondrian", "1-mondrian_greedy", "1-levels"))
@pytest.mark.parametrize("method", ["mondrian", "mondrian_greedy", "levels", "cuts"])
@pytest.mark.parametrize("level", [1, 2])
def test_nothing_above_max_level_is_released(method, level, tmp_path):
    limited = shoal.protect(table(), policy(tmp_path, method, max_level=level), key=KEY).table
    assert max(levels(limited)) <= level


@pytest.mark.parametrize("method", ["mondrian", "levels", "cuts"])
def test_one_level_is_released_where_both_limits_are_the_same(method, tmp_path):
    limited = shoal.protect(table(), policy(tmp_path, method, min_level=1, max_level=1), key=KEY).table
    assert levels(limited) == {1}


def test_every_engine_keeps_to_the_levels_alike(tmp_path):
    from survey_example import write_csv

    data, made = write_csv(table(), tmp_path / "data.csv"), []
    for engine in ("memory", "duckdb"):
        rules = policy(tmp_path, "mondrian", min_level=1, max_level=2)
        shoal.protect(data, rules, output=tmp_path / f"{engine}.csv", engine=engine, key=KEY)
        made.append((tmp_path / f"{engine}.csv").read_bytes())
    assert made[0] == made[1]


@pytest.mark.parametrize("method", ["levels", "cuts"])
def test_levels_too_fine_are_named_with_a_remedy(method, tmp_path):
    with pytest.raises(PolicyError, match=r"columns\.job\.max_level = 0: .* Raise max_level, or weaken the req"):
        shoal.protect(table(), policy(tmp_path, method, k=80, max_level=0), key=KEY)


def test_groups_that_are_too_coarse_are_refused_by_the_gate(tmp_path):
    with pytest.raises(RequirementError, match=r"'job' holds .* above max_level = 0; raise max_level"):
        shoal.protect(table(), policy(tmp_path, "mdav", k=30, max_level=0), key=KEY)


def test_the_gate_finds_a_finer_value_that_somebody_put_in(tmp_path):
    rules, out = policy(tmp_path, "mondrian", min_level=1), tmp_path / "release.csv"
    shoal.protect(table(), rules, output=out, key=KEY)
    assert shoal.verify(out, rules).holds
    lines = out.read_text().splitlines()
    finer = [line.replace("1*", "11") for line in lines]
    assert finer != lines
    out.write_text("\n".join(finer) + "\n")
    failures = shoal.verify(out, rules).failures
    assert any("'job' holds 1 values of a level below min_level = 1" in failure for failure in failures)


@pytest.mark.parametrize(
    ("rule", "lowest", "highest", "inside", "outside"),
    [
        ({"prefixes": (3, 1)}, 1, 2, ["047**", "0****", "04"], ["04712", "0471*", "*"]),
        ({"prefixes": (3, 1)}, 2, None, ["0****", "*"], ["047**", "04712"]),
        ({"intervals": (5, 10)}, 1, 1, ["[30, 35)", "[0.1, 5.1)"], ["33", "[30, 40)", "*"]),
        ({"intervals": (0.1, 10)}, 1, 2, ["[0.1, 0.2)", "[30, 40)"], ["33", "*"]),
        ({"date_parts": ("month", "year")}, 1, None, ["2024-05", "2024", "*"], ["2024-05-17"]),
        ({"date_parts": ("quarter", "decade")}, 2, 2, ["2020s"], ["2024-Q1", "2024-05-17", "*"]),
        ({"paths": (("a", "ab", "*"), ("b", "ab", "*"), ("c", "c", "*"))}, 1, 1, ["ab", "c"], ["a", "*", "unknown"]),
    ],
)
def test_the_level_of_a_label_is_read_from_its_form(rule, lowest, highest, inside, outside):
    limits = LevelLimits(lowest, highest, **rule)
    assert limits.faults("c", [*inside, None]) == ()
    assert [limits.faults("c", [text]) == () for text in outside] == [False] * len(outside)


@pytest.mark.parametrize(
    ("more", "levels", "words"),
    [
        ({}, {"min_level": 4}, r"columns\.job\.min_level is 4, but the root of the taxonomy is level 3"),
        ({}, {"min_level": 2, "max_level": 1}, r"columns\.job\.max_level must be 2 or more"),
        ({"output": {"representation": "centroids"}}, {"min_level": 1}, r"columns\.job\.min_level limits the levels"),
        ({"method": METHODS["gensearch"]}, {"max_level": 1}, r"columns\.job\.max_level: method 'gensearch' proves"),
        ({"within": ["job"]}, {"min_level": 1}, r"columns\.job\.min_level limits the levels"),
    ],
)
def test_limits_without_a_meaning_are_refused(more, levels, words, tmp_path):
    with pytest.raises(PolicyError, match=words):
        shoal.protect(table(), policy(tmp_path, "mondrian", **levels) | more, key=KEY)


def test_limits_need_a_taxonomy(tmp_path):
    rules = policy(tmp_path, "mondrian")
    rules["columns"]["age"]["min_level"] = 1
    with pytest.raises(PolicyError, match=r"columns\.age\.min_level is only allowed with a taxonomy"):
        load(rules)


def test_a_policy_without_limits_has_the_digest_it_had(tmp_path):
    assert load(policy(tmp_path, "mdav")).digest() != load(policy(tmp_path, "mdav", min_level=1)).digest()
    assert load(policy(tmp_path, "mdav")).digest() == load(policy(tmp_path, "mdav", min_level=None)).digest()


def codes_of_a_level(**limits):
    """A policy in which three characters of a code are recoded by hand, and the levels above them searched."""
    zip_code = {"role": "quasi_identifier", "taxonomy": {"prefixes": [3, 2, 1]}, "recode": {"level": 1}, **limits}
    return {
        "columns": {"zip": zip_code},
        "requirements": [{"name": "k_anonymity", "k": 8}],
        "method": {"name": "global_recoding"},
        "output": {"representation": "extents", "shuffle": False},
    }


def test_levels_are_those_of_the_recoded_values(tmp_path):
    """Level 0 of codes recoded to three characters is three characters, and level 1 is two."""
    digits = np.random.default_rng(2).integers(0, 3, (200, 4)).astype(str)
    out = tmp_path / "release.csv"
    shoal.protect(
        pa.table({"zip": ["".join(code) for code in digits]}), codes_of_a_level(max_level=1), output=out, key=KEY
    )
    assert {len(code.rstrip("*")) for code in out.read_text().splitlines()[1:]} == {2}
    out.write_text("zip\n" + "012*\n" * 5)  # of level 0
    failures = shoal.verify(out, codes_of_a_level(min_level=1)).failures
    assert any("'zip' holds 1 values of a level below min_level = 1" in failure for failure in failures)
