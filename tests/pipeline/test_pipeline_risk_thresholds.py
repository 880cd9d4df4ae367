"""Risk thresholds: of every class, and of the whole release, proved by the gate; what is not met says what is."""

from __future__ import annotations

from collections import Counter, defaultdict

import numpy as np
import pyarrow as pa
import pytest

import shoal
from firms_example import firm_policy, firms
from reference import requirements as twin
from shoal.errors import RequirementError
from shoal.requirements.groups import Groups
from survey_example import write_csv, write_policy


def policy_with(*requirements, **more):
    rules = firm_policy(turnover="other", **more)
    rules["columns"]["weight"]["role"] = "weight"
    return rules | {"requirements": list(requirements)}


def classes_of(release):
    """(records, sum of weights) of every class."""
    found = defaultdict(list)
    names = release.plan.quasi_identifiers
    for *key, weight in zip(*(release.records[name].to_pylist() for name in (*names, "weight")), strict=True):
        found[tuple(key)].append(weight)
    return [(len(weights), sum(weights)) for weights in found.values()]


def verdict(release, at=0):
    return release.manifest.proof["verdicts"][at]


@pytest.mark.parametrize(("maximum", "k"), [(0.2, 5), (0.34, 3), (1 / 3, 3), (0.05, 20), (0.33, 4)])
def test_a_prosecutor_risk_is_a_class_size(maximum, k):
    release = shoal.protect(firms(), policy_with({"name": "prosecutor_risk", "maximum": maximum}), key=b"1" * 32)
    assert release.policy.k == k
    assert verdict(release)["reached"] == pytest.approx(1 / min(n for n, _ in classes_of(release)))
    assert verdict(release)["reached"] <= maximum + 1e-9


@pytest.mark.parametrize("method", ["mdav", "mondrian", "gensearch"])
def test_it_is_met_by_every_method_as_k_is(method):
    rules = {"method": {"name": method, **({"nodes": 50} if method == "gensearch" else {})}}
    risk = shoal.protect(firms(), policy_with({"name": "prosecutor_risk", "maximum": 0.2}, **rules))
    size = shoal.protect(firms(), policy_with({"name": "k_anonymity", "k": 5}, **rules))
    assert Counter(classes_of(risk)) == Counter(classes_of(size))


def test_a_journalist_risk_by_weights():
    """Groups of k are merged until they stand for enough persons."""
    asked = {"name": "journalist_risk", "maximum": 0.05, "column": "weight"}
    loose = shoal.protect(firms(), policy_with({"name": "k_anonymity", "k": 3}))
    assert min(total for _, total in classes_of(loose)) < 20
    release = shoal.protect(firms(), policy_with({"name": "k_anonymity", "k": 3}, asked))
    smallest = min(total for _, total in classes_of(release))
    assert smallest >= 20
    assert verdict(release, 1)["reached"] == pytest.approx(1 / smallest)


def test_a_journalist_risk_by_the_sampling_fraction():
    asked = {"name": "journalist_risk", "maximum": 0.05, "sampling_fraction": 0.25}
    release = shoal.protect(firms(), policy_with(asked))
    assert release.policy.k == 5  # 5 / 0.25 persons
    assert verdict(release)["reached"] == pytest.approx(0.25 / min(n for n, _ in classes_of(release)))


RELEASE = [
    ({"name": "marketer_risk", "average": 0.25}, lambda c: twin.marketer([(n, n) for n, _ in c])),
    ({"name": "marketer_risk", "average": 0.08, "column": "weight"}, twin.marketer),
    (
        {"name": "marketer_risk", "average": 0.1, "sampling_fraction": 0.4},
        lambda c: twin.marketer([(n, n / 0.4) for n, _ in c]),
    ),
    ({"name": "records_at_risk", "share": 0.2, "threshold": 0.2}, lambda c: twin.at_risk([(n, n) for n, _ in c], 0.2)),
    ({"name": "records_at_risk", "share": 0.5, "threshold": 0.1, "column": "weight"}, lambda c: twin.at_risk(c, 0.1)),
]


@pytest.mark.gate(
    but=(
        "memory-{'name': 'marketer_risk', 'average': 0.25}-",
        "memory-{'name': 'marketer_risk', 'average': 0.08, 'column': 'weight'}-",
        "memory-{'name': 'marketer_risk', 'average': 0.1, 'sampling_fraction': 0.4}-",
    )
)
@pytest.mark.parametrize(("asked", "figure"), RELEASE, ids=lambda each: str(each) if isinstance(each, dict) else "")
@pytest.mark.parametrize("engine", ["memory", "duckdb"])
def test_a_figure_of_the_whole_release_is_proved(asked, figure, engine, tmp_path):
    data, rules = write_csv(firms(), tmp_path / "f.csv"), policy_with(asked, method={"name": "mdav", "k": 5})
    file = write_policy(rules, tmp_path / "policy.toml")
    release = shoal.protect(data, file, output=tmp_path / "r.csv", engine=engine)
    proof = shoal.verify(tmp_path / "r.csv", file)
    (found,) = proof.verdicts
    assert proof.holds
    assert found.reached == verdict(release)["reached"]
    table = shoal.protect(firms(), rules, key=release.key)
    assert found.reached == pytest.approx(figure(classes_of(table)))


def test_an_average_may_be_met_by_smaller_groups():
    """30 records alike and 3 more: groups of 3 are two classes, an average of 2 / 33, though 17 would do for all."""
    table = pa.table({"age": [30] * 30 + [50] * 3})
    rules = {
        "columns": {"age": {"role": "quasi_identifier", "kind": "numeric"}},
        "requirements": [{"name": "marketer_risk", "average": 0.0607}],
    }
    release = shoal.protect(table, rules | {"method": {"name": "mdav", "k": 3}})
    assert verdict(release)["reached"] == pytest.approx(2 / 33)
    for method in ({"name": "mdav"}, {"name": "mondrian"}, {"name": "none"}):
        surely = shoal.protect(table, rules | {"method": method, "local_suppression": {}})
        assert (surely.policy.k, surely.manifest.k_reached) == (17, 33)


def test_what_is_not_met_says_the_nearest_value_and_what_to_do(tmp_path):
    data = write_csv(firms(), tmp_path / "f.csv")
    extents = {"representation": "extents"}  # chance, which another policy draws anew, rounds no value
    rules = policy_with({"name": "marketer_risk", "average": 0.1}, method={"name": "mdav", "k": 3}, output=extents)
    with pytest.raises(RequirementError, match=r"marketer_risk = 0\.1 does not hold") as said:
        shoal.protect(data, rules, output=tmp_path / "r.csv")
    assert "Require k_anonymity with k = 10, which is always enough" in str(said.value)
    nearest = float(str(said.value).split("average = ")[1].split(" ")[0])
    assert not (tmp_path / "r.csv").exists()
    rules["requirements"][0]["average"] = nearest
    assert verdict(shoal.protect(data, rules))["holds"]
    rules["method"]["k"], rules["requirements"][0]["average"] = 10, 0.1
    assert verdict(shoal.protect(data, rules))["holds"]


def test_more_merging_never_raises_a_figure_of_the_release():
    chance = np.random.default_rng(1)
    for asked in (shoal.MarketerRisk(0.5, "w"), shoal.RecordsAtRisk(0.5, 0.1, "w"), shoal.MarketerRisk(0.5)):
        for _ in range(300):
            labels = chance.integers(0, 12, 40)
            labels[:12] = np.arange(12)
            ones, weights = np.ones(40, dtype=np.int64), chance.lognormal(1, 1, 40)
            into = np.concatenate([[0, 0], np.arange(1, 11)])
            parts, merged = (Groups.of_amounts(each, ones, weights) for each in (labels, into[labels]))
            assert asked.reached(merged) <= asked.reached(parts) + 1e-12


def test_a_unit_stands_for_its_smallest_weight_once():
    labels, ones = np.zeros(3, dtype=np.int64), np.ones(3, dtype=np.int64)
    groups = Groups.of_amounts(labels, ones, np.array([4.0, 10, 2]), np.array([1, 1, 2]), "least")
    assert shoal.JournalistRisk(0.1, "w").reached(groups) == pytest.approx(1 / 6)


@pytest.mark.gate(but="unit")
@pytest.mark.parametrize("role", ["unit", "identifier"])
def test_an_assessment_finds_the_risks_that_the_gate_proved(tmp_path, role):
    """Twenty firms are of ten holdings: gate and assessment count holdings, each with its smallest weight, or firms."""
    journalist = {"name": "journalist_risk", "maximum": 0.3, "column": "weight"}
    rules = policy_with(journalist, {"name": "marketer_risk", "average": 0.3, "column": "weight"}, method={"k": 4})
    rules["columns"]["holding"]["role"] = role
    table = firms(20)
    data, policy = write_csv(table, tmp_path / "firms.csv"), write_policy(rules, tmp_path / "policy.toml")
    release = shoal.protect(data, policy, output=tmp_path / "release.csv", key=b"1" * 32)
    found = shoal.assess(data, tmp_path / "release.csv", policy, key=b"1" * 32)
    assert found.findings["highest journalist risk"].estimate == pytest.approx(100 * verdict(release)["reached"])
    assert any("of one person" in note for note in found.notes) == (role == "unit")
