"""What a release promises besides its requirements is proved, or a note says that nobody promised it."""

import json

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import shoal

NUMBER = {"role": "quasi_identifier", "kind": "numeric"}
K = [{"name": "k_anonymity", "k": 3}]
BY_EXTENTS = {"requirements": K, "columns": {"x": NUMBER}, "output": {"representation": "extents"}}


def test_without_a_manifest_a_note_says_that_ends_are_not_proved(tmp_path):
    fine = pa.table({"x": ["[17.123, 18.456)"] * 3})
    assert any("x: neither policy nor manifest says where" in note for note in shoal.verify(fine, BY_EXTENTS).notes)
    stepped = {**BY_EXTENTS, "columns": {"x": {**NUMBER, "grid": 1}}}
    assert not shoal.verify(fine, stepped).holds
    shoal.protect(pa.table({"x": np.arange(30)}), BY_EXTENTS, output=tmp_path / "release.parquet")
    assert not any("neither" in note for note in shoal.verify(tmp_path / "release.parquet", BY_EXTENTS).notes)


def weighted(n=60):
    draw = np.random.default_rng(0)
    weights = np.exp(draw.normal(3, 4, n))
    return pa.table({"x": draw.integers(0, 9, n), "w": weights})


WEIGHTED = {
    "requirements": K,
    "columns": {"x": NUMBER, "w": {"role": "weight", "kind": "numeric"}},
    "output": {"weights": "rounded"},
}


@pytest.mark.parametrize("suffix", ["csv", "parquet"])
def test_weights_that_are_promised_with_two_digits_have_no_more(tmp_path, suffix):
    target = tmp_path / f"release.{suffix}"
    release = shoal.protect(weighted(), WEIGHTED, output=target)
    assert shoal.verify(target, WEIGHTED).holds
    weights = release.records["w"].to_pylist()
    spoiled = release.records.set_column(1, "w", pa.array([12.3, 0.00456, *weights[2:]]))
    fault = "the column 'w' has weights of more than two digits, in 2 records"
    assert fault in shoal.verify(spoiled, WEIGHTED).faults
    exact = {**WEIGHTED, "output": {}}
    assert fault not in shoal.verify(spoiled, exact).faults


@pytest.mark.parametrize(
    ("texts", "is_fault"),
    [
        (["12", "1200", "1.2e-5", "0.0012", "10.0", "0.10", "1e300"], False),
        (["123", "1.23e5", "101", "0.101", "twelve", "1e99999999999999999999"], True),
    ],
)
def test_digits_of_a_weight_count_from_its_first(texts, is_fault):
    for text in texts:
        table = pa.table({"x": [1, 1, 1], "w": ["1", "2", text]})
        assert any("two digits" in fault for fault in shoal.verify(table, WEIGHTED).faults) == is_fault, text


def test_digits_and_ends_of_a_manifest_of_another_policy_are_none(tmp_path):
    target = tmp_path / "release.parquet"
    shoal.protect(pa.table({"x": np.arange(30), "y": np.arange(30)}), both(3), output=target)
    assert not any("neither" in note for note in shoal.verify(target, both(3)).notes)
    notes = shoal.verify(target, both(2)).notes
    assert any("x: neither policy nor manifest says how many digits" in note for note in notes)


def both(k):
    return {"requirements": [{"name": "k_anonymity", "k": k}], "columns": {"x": NUMBER, "y": NUMBER}}


@pytest.mark.parametrize("told", [10**30, -(10**30), True, 1.5, "1", None])
def test_a_manifest_may_say_anything_of_digits(tmp_path, told):
    target = tmp_path / "release.parquet"
    shoal.protect(pa.table({"x": np.arange(30), "y": np.arange(30)}), both(3), output=target)
    path = tmp_path / "release.manifest.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), "decimals": {"x": told, "y": 0}}))
    assert any("x: neither policy nor manifest" in note for note in shoal.verify(target, both(3)).notes)
    assert pq.read_table(target).num_rows == 30
