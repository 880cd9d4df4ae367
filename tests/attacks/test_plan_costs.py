"""What a search cost is told to nobody but the steward: with all of its digits it is solved for values."""

import json
from dataclasses import replace

import numpy as np
import pyarrow as pa
import pytest

from attacks.plan_costs import rate_of_ranges, rate_of_targets
from attacks.published import publish
from attacks.rates import FEWEST_TARGETS

pytestmark = pytest.mark.long  # gensearch in several hundred strata

NUMBER = {"role": "quasi_identifier", "kind": "numeric"}


def with_costs(published, folder):
    """A weak release: its manifest tells what only the private one does."""
    private = json.loads((folder / "public" / "release.private.json").read_text())["plans"]
    both = zip(published.manifest["plans"], private, strict=True)
    return replace(published, manifest={**published.manifest, "plans": [told | more for told, more in both]})


def by_stratum(zones, values):
    return {zone: values[zones == zone].tolist() for zone in np.unique(zones)}


@pytest.fixture(scope="module")
def ill(tmp_path_factory):
    """Cut where a dropped column differs: who has the illness is not released."""
    draw, zones = np.random.default_rng(4), np.repeat([f"z{at:04}" for at in range(280)], 4)
    illness = draw.choice(["yes", "no"], zones.size, p=[0.15, 0.85])
    table = pa.table({"zone": zones, "age": draw.integers(18, 90, zones.size), "illness": illness})
    policy = {
        "within": ["zone"],
        "columns": {"zone": {"role": "other"}, "age": NUMBER, "illness": {"role": "identifier"}},
        "requirements": [{"name": "k_anonymity", "k": 2}],
        "method": {"name": "gensearch", "loss": "classification", "target": "illness"},
    }
    folder = tmp_path_factory.mktemp("ill")
    return publish(table, policy, folder), folder, by_stratum(zones, illness)


@pytest.fixture(scope="module")
def incomes(tmp_path_factory):
    draw, zones = np.random.default_rng(1), np.repeat([f"z{at:04}" for at in range(FEWEST_TARGETS)], 6)
    income = np.clip(draw.lognormal(10, 0.6, zones.size), 3000, 250_000).astype(int)
    policy = {
        "within": ["zone"],
        "columns": {"zone": {"role": "other"}, "income": NUMBER},
        "requirements": [{"name": "k_anonymity", "k": 3}],
        "method": {"name": "gensearch", "loss": "certainty"},
    }
    folder = tmp_path_factory.mktemp("incomes")
    return publish(pa.table({"zone": zones, "income": income}), policy, folder), folder, by_stratum(zones, income)


def test_a_cost_tells_who_has_a_value_that_is_not_released(ill):
    published, folder, truth = ill
    rate = rate_of_targets(with_costs(published, folder), truth, "zone", "no")
    assert rate.n_targets >= FEWEST_TARGETS
    assert rate.succeeds(0.97)


def test_without_costs_nobody_is_known_better_than_everybody(ill):
    published, _, truth = ill
    assert rate_of_targets(published, truth, "zone", "no").fails(0.85)


def test_a_cost_tells_the_range_of_a_stratum_exactly(incomes):
    published, folder, truth = incomes
    assert rate_of_ranges(with_costs(published, folder), truth, "zone", 15_000).succeeds(0.1)


def test_without_costs_no_range_is_told(incomes):
    published, _, truth = incomes
    rate = rate_of_ranges(published, truth, "zone", 15_000)
    assert rate.n_targets >= FEWEST_TARGETS
    assert rate.n_right == 0


def test_a_target_that_is_not_released_is_noted(ill, incomes):
    noted = "illness: the cuts depend on this column, which is not released"
    assert any(note.startswith(noted) for note in ill[0].manifest["notes"])
    assert not any("cuts depend on" in note for note in incomes[0].manifest["notes"])
