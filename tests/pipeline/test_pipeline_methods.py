"""Every method of a policy gives a proven release, with and without households."""

from collections import Counter, defaultdict

import numpy as np
import pyarrow as pa
import pytest

import shoal
from method_examples import METHODS as METHOD_EXAMPLES
from method_examples import methods_of
from survey_example import survey, survey_policy

METHODS = [run for name in methods_of("groups") for run in METHOD_EXAMPLES[name].runs if run.get("merge", True)]
METHODS.append({"name": "microaggregate", "proposals": 20_000})


@pytest.mark.gate(but=("mdav", "vmdav-1.1"))
@pytest.mark.parametrize("method", METHODS, ids=lambda method: "-".join(map(str, method.values())))
def test_every_method_is_proven(method):
    requirements = [{"name": "k_anonymity", "k": 3}, {"name": "distinct_l_diversity", "l": 2, "column": "disease"}]
    policy = survey_policy(requirements=requirements, method=method | {"split_households": True})
    release = shoal.protect(survey(200), policy)
    assert shoal.verify(release.table, policy)
    assert release.manifest.k_reached >= 3
    assert release.manifest.counts["n_suppressed"] == 0


def test_numbers_are_grouped_as_arrays_are():
    values = np.random.default_rng(1).normal(size=(90, 3))
    columns = {name: {"role": "quasi_identifier", "kind": "numeric"} for name in "abc"}
    table = pa.table({name: values[:, j] for j, name in enumerate("abc")})
    X = shoal.standardize(values)
    for method, partition in (
        ({"name": "vmdav", "gamma": 0.4}, shoal.vmdav(X, 4, gamma=0.4)),
        (
            {"name": "vmdav", "gamma": 0.6, "distance": "euclidean", "leftovers": "centroid"},
            shoal.vmdav(X, 4, gamma=0.6, distance="euclidean", leftovers="centroid"),
        ),
        ({"name": "mu_approx"}, shoal.mu_approx(X, 4)),
        ({"name": "mhm", "path": "npn"}, shoal.mhm(X, 4, path="npn")),
        ({"name": "mst_partition"}, shoal.mst_partition(X, 4)),
        ({"name": "genetic", "generations": 5}, shoal.genetic(X, 4, generations=5)),
        ({"name": "micro_som", "map": {"size": 20}}, shoal.micro_som(X, 4, rules=shoal.MapRules(size=20))),
    ):
        release = shoal.protect(table, {"columns": columns, "method": method | {"k": 4}})
        assert release.groups["group"].to_pylist() == partition.labels.tolist()


def groups_of_members(table, release):
    """The groups of the members of every household that keeps its number."""
    found = defaultdict(list)
    for number, group in zip(
        release.records["household"].to_pylist(), release.groups["group"].to_pylist(), strict=True
    ):
        if number is not None:
            found[number].append(group)
    return [tuple(sorted(groups)) for groups in found.values()]


@pytest.mark.gate(but=("mdav", "vmdav", "mu_approx"))
@pytest.mark.parametrize("name", methods_of("groups"))
def test_every_method_groups_households_member_by_member(name):
    """The members of a household are in different groups, and at least k households share all of them."""
    table = survey(120)
    members = groups_of_members(table, shoal.protect(table, survey_policy(method={"name": name})))
    assert all(len(set(each)) == len(each) for each in members)
    assert min(Counter(members).values()) >= 3
    assert sum(map(len, members)) > 0.8 * (len(table) - table["household"].null_count)


def test_members_may_be_grouped_one_by_one():
    table = survey(200)
    together, apart = (
        shoal.protect(table, survey_policy(method={"split_households": split})) for split in (False, True)
    )
    n_together, n_apart = (len(groups_of_members(table, each)) for each in (together, apart))
    assert n_apart < 0.2 * n_together  # nearly all lose their number


@pytest.mark.parametrize(("sizes", "kind"), [((3, 5), "clustered"), ((60, 60), "scattered")])
def test_vmdav_says_whether_records_are_clustered(sizes, kind):
    from shoal import datasets

    X = datasets.clustered_array(300, 3, sizes, 0.01, seed=1)
    columns = {name: {"role": "quasi_identifier", "kind": "numeric"} for name in "abc"}
    table = pa.table({name: X[:, j] for j, name in enumerate("abc")})
    release = shoal.protect(table, {"columns": columns, "method": {"name": "vmdav", "k": 3}})
    assert f"records are {kind}" in release.findings["SSE / SST of groups that grow"].meaning


@pytest.mark.gate
def test_the_report_of_micro_som_shows_a_map_and_no_value():
    chance = np.random.default_rng(5)
    income = np.append(chance.normal(3000, 500, 199), 987654.25)  # one who earns more than all others
    table = pa.table({"income": income, "age": chance.integers(18, 90, 200), "job": ["a", "b"] * 100})
    columns = {name: {"role": "quasi_identifier", "kind": "numeric"} for name in ("income", "age")}
    columns["job"] = {"role": "quasi_identifier", "kind": "nominal"}
    release = shoal.protect(table, {"columns": columns, "method": {"name": "micro_som", "k": 4}})
    page = release.report()
    assert "Map of the population" in page
    assert "<b>income</b>" in page
    assert "987654" not in page
    assert release.assessment.map.map.labels.size == 200
    assert "Map of the population" not in shoal.protect(table, {"columns": columns, "method": {"k": 4}}).report()
