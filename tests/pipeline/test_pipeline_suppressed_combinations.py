"""Suppression beside every other feature: who cannot be released is in no release, and in no count that others use."""

from collections import Counter

import numpy as np
import pyarrow as pa
import pytest

import shoal
from shoal.sources import read
from survey_example import in_order, write_csv

RECODED = {"name": "global_recoding", "suppression": 0.2}


def table():
    """Five persons stand alone, the others are many of a kind; every sensitive value is somebody's own."""
    rng = np.random.default_rng(3)
    ages = [*rng.choice([31, 42, 53], 95).tolist(), 1, 12, 68, 85, 97]
    return pa.table(
        {
            "age": ages,
            "town": [*rng.choice(["a", "b"], 95).tolist(), *["c"] * 5],
            "region": rng.choice(["north", "south"], 100).tolist(),
            "disease": [f"disease {at}" for at in range(100)],
        }
    )


def policy(**more):
    columns = {
        "age": {"role": "quasi_identifier", "kind": "numeric"},
        "town": {"role": "quasi_identifier"},
        "region": {"role": "other"},
        "disease": {"role": "sensitive"},
    }
    asked = [{"name": "k_anonymity", "k": 5}]
    return in_order(
        {"columns": columns, "requirements": asked, "method": RECODED, "suppression": {"limit": 0.5}} | more
    )


OUTPUTS = {
    "extents": {},
    "centroids": {"representation": "centroids"},
    "permuted": {"permute": True},
    "permuted centroids": {"representation": "centroids", "permute": True},
}


@pytest.mark.gate(but=("memory-extents-whole", "memory-extents-strata", "memory-centroids-whole"))
@pytest.mark.parametrize("within", [[], ["region"]], ids=["whole", "strata"])
@pytest.mark.parametrize("output", OUTPUTS.values(), ids=OUTPUTS)
@pytest.mark.parametrize("engine", ["memory", "duckdb"])
def test_blocks_that_fail_are_suppressed_however_they_are_told(tmp_path, output, within, engine):
    original, out = table(), tmp_path / "release.csv"
    rules = policy(output=output, within=within)
    source, mapping = write_csv(original, tmp_path / "table.csv"), tmp_path / "mapping.csv"
    release = shoal.protect(source, rules, output=out, mapping=mapping, engine=engine)
    groups = read(mapping, kinds={"group": "numeric"}).table["group"].to_pylist()
    kept = [at for at, group in enumerate(groups) if group is not None]
    assert 5 <= len(groups) - len(kept) <= 20
    counts = release.manifest.counts
    assert (counts["n_released"], counts["n_suppressed"]) == (len(kept), len(groups) - len(kept))
    records = read(out).table
    assert sorted(records["disease"].to_pylist()) == sorted(original["disease"].take(kept).to_pylist())
    sizes = Counter(zip(records["age"].to_pylist(), records["town"].to_pylist(), strict=True))
    assert min(sizes.values()) >= 5
    assert min(Counter(groups[at] for at in kept).values()) >= 5
    assert shoal.verify(out, rules)


@pytest.mark.gate(but=("extents-value", "extents-wildcard"))
@pytest.mark.parametrize("blanks", ["value", "wildcard"])
@pytest.mark.parametrize("output", OUTPUTS.values(), ids=OUTPUTS)
def test_no_cell_is_blanked_for_a_record_that_is_suppressed(output, blanks):
    """Those who stand alone are suppressed, and all others alike already: nothing is left to be blanked."""
    plain = shoal.protect(table(), policy(output=output))
    blanked = shoal.protect(table(), policy(output=output, local_suppression={"blanks": blanks}))
    assert plain.manifest.counts["n_suppressed"] >= 5
    assert blanked.groups.equals(plain.groups)
    kept = [
        name for name in plain.records.column_names if name != "disease"
    ]  # dealt by chance, which hangs on the policy
    assert blanked.records.select(kept).equals(plain.records.select(kept))
    assert not any("cells were blanked" in note for note in blanked.manifest.notes)


def test_who_one_key_set_suppresses_no_other_releases():
    """Five are alone by their age, all of them nurses like many others."""
    rng = np.random.default_rng(3)
    jobs = rng.choice(["nurse", "smith"], 95).tolist() + ["nurse"] * 5
    original = table().set_column(1, "town", pa.array(jobs))
    asked = [{"name": "k_anonymity", "k": 5, "columns": [name]} for name in ("age", "town")]
    for order in (asked, asked[::-1]):
        release = shoal.protect(original, policy(requirements=order))
        assert release.groups["group"].is_null().to_pylist() == [False] * 95 + [True] * 5
        assert len(release.records) == 95


@pytest.mark.parametrize("method", ["mondrian", "mdav"])
def test_a_stratum_of_exactly_k_records_is_released(method):
    regions = ["north"] * 95 + ["south"] * 5
    original = table().set_column(2, "region", pa.array(regions))
    rules = policy(method={"name": method}, within=["region"], suppression={"limit": 0.0})
    release = shoal.protect(original, rules)
    assert release.manifest.counts["n_suppressed"] == 0
    assert release.records["region"].to_pylist() == regions
