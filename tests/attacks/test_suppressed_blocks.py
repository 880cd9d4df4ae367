"""A block that fails is missing from the release: who is known to be in the table and in no class has what failed."""

import numpy as np
import pyarrow as pa
import pytest
import tomlkit

import shoal
from attacks.rates import Rate
from attacks.tables import NAME
from survey_example import as_parquet

SUPPRESSED = "minimality of the suppressed, illness"
COLUMNS = {"practice": {**NAME, "taxonomy": {"prefixes": [1]}}, "illness": {"role": "sensitive"}}
TWO = {"name": "distinct_l_diversity", "l": 2, "column": "illness"}
METHODS = {
    "gensearch": {"name": "gensearch", "loss": "certainty", "nodes": 2000, "suppression": 0.3},
    "levels": {"name": "global_recoding", "loss": "certainty", "suppression": 0.3},
}
OF_METHODS = pytest.mark.parametrize("method", METHODS.values(), ids=METHODS)


def patients(n=2400, n_practices=300):
    """A taxonomy of one level: practices are released by name, or not at all."""
    draw = np.random.default_rng(3)
    return pa.table(
        {
            "practice": draw.choice([f"P{at:03}" for at in range(n_practices)], n),
            "illness": draw.choice(["flu", "HIV"], n, p=[0.8, 0.2]),
        }
    )


def policy(method, *requirements, **more):
    asked = [{"name": "k_anonymity", "k": 3}, *requirements]
    return {"columns": COLUMNS, "requirements": asked, "method": method, "suppression": {"limit": 0.3}, **more}


def attacked(release):
    """Persons whom no class covers, all taken to have the flu."""
    table, shown = patients(), set(release.records["practice"].to_pylist())
    assert "P" not in shown
    rows = zip(table["practice"].to_pylist(), table["illness"].to_pylist(), strict=True)
    gone = [illness for practice, illness in rows if practice not in shown]
    return Rate(gone.count("flu"), len(gone))


@pytest.mark.gate(but="levels")
@OF_METHODS
def test_the_steward_is_told_what_missing_blocks_reveal(method):
    release = shoal.protect(patients(), policy(method, TWO))
    told, rate = release.findings[SUPPRESSED], attacked(release)
    assert rate.succeeds(0.9)
    assert told.estimate / 100 == pytest.approx(rate.share, abs=0.03)
    assert told.baseline == pytest.approx(77, abs=3)
    assert told.interval[0] > told.baseline
    (exposure,) = (each for each in release.assessment.exposures if each.kind == "suppressed")
    mended = shoal.protect(patients(), policy(tomlkit.parse(exposure.remedy)["method"].unwrap(), TWO))
    assert mended.manifest.counts["n_suppressed"] == 0


@OF_METHODS
def test_blocks_that_k_alone_suppresses_reveal_nothing(method):
    rules = policy(method) | {"requirements": [{"name": "k_anonymity", "k": 6}]}
    release = shoal.protect(patients(), rules)
    assert release.manifest.counts["n_suppressed"] > 0
    assert not [each.name for each in release.findings if each.name.startswith("minimality")]
    assert "suppressed" not in [each.kind for each in release.assessment.exposures]


def test_small_blocks_are_not_accused():
    """Of the blocks with fewer than k records k is the reason, whatever their values are."""
    table = patients()
    sizes = table.group_by("practice").aggregate([("illness", "count"), ("illness", "count_distinct")])
    n, n_values = sizes["illness_count"].to_numpy(), sizes["illness_count_distinct"].to_numpy()
    rules = policy(METHODS["gensearch"], TWO) | {"requirements": [{"name": "k_anonymity", "k": 5}, TWO]}
    release = shoal.protect(table, rules)
    assert release.manifest.counts["n_suppressed"] == n[(n < 5) | (n_values < 2)].sum()
    assert f"{n[(n >= 5) & (n_values < 2)].sum():,} records" in release.findings[SUPPRESSED].meaning


@pytest.mark.gate
def test_every_engine_tells_the_same(tmp_path):
    data, rules = as_parquet(patients(), tmp_path / "patients.parquet"), policy(METHODS["gensearch"], TWO)
    told = [
        shoal.protect(data, rules, output=tmp_path / f"{engine}.parquet", engine=engine).private.findings
        for engine in ("memory", "duckdb")
    ]
    assert told[0] == told[1]
    assert SUPPRESSED in [each["name"] for each in told[0]]
