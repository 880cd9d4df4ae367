"""What the classes of one patient's stays have in common does not reveal the value that each of them protects."""

import numpy as np
import pyarrow as pa
import pytest

from attacks import intersections
from attacks.members import publish_in_order
from attacks.rates import Rate
from attacks.tables import DIAGNOSES, NUMBER

pytestmark = pytest.mark.slow

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


def test_stays_grouped_as_vectors_do_not(tmp_path):
    assert attacked(tmp_path).fails(ALPHA)
