"""Who blanks cells anew learns more than the class says, and protect says how much."""

import json

import numpy as np
import pyarrow as pa
import pytest

import shoal
from attacks.blanked import guesses, rate, stated
from attacks.published import publish
from attacks.rates import FEWEST_TARGETS, Rate

NAMES, SEEDS, N, K = ("age", "job", "zip"), (1, 2), 3000, {"name": "k_anonymity", "k": 3}
NOMINAL = {"role": "quasi_identifier", "kind": "nominal"}


def people(seed, n=N):
    draw = np.random.default_rng(seed)
    return pa.table(
        {
            "age": (draw.integers(4, 18, n) * 5).astype(str),
            "job": draw.choice([f"j{at}" for at in range(12)], n),
            "zip": draw.choice([f"z{at}" for at in range(8)], n),
            "illness": draw.choice(["flu", "none", "HIV"], n, p=[0.6, 0.35, 0.05]),
        }
    )


def policy(*asked):
    columns = {**dict.fromkeys(NAMES, NOMINAL), "illness": {"role": "sensitive"}}
    return {"columns": columns, "requirements": [K, *asked], "local_suppression": {}}


def alone(table):
    """The intruder's own run."""
    rules = {"columns": dict.fromkeys(NAMES, NOMINAL), "requirements": [K], "local_suppression": {}}
    return shoal.protect(table.select(NAMES), {**rules, "output": {"shuffle": False}}).records


def findings(folder):
    private = json.loads((folder / "public" / "release.private.json").read_text())
    return {finding["name"]: finding for finding in private["findings"]}


@pytest.fixture(scope="module")
def attacked(tmp_path_factory):
    """The rate over two tables, what the classes say, and what protect told of each."""
    total, own, told = Rate(0, 0), [], []
    for seed in SEEDS:
        folder, table = tmp_path_factory.mktemp("blanked"), people(seed)
        asked = {"name": "distinct_l_diversity", "l": 2, "column": "illness"}
        found = guesses(publish(table, policy(asked), folder), alone(table), "illness")
        total, own = total + rate(found, table["illness"].to_pylist()), [*own, stated(found)]
        told.append(findings(folder)["minimality of blanks, illness"])
    return total, float(np.mean(own)), told


@pytest.mark.gate
def test_blanks_give_members_of_failing_classes_away(attacked):
    found, own, _ = attacked
    assert found.n_targets >= FEWEST_TARGETS
    assert found.succeeds(own + 0.1)


@pytest.mark.gate
def test_what_is_told_to_the_steward_is_no_less_than_the_attack_finds(attacked):
    found, own, told = attacked
    assert found.fails(np.mean([each["estimate"] for each in told]) / 100)
    for each in told:
        assert each["interval"][0] > each["baseline"]
        assert each["baseline"] / 100 == pytest.approx(own, abs=0.06)


def test_where_k_alone_is_asked_for_no_class_is_gone(tmp_path):
    published, table = publish(people(1), policy(), tmp_path), people(1)
    assert guesses(published, alone(table), "illness") == []
    assert "minimality of blanks, illness" not in findings(tmp_path)
