"""Perturbed releases: seeded, measured against the original, and proved only of what a policy asks."""

import numpy as np
import pyarrow as pa
import pyarrow.parquet as parquet
import pytest

import shoal
from shoal.errors import RequirementError
from survey_example import in_order

SWAP = {"name": "rank_swap", "p": 10}


def table(n=300):
    rng = np.random.default_rng(4)
    return pa.table(
        {
            "age": pa.array(rng.integers(18, 90, n), mask=rng.random(n) < 0.05),
            "pay": rng.gamma(2, 1000, n),
            "job": rng.choice(["nurse", "clerk", "lawyer"], n),
            "region": rng.choice(["north", "south"], n),
            "disease": rng.choice(["flu", "gout"], n),
        }
    )


def policy(*perturbations, **more):
    columns = {
        "age": {"role": "quasi_identifier", "kind": "numeric"},
        "pay": {"role": "quasi_identifier", "kind": "numeric"},
        "job": {"role": "quasi_identifier"},
        "region": {"role": "other"},
        "disease": {"role": "sensitive"},
    }
    return in_order({"columns": columns, "perturbations": list(perturbations)} | more)


NUMBERS = {"columns": ["age", "pay"]}


def test_without_requirements_nothing_is_promised_and_it_is_said():
    release = shoal.protect(table(), policy(SWAP | NUMBERS))
    assert release.manifest.proof["verdicts"] == ()
    assert any("nothing was proved" in note for note in release.manifest.notes)
    assert sorted(release.records["pay"].to_pylist()) == sorted(table()["pay"].to_pylist())
    assert release.records["pay"] != table()["pay"]
    assert release.records["disease"] == table()["disease"]
    assert release.findings["information loss of pay"].estimate > 0


def test_same_seed_same_release_and_another_seed_another():
    rules = policy(SWAP | NUMBERS, {"name": "pram", "columns": ["job"]})
    once, again, other = (shoal.protect(table(), rules | {"seed": seed}).records for seed in (1, 1, 2))
    assert once.equals(again)
    assert not once.equals(other)


def test_a_promise_that_perturbation_does_not_keep_closes_the_gate():
    with pytest.raises(RequirementError, match="gate is closed"):
        shoal.protect(table(), policy(SWAP | NUMBERS, requirements=[{"name": "k_anonymity", "k": 5}]))


def test_perturbation_goes_before_the_method():
    asked = {"requirements": [{"name": "k_anonymity", "k": 5}], "method": {"name": "mdav"}}
    release = shoal.protect(table(), policy({"name": "top_bottom_code", "columns": ["pay"], "top": 3000}, **asked))
    assert release.manifest.proof["holds"]
    assert max(release.records["pay"].to_pylist()) <= 3000


def test_values_stay_in_their_stratum():
    release = shoal.protect(table(), policy(SWAP | NUMBERS, within=["region"]))
    for region in ("north", "south"):
        before, after = (
            sorted(r["pay"] for r in records.to_pylist() if r["region"] == region)
            for records in (table(), release.records)
        )
        assert before == after


def test_imputed_values_are_counted_in_the_manifest():
    release = shoal.protect(table(), policy({"name": "imputation", "columns": ["age"], "how": "hot_deck"}))
    n_missing = table()["age"].null_count
    assert f"age: {n_missing} missing values were imputed." in release.manifest.notes
    assert release.records["age"].null_count == 0


@pytest.mark.gate(but=("within0-memory", "within1-memory", "within2-memory", "within0-duckdb"))
@pytest.mark.parametrize("engine", ["memory", "duckdb"])
@pytest.mark.parametrize("within", [["job"], ["region", "job"], ["job", "region"]])
def test_pram_of_a_column_that_strata_are_made_by_leaves_it_as_it_is(within, engine, tmp_path):
    """In a stratum it has one value, which can become no other."""
    chosen = {"name": "pram", "columns": ["job"]}
    source, output = tmp_path / "table.parquet", tmp_path / "release.parquet"
    parquet.write_table(table(), source)
    release = shoal.protect(source, policy(chosen, within=within), output=output, engine=engine)
    assert parquet.read_table(output)["job"].to_pylist() == table()["job"].to_pylist()
    (told,) = release.assessment.matrices
    assert (told.column, told.chances.tolist()) == ("job", [[1.0]])
    assert told.values == (told.stratum["job"],)
