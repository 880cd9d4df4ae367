"""Tables of a few records are solved to optimality; bounds and gaps of larger ones are true."""

import json

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import shoal
from reference.optimal_partition import least_sse
from reference.tables import tables
from shoal.assessment.utility.optimality import BOUNDED, optimality_findings


@settings(deadline=None, max_examples=60)
@given(tables(most=9), st.integers(2, 5))
def test_the_optimum_is_that_of_all_partitions(X, k):
    if k <= len(X):
        found = shoal.microaggregate(X, k)
        assert found.check(k).sizes.max() <= max(2 * k - 1, len(X) if len(X) < 2 * k else 0)
        assert found.sse(X) == pytest.approx(least_sse(X, k), rel=1e-9, abs=1e-12)
        assert found.steps[-1].what == "proof of optimality"
        assert found.gap == 0
        start = shoal.mdav(X, k)
        assert shoal.refine(X, start, k).sse(X) == found.sse(X)


@settings(deadline=None, max_examples=25)
@given(tables(most=12, least=10), st.integers(2, 4))
def test_no_other_method_is_better_on_twelve_records(X, k):
    best = shoal.microaggregate(X, k).sse(X)
    for other in (shoal.mdav(X, k), shoal.vmdav(X, k, gamma="auto"), shoal.mu_approx(X, k)):
        assert best <= other.sse(X) * (1 + 1e-12)


@settings(deadline=None, max_examples=15)
@given(tables(most=60, least=13), st.integers(2, 4))
def test_a_bound_is_below_every_partition(X, k):
    found = shoal.microaggregate(X, k)
    assert 0 <= found.bound <= found.information_loss(X) * (1 + 1e-9)
    loss = found.steps[-1].loss
    assert found.bound * (1 + found.gap) == pytest.approx(loss) or found.bound == 0
    (finding,) = optimality_findings(X, found, k)
    assert finding.baseline == pytest.approx(found.bound, rel=1e-6, abs=1e-9)


def test_blocks_of_a_few_records_are_solved_and_have_no_bound_of_their_own():
    X = np.random.default_rng(0).random((30, 2))
    blocks = shoal.Partition(np.arange(30) // 10)
    found = shoal.microaggregate(X, 3, blocks=blocks)
    assert found.sse(X) == pytest.approx(
        sum(shoal.microaggregate(X[at : at + 10], 3).sse(X[at : at + 10]) for at in (0, 10, 20))
    )
    assert found.bound is None
    assert found.gap is None


def release_of(n, tmp_path, method="microaggregate"):
    X = np.random.default_rng(1).normal(size=(n, 2))
    people = pa.table({"a": X[:, 0], "b": X[:, 1]})
    columns = {name: {"role": "quasi_identifier", "kind": "numeric"} for name in ("a", "b")}
    rules = {"columns": columns, "method": {"name": method}, "requirements": [{"name": "k_anonymity", "k": 3}]}
    return shoal.protect(people, rules, output=tmp_path / "release.csv")


@pytest.mark.parametrize(("n", "words"), [(11, "the proven optimum"), (60, "a lower bound for every partition")])
def test_a_release_tells_bound_and_gap_to_its_owner_alone(n, words, tmp_path):
    release = release_of(n, tmp_path)
    finding = release.findings[BOUNDED]
    assert words in finding.meaning
    assert finding.baseline <= finding.estimate * (1 + 1e-12)
    if n == 11:
        assert finding.baseline == finding.estimate
    private = json.loads((tmp_path / "release.private.json").read_text())
    assert BOUNDED in [each["name"] for each in private["findings"]]
    assert BOUNDED not in (tmp_path / "release.manifest.json").read_text()


def test_a_method_that_promises_no_optimum_tells_none(tmp_path):
    assert BOUNDED not in [finding.name for finding in release_of(11, tmp_path, "mdav").findings]
