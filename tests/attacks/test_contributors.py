"""Where means are weighted, the p % rule holds for what firms contribute to the weighted total."""

from collections import defaultdict

import numpy as np
import pyarrow as pa
import pytest

from attacks.contributors import closest_estimate
from attacks.members import publish_in_order
from attacks.rates import Rate
from attacks.tables import NAME, NUMBER

P, N_FIRMS, SEEDS = 20, 1500, range(2)
ROUNDING = 0.99  # means are rounded to cents
ROLES = {"nace": NAME, "staff": NUMBER, "turnover": NUMBER, "weight": {"role": "weight", "kind": "numeric"}}


def firms(seed):
    """Firms that stand for one to a hundred others, whatever their size."""
    draw = np.random.default_rng(seed)
    return pa.table(
        {
            "nace": draw.choice(list("ABCD"), N_FIRMS),
            "staff": draw.lognormal(3, 1, N_FIRMS).round().astype(int) + 1,
            "turnover": draw.lognormal(8, 1, N_FIRMS).round(2),
            "weight": draw.choice([1, 2, 5, 20, 100], N_FIRMS),
        }
    )


def attacked(folder, method, requirements):
    """Of how many classes a member can estimate another one to within p percent."""
    found = Rate(0, 0)
    for seed in SEEDS:
        table = firms(seed)
        policy = {"columns": ROLES, "requirements": requirements, "method": {"name": method}}
        policy["output"] = {"representation": "centroids"}
        published, original_of = publish_in_order(table, policy, folder / str(seed))
        found += rate_of(table.take(original_of), published.records)
    return found


def rate_of(original, released):
    amounts, weights = (original[name].to_numpy().astype(float) for name in ("turnover", "weight"))
    classes = defaultdict(list)
    rows = zip(*(released[name].to_pylist() for name in ("nace", "staff", "turnover")), strict=True)
    for at, shown in enumerate(rows):
        classes[shown].append(at)
    errors = [closest_estimate(float(shown[-1]), amounts[of], weights[of]) for shown, of in classes.items()]
    return Rate(sum(error < ROUNDING * P / 100 for error in errors), len(errors))


K = {"name": "k_anonymity", "k": 5}


@pytest.mark.gate(but="mdav")
@pytest.mark.parametrize("method", ["mdav", "mondrian"])
def test_members_of_a_class_estimate_others_from_weighted_means(tmp_path, method):
    assert attacked(tmp_path, method, [K]).share > 0.2


@pytest.mark.gate(but="mdav")
@pytest.mark.parametrize("method", ["mdav", "mondrian"])
def test_the_p_percent_rule_excludes_it(tmp_path, method):
    found = attacked(tmp_path, method, [K, {"name": "p_percent", "p": P, "column": "turnover"}])
    assert found.n_targets > 50
    assert found.n_right == 0
