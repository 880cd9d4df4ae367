"""Strata that cannot hold what is asked are suppressed as a whole, as far as the limit allows, whatever the method."""

from collections import Counter

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import shoal
from shoal.encode.codes import to_codes
from shoal.encode.combination_counts import count_combinations
from shoal.errors import RequirementError
from shoal.pipeline.protect.generalization_step import StratumGeneralization
from shoal.pipeline.protect.group_index import check_suppression_limit
from shoal.pipeline.protect.strata import Strata
from survey_example import as_parquet

METHODS = {
    "mdav": {"name": "mdav"},
    "mondrian": {"name": "mondrian"},
    "gensearch": {"name": "gensearch", "nodes": 500},
    "global_recoding": {"name": "global_recoding"},
    "global_recoding by cuts": {"name": "global_recoding", "scheme": "cuts"},
}
K = {"name": "k_anonymity", "k": 2}
ASKED = {
    "l": {"name": "distinct_l_diversity", "l": 2, "column": "disease"},
    "entropy": {"name": "entropy_l_diversity", "l": 1.5, "column": "disease"},
    "alpha": {"name": "alpha_k_anonymity", "alpha": 0.9, "k": 2, "column": "disease"},
}


def towns(n_alike=29, n=100):
    """Everybody in the first town has the same disease."""
    chance = np.random.default_rng(0)
    town = np.where(np.arange(n) < n_alike, "north", np.where(np.arange(n) % 2, "east", "west"))
    disease = np.where(town == "north", "flu", np.where(np.arange(n) % 4 < 2, "cold", "none"))
    return pa.table({"age": chance.integers(20, 90, n), "town": town, "disease": disease})


def policy(method, asked, limit):
    return {
        "requirements": [K, asked],
        "columns": {
            "age": {"role": "quasi_identifier", "kind": "numeric"},
            "town": {"role": "quasi_identifier"},
            "disease": {"role": "sensitive"},
        },
        "within": ["town"],
        "method": method,
        "suppression": {"limit": limit},
    }


@pytest.mark.gate(but=("memory-l-mdav", "duckdb-l-mdav"))
@pytest.mark.parametrize("method", METHODS.values(), ids=METHODS)
@pytest.mark.parametrize(("engine", "asked"), [("duckdb", "l"), *(("memory", asked) for asked in ASKED)])
def test_a_stratum_that_cannot_hold_is_suppressed(tmp_path, method, asked, engine):
    source, output = as_parquet(towns(), tmp_path / "towns.parquet"), tmp_path / "release.parquet"
    made = shoal.protect(source, policy(method, ASKED[asked], 0.29), output=output, engine=engine)
    assert made.manifest.counts["n_suppressed"] == 29
    assert set(pq.read_table(output)["town"].to_pylist()) == {"east", "west"}


@pytest.mark.parametrize("method", METHODS.values(), ids=METHODS)
def test_more_than_the_limit_is_an_error(method):
    with pytest.raises(RequirementError, match=r"29 (of 100 )?records") as error:
        shoal.protect(towns(), policy(method, ASKED["l"], 0.28))
    assert "l = 1" not in str(error.value)
    assert "suppression.limit" in str(error.value)


@pytest.mark.gate
def test_a_verified_certificate_needs_none_for_a_suppressed_stratum(tmp_path):
    rules = policy({"name": "gensearch"}, ASKED["l"], 0.29)
    made = shoal.protect(towns(), rules)
    proof = shoal.verify(made.table, rules, certificate=made.certificates, original=towns())
    assert proof.holds, proof.failures


@pytest.mark.parametrize("n_records", [1, 7, 100, 1000, 12345])
def test_a_share_that_is_written_is_a_whole_number_of_records(n_records):
    """0.29 * 100 is 28.999999999999996: every share of two digits by whole numbers alone."""
    for percent in range(101):
        allowed = percent * n_records // 100
        if allowed < n_records:
            check_suppression_limit(allowed, n_records, percent / 100)
            with pytest.raises(RequirementError):
                check_suppression_limit(allowed + 1, n_records, percent / 100)


def test_strata_too_small_are_counted_by_the_same_rule():
    """29 records of 100 in strata of one record each, at 0.29."""
    town = pa.array([*(f"t{i}" for i in range(29)), *["large"] * 71])
    table = pa.table({"town": town})
    sizes = np.bincount(to_codes("town", table["town"]).codes)
    strata = Strata(("town",), (), np.arange(sizes.size), sizes)
    key = type("Key", (), {"k": 2})()
    strata.check_sizes([key], 0.29)
    with pytest.raises(RequirementError):
        strata.check_sizes([key], 0.28)


def test_records_of_failing_strata_are_counted_before_any_is_written():
    strata = Strata(("town",), (), (), np.array([71, 29]))
    strata.check_requirements({0}, 0.29)
    with pytest.raises(RequirementError, match="1 strata, 29 records in all"):
        strata.check_requirements({0}, 0.28)
    with pytest.raises(RequirementError, match="all 100 records"):
        strata.check_requirements({}, 1.0)


def test_strata_are_the_combinations_that_occur():
    """As a dictionary of tuples has them; missing is a value of its own in every column."""
    chance = np.random.default_rng(5)
    columns = {name: [f"{name}{at}" if at else None for at in chance.integers(0, 4, 60)] for name in "abc"}
    table, rows = pa.table(columns), list(zip(*columns.values(), strict=True))
    strata = Strata.of(list(columns), lambda names: count_combinations(table, names).to_table())
    n_of = Counter(rows)
    assert len(strata.sizes) == len(n_of)
    for row, stratum in zip(rows, strata.stratum_of(table).tolist(), strict=True):
        assert tuple(strata.values_of(stratum).values()) == row
        assert strata.sizes[stratum] == n_of[row]


@pytest.mark.gate(but="asked0")
@pytest.mark.parametrize("asked", [[K], [K, ASKED["l"]], [{**K, "columns": ["weight"]}, {**K, "columns": ["age"]}]])
def test_ends_of_intervals_are_alike_where_a_stratum_is_too_small(tmp_path, asked):
    """One town has a single record, whose group has no ends."""
    table = towns(n_alike=1).append_column("weight", pa.array(np.random.default_rng(1).integers(40, 120, 100)))
    rules = policy({"name": "mdav"}, K, 0.1) | {"requirements": asked}
    rules["columns"]["weight"] = {"role": "quasi_identifier", "kind": "numeric"}
    rules["columns"]["town"] = {"role": "other"}
    rules["output"] = {"representation": "extents", "ends": True, "shuffle": False}
    source = as_parquet(table, tmp_path / "towns.parquet")
    found = []
    for engine in ("memory", "duckdb"):
        output = tmp_path / f"{engine}.parquet"
        made = shoal.protect(source, rules, output=output, engine=engine, key=b"k" * 32)
        assert made.manifest.counts["n_suppressed"] == 1
        found.append(pq.read_table(output))
    assert found[0].equals(found[1])
    assert {"age_min", "age_max", "weight_min", "weight_max"} <= set(found[0].column_names)


def test_a_piece_without_records_is_told_with_all_columns():
    """As engines may hand one over, where there are several strata."""
    made = []

    class Seen(StratumGeneralization):
        def generalize_rows(self, piece):
            made.append((super().generalize_rows(piece), super().generalize_rows(piece.slice(0, 0))))
            return made[-1][0]

    rules = policy({"name": "mondrian"}, ASKED["l"], 0.29) | {"output": {"ends": True}}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("shoal.pipeline.protect.generalization_step.StratumGeneralization", Seen)
        shoal.protect(towns(), rules)
    for told, nothing in made:
        assert nothing.schema == told.schema
        assert len(nothing) == 0
    assert made
