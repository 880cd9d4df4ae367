"""The gate where features meet: ends and key sets, blanks and identifiers, strata of what is missing or too many."""

from collections import defaultdict
from math import log

import numpy as np
import pyarrow as pa
import pytest

import shoal
from shoal.gate.file_contents import pseudonym_faults
from shoal.gate.gate import prove_counts
from shoal.pipeline.protect.strata import Strata
from survey_example import in_order, survey, survey_policy


def numbers(n=60):
    rng = np.random.default_rng(7)
    return pa.table({"age": rng.integers(20, 80, n), "size": rng.integers(150, 200, n), "town": rng.choice(["a"], n)})


def by_extents(**more):
    columns = {name: {"role": "quasi_identifier", "kind": "numeric"} for name in ("age", "size")}
    columns["town"] = {"role": "quasi_identifier"}
    asked = [{"name": "k_anonymity", "k": 5}]
    return in_order({"columns": columns, "requirements": asked, "method": {"name": "mondrian"}} | more)


@pytest.mark.parametrize("columns", [None, ["age", "size", "town"], ["age", "town"]])
def test_the_ends_of_a_column_belong_to_whoever_names_it(columns):
    """A requirement of some columns reads their ends, too: what tells records apart may stand there alone."""
    asked = [{"name": "k_anonymity", "k": 5} | ({"columns": columns} if columns else {})]
    asked += [{"name": "k_anonymity", "k": 2, "columns": ["size"]}] if columns == ["age", "town"] else []
    rules = by_extents(requirements=asked, output={"ends": True})
    release = shoal.protect(numbers(), rules).records
    assert shoal.verify(release, rules)
    at = release.column_names.index("age_min")
    told_apart = pa.array([1, *release["age_min"].to_pylist()[1:]])
    proof = shoal.verify(release.set_column(at, "age_min", told_apart), rules)
    assert (proof.holds, proof.verdicts[0].holds, proof.verdicts[0].reached) == (False, False, 1)


def test_a_missing_cell_is_longer_than_every_interval():
    schema = shoal.Schema([shoal.Column("age", "quasi_identifier", "numeric")])
    counts = pa.table({"age": ["[20, 30)", None], "n": [5, 5]})
    (verdict,) = prove_counts(counts, schema, [shoal.MinimumLength(10, "age")]).verdicts
    assert (verdict.holds, verdict.reached, verdict.n_classes_failing) == (True, 10, 0)
    (verdict,) = prove_counts(counts, schema, [shoal.MinimumLength(11, "age")]).verdicts
    assert (verdict.holds, verdict.n_classes_failing, verdict.n_records_failing) == (False, 1, 5)


@pytest.mark.parametrize("blanks", ["value", "wildcard"])
def test_an_identifier_is_found_whatever_a_blank_means(blanks):
    rules = survey_policy(local_suppression={"blanks": blanks}, method={"name": "none"})
    columns = ["person", "zip", "grade", "disease"]
    rules["columns"] = {name: rule for name, rule in rules["columns"].items() if name in columns}
    release = shoal.protect(survey().select(columns), rules).records
    assert shoal.verify(release, rules)
    people = pa.array([f"P{at}" for at in range(len(release))])
    proof = shoal.verify(release.append_column("person", people), rules)
    assert not proof
    assert proof.failures == ("the identifier column 'person' is in the release",)


@pytest.mark.parametrize(("value", "n_strange"), [("", 0), ("Smith", 1)])
def test_a_name_behind_or_before_a_pseudonym_is_no_pseudonym(value, n_strange):
    pseudonym = "0123456789abcdef" * 2
    for text in (pseudonym + value, value + pseudonym):
        counts = pa.table({"person": [text, None], "n": [1, 1]})
        assert len(pseudonym_faults("person", counts)) == n_strange


def test_two_requirements_of_one_column_must_both_hold_when_groups_are_merged():
    """Neither the first nor the last of them alone decides."""
    rng = np.random.default_rng(2)
    table = pa.table({"x": rng.normal(size=120), "s": rng.choice(["a", "b", "c", "d"], 120, p=[0.7, 0.1, 0.1, 0.1])})
    columns = {"x": {"role": "quasi_identifier", "kind": "numeric"}, "s": {"role": "sensitive"}}
    weak = {"name": "distinct_l_diversity", "l": 2, "column": "s"}
    strong = {"name": "distinct_l_diversity", "l": 4, "column": "s"}
    for order in ([weak, strong], [strong, weak]):
        rules = {"columns": columns, "requirements": [{"name": "k_anonymity", "k": 3}, *order]}
        release = shoal.protect(table, rules)
        assert release.manifest.proof["holds"]
        assert min(verdict["reached"] for verdict in release.manifest.proof["verdicts"][1:]) == 4


@pytest.mark.parametrize("method", ["mondrian", "mdav"])
def test_what_is_missing_is_a_stratum_of_its_own(method):
    towns = ["a", "b", None] * 20
    original = numbers().set_column(2, "town", pa.array(towns))
    release = shoal.protect(original, by_extents(method={"name": method}, within=["town"]))
    found = defaultdict(set)
    for group, town in zip(release.groups["group"].to_pylist(), towns, strict=True):
        found[group].add(town)
    assert all(len(one) == 1 for one in found.values())
    assert release.records["town"].to_pylist() == towns


def test_strata_of_more_combinations_than_a_number_holds_are_still_told_apart():
    """17 columns of 15 values: 16^17 combinations, of which an int64 forgets the first column."""
    names = [f"c{at:02}" for at in range(17)]
    rows = [[value] * 17 for value in range(15)]
    rows.append([3] + [0] * 16)  # as the first record, but for the first column
    table = pa.table({name: [row[at] for row in rows] for at, name in enumerate(names)})
    counts = table.append_column("n", pa.array([1] * len(rows)))
    strata = Strata.of(names, lambda _: counts)
    assert sorted(strata.stratum_of(table).tolist()) == list(range(16))
    for row, stratum in zip(rows, strata.stratum_of(table).tolist(), strict=True):
        assert strata.values_of(stratum) == {name: str(value) for name, value in zip(names, row, strict=True)}


@pytest.mark.parametrize("method", ["mondrian", "gensearch"])
@pytest.mark.parametrize(("more", "n_groups"), [(0.0, 1), (1e-6, 2)])
def test_a_cut_that_only_meets_delta_is_not_made(more, n_groups, method):
    """Cut at x, a value would be twice as frequent in one half as in the whole: ln 2, which must be less."""
    table = pa.table({"x": [0] * 2 + [1] * 6, "s": ["a", "b", "a", *["b"] * 5]})
    asked = [{"name": "k_anonymity", "k": 2}, {"name": "delta_disclosure", "delta": log(2) + more, "column": "s"}]
    columns = {"x": {"role": "quasi_identifier", "kind": "numeric"}, "s": {"role": "sensitive"}}
    release = shoal.protect(table, {"columns": columns, "requirements": asked, "method": {"name": method}})
    assert release.manifest.counts["n_groups"] == n_groups
