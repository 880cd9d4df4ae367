"""What the classes of one patient's stays have in common does not reveal the value that each of them protects."""

import json

import numpy as np
import pyarrow as pa
import pytest

from attacks import intersections
from attacks.members import publish_in_order
from attacks.rates import Rate
from attacks.tables import DIAGNOSES, NAME, NUMBER
from shoal import datasets

ALPHA, N_PATIENTS, N_STAYS = 0.5, 800, 5
ROLES = {"patient": {"role": "unit"}, "day": NUMBER, "cost": NUMBER, "diagnosis": {"role": "sensitive"}}


def stays():
    """Patients with five stays at any time and cost, and one diagnosis in all of them."""
    draw, n = np.random.default_rng(1), N_PATIENTS * N_STAYS
    diagnosis = np.array(DIAGNOSES)[draw.integers(0, len(DIAGNOSES), N_PATIENTS)]
    return pa.table(
        {
            "patient": [f"P{at // N_STAYS}" for at in range(n)],
            "day": draw.integers(0, 3650, n),
            "cost": draw.lognormal(7, 1, n).round(2),
            "diagnosis": np.repeat(diagnosis, N_STAYS),
        }
    )


def attacked(folder, **method):
    table = stays()
    requirement = {"name": "alpha_k_anonymity", "alpha": ALPHA, "k": 5, "column": "diagnosis"}
    policy = {"requirements": [requirement], "columns": ROLES, "method": {"name": "mdav", **method}}
    published, original_of = publish_in_order(table, policy, folder)
    units = table["patient"].take(original_of).to_pylist()
    classes = list(zip(*(published.records[name].to_pylist() for name in ("day", "cost")), strict=True))
    found = intersections.guesses(units, classes, published.records["diagnosis"].to_pylist())
    truth = dict(zip(table["patient"].to_pylist(), table["diagnosis"].to_pylist(), strict=True))
    return Rate(sum(found.get(name) == truth[name] for name in truth), len(truth))


def test_classes_of_stays_grouped_one_by_one_reveal_the_value(tmp_path):
    assert attacked(tmp_path, split_households=True).succeeds(ALPHA)


def findings(folder):
    private = json.loads((folder / "public" / "release.private.json").read_text(encoding="utf-8"))
    return {each["name"]: each for each in private["findings"]}


def test_what_is_told_to_the_steward_is_what_the_attack_finds(tmp_path):
    found = attacked(tmp_path, split_households=True)
    told = findings(tmp_path)["intersections of classes, diagnosis"]
    assert told["estimate"] / 100 == pytest.approx(found.share, abs=0.02)
    assert told["interval"][0] > told["baseline"]


def test_where_units_are_vectors_there_is_nothing_to_tell(tmp_path):
    attacked(tmp_path)
    assert "intersections of classes, diagnosis" not in findings(tmp_path)


def test_stays_grouped_as_vectors_do_not(tmp_path):
    assert attacked(tmp_path).fails(ALPHA)


FAITHS = ("A", "B", "C", "D", "E", "F", "G", "H")
SHARES = (0.2, 0.2, 0.15, 0.15, 0.1, 0.1, 0.05, 0.05)
FAITH_ROLES = {
    "hid": {"role": "household"},
    "region": {"role": "quasi_identifier", "level": "household"},
    "sex": NAME,
    "age": NUMBER,
    "activity": NAME,
    "faith": {"role": "sensitive", "level": "household"},
}


def attacked_households(folder, **more):
    """Households of two or more with one faith each; their number is not released."""
    survey = datasets.household_survey(3500, seed=1)
    names, household = np.unique(survey["hid"].to_pylist(), return_inverse=True)
    faith = np.random.default_rng(1).choice(FAITHS, names.size, p=SHARES)[household]
    table = survey.select(["hid", "region", "sex", "age", "activity"]).append_column("faith", pa.array(faith))
    policy = {
        "requirements": [{"name": "alpha_k_anonymity", "alpha": ALPHA, "k": 5, "column": "faith"}],
        "columns": FAITH_ROLES,
        "suppression": {"limit": 0.02},
        **more,
    }
    published, original_of = publish_in_order(table, policy, folder)
    known = ("region", "sex", "age", "activity")
    classes = list(zip(*(published.records[name].to_pylist() for name in known), strict=True))
    found = intersections.guesses(household[original_of], classes, published.records["faith"].to_pylist())
    several = np.flatnonzero(np.bincount(household) > 1)
    truth = dict(zip(household.tolist(), faith.tolist(), strict=True))
    return Rate(sum(found.get(each) == truth[each] for each in several.tolist()), several.size)


UNLINKED = {"output": {"household": "unlinked"}}


def test_classes_of_members_grouped_one_by_one_reveal_the_value_of_the_household(tmp_path):
    method = {"name": "mdav", "split_households": True}
    assert attacked_households(tmp_path, method=method, **UNLINKED).succeeds(ALPHA)


@pytest.mark.gate(but="linked")
@pytest.mark.parametrize("more", [UNLINKED, {}], ids=["unlinked", "linked"])
def test_households_grouped_as_a_whole_do_not(tmp_path, more):
    assert attacked_households(tmp_path, **more).fails(ALPHA)


def patients_of_rare_sizes(seed, n=330):
    """Half of the patients have one to three stays, the others four to sixty: few have equally many."""
    draw = np.random.default_rng(seed)
    n_stays = np.where(np.arange(n) < n // 2, draw.integers(1, 4, n), draw.integers(4, 61, n))
    patient = np.repeat(np.arange(n), n_stays)
    values = draw.choice(FAITHS, n, p=SHARES)
    table = pa.table(
        {
            "patient": [f"P{at}" for at in patient],
            "age": draw.integers(20, 90, n)[patient],
            "day": draw.integers(0, 365, patient.size),
            "diagnosis": values[patient],
        }
    )
    rare = np.flatnonzero(np.bincount(n_stays)[n_stays] < 5)
    return table, {f"P{at}": str(values[at]) for at in rare}


def attacked_rare_sizes(folder, seed, **method):
    table, truth = patients_of_rare_sizes(seed)
    folder.mkdir()
    policy = {
        "requirements": [{"name": "alpha_k_anonymity", "alpha": ALPHA, "k": 5, "column": "diagnosis"}],
        "columns": {"patient": {"role": "unit"}, "age": NUMBER, "day": NUMBER, "diagnosis": {"role": "sensitive"}},
        "suppression": {"limit": 0.2},
        "method": {"name": "mdav", **method},
    }
    published, original_of = publish_in_order(table, policy, folder)
    units = table["patient"].take(original_of).to_pylist()
    classes = list(zip(*(published.records[name].to_pylist() for name in ("age", "day")), strict=True))
    found = intersections.guesses(units, classes, published.records["diagnosis"].to_pylist())
    return Rate(sum(found.get(name) == truth[name] for name in truth), len(truth))


def test_units_of_rare_sizes_grouped_one_by_one_are_revealed(tmp_path):
    assert attacked_rare_sizes(tmp_path / "0", 0, split_households=True).succeeds(ALPHA)


@pytest.mark.gate
def test_units_of_rare_sizes_are_shortened_and_not_revealed(tmp_path):
    rates = [attacked_rare_sizes(tmp_path / str(seed), seed) for seed in range(5)]
    assert (rates[0] + rates[1] + rates[2] + rates[3] + rates[4]).fails(ALPHA)
