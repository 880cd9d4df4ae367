"""A stratum that fails as a whole is missing from the release: who is known to be in it has the value that failed."""

import numpy as np
import pyarrow as pa
import pytest

import shoal
from attacks.rates import Rate
from attacks.tables import NAME, NUMBER

SUPPRESSED = "minimality of the suppressed, illness"
COLUMNS = {"region": NAME, "age": NUMBER, "sex": NAME, "illness": {"role": "sensitive"}}


def patients(n=700, n_regions=90):
    draw = np.random.default_rng(3)
    return pa.table(
        {
            "region": draw.choice([f"R{at:03}" for at in range(n_regions)], n),
            "age": draw.integers(20, 80, n),
            "sex": draw.choice(["f", "m"], n),
            "illness": draw.choice(["flu", "HIV"], n, p=[0.9, 0.1]),
        }
    )


def released(method, *requirements):
    asked = [{"name": "k_anonymity", "k": 3}, *requirements]
    rules = {"columns": COLUMNS, "within": ["region"], "requirements": asked, "suppression": {"limit": 0.5}}
    return shoal.protect(patients(), {**rules, "method": {"name": method}})


def attacked(release):
    """Persons of strata that are missing, all taken to have the flu."""
    table, shown = patients(), set(release.records["region"].to_pylist())
    rows = zip(table["region"].to_pylist(), table["illness"].to_pylist(), strict=True)
    gone = [illness for region, illness in rows if region not in shown]
    return Rate(gone.count("flu"), len(gone))


TWO = {"name": "distinct_l_diversity", "l": 2, "column": "illness"}


@pytest.mark.gate(but="mondrian")
@pytest.mark.parametrize("method", ["mondrian", "global_recoding"])
def test_the_steward_is_told_what_missing_strata_reveal(method):
    release = released(method, TWO)
    told = release.findings[SUPPRESSED]
    assert attacked(release).succeeds(0.9)
    assert attacked(release).share == pytest.approx(told.estimate / 100, abs=0.02)
    assert told.interval[0] > told.baseline
    assert "suppressed" in [each.kind for each in release.assessment.exposures]


def test_strata_with_fewer_than_k_records_reveal_nothing():
    release = released("mondrian")
    assert SUPPRESSED not in [each.name for each in release.findings]
