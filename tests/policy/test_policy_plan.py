"""The plan of a release: what follows from a policy, and that makers and verifiers of a release resolve the same."""

import shutil

import pytest
import tomlkit

import shoal
from golden.cases import CASES, COLUMNS, FEW, LIVING_TOGETHER, K, case
from golden.releases import INPUTS, KEPT
from shoal.engines.memory import MemoryEngine
from shoal.pipeline.protect.fitted_table import FittedTable
from shoal.policy import ReleasePlan, load

DIVERSE = {"name": "distinct_l_diversity", "l": 2, "column": "health_condition"}
KNOWN = ("municipality", "sex", "age", "education", "moved_in")
OPEN = ("region", "marital_status", "occupation", "hours_per_week", "income", "rent", "health_condition", "weight")
WITHOUT_HEALTH = tuple(name for name in OPEN if name != "health_condition")
FILES = {
    "mdav_anatomy": ("release", "sensitive"),
    "gensearch": ("release", "certificate"),
    "gensearch_anatomy": ("release", "sensitive", "certificate"),
}


def plan_of(name):
    return ReleasePlan.of(load(CASES[name]))


@pytest.mark.parametrize(
    ("name", "means", "extents", "on_grid", "gate"),
    [
        ("mdav", ("age",), (), (), "classes"),
        ("mondrian_centroids", ("age",), (), (), "classes"),
        ("mdav_extents", (), KNOWN, ("age", "moved_in"), "classes"),
        ("mondrian", (), KNOWN, ("age", "moved_in"), "classes"),
        ("gensearch", (), ("sex", "age", "education"), ("age",), "classes"),
        ("mdav_anatomy", (), (), (), "anatomy"),
        ("gensearch_anatomy", (), (), (), "anatomy"),
        ("local_suppression", (), (), (), "classes"),
        ("local_suppression_wildcard", (), (), (), "wildcards"),
        ("perturbed_numbers", (), (), (), "classes"),
        ("perturbed_categories", ("age",), (), (), "classes"),
    ],
)
def test_method_and_representation_decide_how_quasi_identifiers_are_released(name, means, extents, on_grid, gate):
    plan = plan_of(name)
    assert (plan.means, plan.extents, plan.on_grid, plan.gate) == (means, extents, on_grid, gate)


@pytest.mark.parametrize("name", CASES)
def test_a_release_has_the_files_of_its_representation_and_method(name):
    assert plan_of(name).files == FILES.get(name, ("release",))


@pytest.mark.parametrize(
    ("name", "as_they_are"),
    [("mdav", OPEN), ("mdav_permuted", WITHOUT_HEALTH), ("mdav_anatomy", WITHOUT_HEALTH)],
)
def test_sensitive_columns_that_are_permuted_or_separated_do_not_stay_as_they_are(name, as_they_are):
    assert plan_of(name).unchanged == as_they_are


def test_where_sensitive_columns_go():
    permuted, separated = (plan_of(name).columns["health_condition"] for name in ("mdav_permuted", "mdav_anatomy"))
    assert (permuted.is_permuted, permuted.is_separated) == (True, False)
    assert (separated.is_permuted, separated.is_separated) == (False, True)


def test_ends_are_columns_of_the_release_beside_what_they_are_ends_of():
    plan = plan_of("mdav_extents")
    written = plan.release_schema(load(CASES["mdav_extents"]).declared_schema)
    assert {name: plan.ends_of(name) for name in KNOWN if plan.ends_of(name)} == {
        "age": ("age_min", "age_max"),
        "moved_in": ("moved_in_min", "moved_in_max"),
    }
    assert written.quasi_identifiers == (
        "municipality", "sex", "age", "age_min", "age_max", "education", "moved_in", "moved_in_min", "moved_in_max",
    )  # fmt: skip


@pytest.mark.parametrize(
    ("columns", "more", "unit", "shows", "ties"),
    [
        ({}, {}, None, False, False),
        (LIVING_TOGETHER, {}, "household_id", True, True),
        ({"household_id": {"role": "unit"}}, {}, "household_id", False, False),
        (LIVING_TOGETHER, {"output": {"representation": "anatomy"}}, "household_id", True, False),
        (LIVING_TOGETHER, {"output": {"household": "unlinked"}}, "household_id", False, False),
    ],
)
def test_households_are_shown_and_units_are_not(columns, more, unit, shows, ties):
    plan = ReleasePlan.of(load(case(K, DIVERSE, columns=columns, **more)))
    assert (plan.unit, plan.shows_units, plan.links_households) == (unit, shows, ties)
    assert plan.hides_units is (unit is not None and not shows)


@pytest.mark.parametrize(
    ("role", "asked", "more", "grouped"),
    [
        ("household", (K,), {}, True),
        ("household", (K, DIVERSE), {"output": {"household": "unlinked"}}, False),
        ("household", (K,), {"method": {"name": "mdav", "split_households": True}}, False),
        ("household", (K,), {"method": {"name": "mondrian"}}, False),
        ("unit", (K,), {}, False),
        ("unit", (K, DIVERSE), {}, True),
        ("unit", (K, DIVERSE), {"method": {"name": "mdav", "split_households": True}}, False),
        ("identifier", (K, DIVERSE), {}, False),
    ],
)
def test_units_are_grouped_as_vectors_where_it_protects_them(role, asked, more, grouped):
    plan = ReleasePlan.of(load(case(*asked, columns={"household_id": {"role": role}}, **more)))
    assert plan.groups_units is grouped


def test_columns_that_strata_share_are_no_extents_and_cuts_of_the_policy_are_on_no_grid():
    given = case(columns=FEW, method={"name": "gensearch", "cuts": {"age": [30, 50]}, "nodes": 100}, within=["sex"])
    plan = ReleasePlan.of(load(given))
    assert (plan.extents, plan.on_grid) == (("age", "education"), ())


def test_key_sets_follow_the_order_of_the_table_and_nothing_else_does():
    policy = load(CASES["mdav_key_sets"])
    ahead = ReleasePlan.of(policy)
    turned = ReleasePlan.of(policy, type(policy.declared_schema)(reversed(policy.declared_schema.columns)))
    assert [key.columns for key in ahead.key_sets] == [("sex", "age", "education"), ("municipality", "moved_in")]
    assert [key.columns for key in turned.key_sets] == [("education", "age", "sex"), ("moved_in", "municipality")]
    assert turned.columns == ahead.columns
    assert tuple(COLUMNS) == tuple(ahead.columns)


@pytest.mark.gate(but=("mdav", "mdav_households", "mdav_households_unlinked"))
@pytest.mark.parametrize("name", CASES)
def test_who_makes_a_release_and_who_verifies_it_resolve_the_same_plan(name, tmp_path, monkeypatch):
    """On the kept releases: every plan that either resolves, of the whole pipeline of each, is one and the same."""
    for path in INPUTS.iterdir():
        shutil.copy(path, tmp_path / path.name)
    (tmp_path / "policy.toml").write_text(tomlkit.dumps(CASES[name]), encoding="utf-8")
    policy, resolved, resolve = load(tmp_path / "policy.toml"), [], ReleasePlan.of.__func__

    def noted(cls, *given):
        resolved.append(resolve(cls, *given))
        return resolved[-1]

    monkeypatch.setattr(ReleasePlan, "of", classmethod(noted))
    assert shoal.verify(KEPT / name / "release.csv", policy).n_records
    by_verifier = list(resolved)
    made = FittedTable.read(MemoryEngine(), tmp_path / "census.csv", policy).plan
    assert by_verifier
    assert all(plan == made for plan in resolved)
