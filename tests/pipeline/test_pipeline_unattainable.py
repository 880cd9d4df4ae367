"""Demands that nobody can meet: the requirement, its column and the nearest value that can be met are named."""

from __future__ import annotations

import random
import re
from types import SimpleNamespace

import pyarrow as pa
import pytest

import shoal
from shoal.errors import PolicyError, RequirementError, TableError, TaxonomyError
from shoal.errors.base import rounded_away
from shoal.pipeline.protect.unattainable import raise_if_unattainable
from shoal.policy import ReleasePlan, load

N = 60


def patients() -> pa.Table:
    draw = random.Random(2)
    return pa.table(
        {
            "age": [draw.randint(18, 80) for _ in range(N)],
            "town": [f"T{at % 30}" for at in range(N)],
            "patient": [f"P{at // 5}" for at in range(N)],
            "illness": ["flu"] * 45 + ["gout"] * 15,
            "cost": [float(at + 1) for at in range(N)],
        }
    )


def policy(*requirements, **more):
    columns = {
        "age": {"role": "quasi_identifier", "kind": "numeric"},
        "town": {"role": "identifier"},
        "patient": {"role": "identifier"},
        "illness": {"role": "sensitive"},
        "cost": {"role": "sensitive", "kind": "numeric"},
    }
    return {"columns": columns, "requirements": [{"name": "k_anonymity", "k": 3}, *requirements]} | more


ASKED = {
    "distinct_l_diversity": ({"l": 4}, "l", "2 or less"),
    "entropy_l_diversity": ({"l": 2}, "l", "1.754 or less"),  # exp of the entropy of 3/4 and 1/4
    "recursive_l_diversity": ({"c": 2, "l": 2}, "l", None),  # 45 < 2 * 15 does not hold, and l = 1 says nothing
    "alpha_k_anonymity": ({"alpha": 0.6, "k": 3}, "alpha", "0.75 or more"),
    "m_invariance": ({"m": 2}, "m", None),  # 3/4 have one value, and m = 1 says nothing
}
METHODS = [{"name": "mdav"}, {"name": "mondrian"}, {"name": "global_recoding"}, {"name": "gensearch", "nodes": 20}]


@pytest.mark.gate(but=("recursive_l_diversity-mdav", "distinct_l_diversity-mdav", "distinct_l_diversity-mondrian"))
@pytest.mark.parametrize("method", METHODS, ids=lambda method: method["name"])
@pytest.mark.parametrize("name", ASKED)
def test_the_requirement_its_column_and_the_nearest_value_are_named(name, method):
    keys, measure, nearest = ASKED[name]
    asked = {"name": name, "column": "illness", **keys}
    with pytest.raises(RequirementError) as said:
        shoal.protect(patients(), policy(asked, method=method))
    words = str(said.value)
    assert words.startswith(f"{name} of 'illness': {measure} = {keys[measure]:g} cannot be met")
    assert "raise k" not in words.lower()
    if nearest is None:
        assert f"No other {measure} can be met either" in words
        return
    assert f"Require {measure} = {nearest}" in words
    asked[measure] = type(keys[measure])(float(nearest.split()[0])) if measure == "alpha" else float(nearest.split()[0])
    asked[measure] = int(asked[measure]) if name == "distinct_l_diversity" else asked[measure]
    shoal.protect(patients(), policy(asked, method=method))  # and it can be met


def test_the_value_that_every_reading_meets_is_named():
    """Of three spellings two are one illness: l = 3 holds of what is written, and not of what is read."""
    table = patients().set_column(3, "illness", pa.array(["flu", "Flu ", "gout"] * (N // 3)))
    asked = {"name": "distinct_l_diversity", "l": 4, "column": "illness"}
    with pytest.raises(RequirementError, match=r"Require l = 2 or less"):
        shoal.protect(table, policy(asked))
    assert shoal.protect(table, policy(asked | {"l": 2})).manifest.counts["n_suppressed"] == 0


def test_the_same_with_local_suppression():
    asked = {"name": "distinct_l_diversity", "l": 4, "column": "illness"}
    with pytest.raises(
        RequirementError, match=r"distinct_l_diversity of 'illness': l = 4 cannot .* Require l = 2 or less"
    ):
        shoal.protect(patients(), policy(asked, local_suppression={}))


def test_units_are_counted():
    rules = policy(requirements=[{"name": "k_anonymity", "k": 20}])
    rules["columns"]["patient"]["role"] = "unit"
    with pytest.raises(RequirementError, match=r"k_anonymity: k = 20 cannot be met.* Require k = 12 or less"):
        shoal.protect(patients(), rules)


def test_k_above_n_names_the_largest_k():
    with pytest.raises(TableError, match=rf"requirements\[1\]\.k = 61 needs .* Set requirements\[1\]\.k = {N} or less"):
        shoal.protect(patients(), policy(requirements=[{"name": "k_anonymity", "k": 61}]))
    risk = [{"name": "k_anonymity", "k": 3}, {"name": "prosecutor_risk", "maximum": 0.01}]
    with pytest.raises(RequirementError, match=r"prosecutor_risk: maximum = 0\.01 cannot .* = 0\.01667 or"):
        shoal.protect(patients(), policy(requirements=risk))


def test_a_hierarchy_without_parents_names_its_row(tmp_path):
    (tmp_path / "ages.csv").write_text("18\n19\n")
    rules = policy()
    rules["columns"]["age"]["taxonomy"] = str(tmp_path / "ages.csv")
    with pytest.raises(TaxonomyError, match=r"columns\.age\.taxonomy: .*ages\.csv: the lines have one field"):
        shoal.protect(patients(), rules)


def test_the_setting_that_releases_is_named_and_does():
    """Groups that fail are suppressed; merged, none would be."""
    asked = {"name": "distinct_l_diversity", "l": 2, "column": "illness"}
    rules = policy(asked, method={"name": "mdav", "merge": False})
    with pytest.raises(RequirementError, match=r"With method\.merge = true, 60 of 60 records are released"):
        shoal.protect(patients(), rules)
    assert (
        shoal.protect(patients(), rules | {"method": {"name": "mdav", "merge": True}}).manifest.counts["n_suppressed"]
        == 0
    )


@pytest.mark.parametrize(("n", "words"), [(0, "has no records, so there is nothing to"), (1, "has 1. Add records")])
def test_a_table_that_no_k_fits_is_not_advised_to_lower_it(n, words):
    with pytest.raises(TableError, match=words) as complaint:
        shoal.protect(patients().slice(0, n), policy(requirements=[{"name": "k_anonymity", "k": 3}]))
    assert "or less" not in str(complaint.value)


def test_an_average_below_one_record_in_all():
    asked = {"name": "marketer_risk", "average": 0.01}
    with pytest.raises(RequirementError, match=r"marketer_risk: average = 0\.01 cannot .* average = 0\.01667 or more"):
        shoal.protect(patients(), policy(asked, method={"name": "mdav", "k": 3}))


@pytest.mark.parametrize("limit", [0, 0.02])
def test_a_limit_that_one_class_breaks_names_the_limit_that_would_do(limit):
    """Groups that fail are suppressed and not merged."""
    rules = policy(
        {"name": "distinct_l_diversity", "l": 2, "column": "illness"},
        method={"name": "mdav", "merge": False},
        suppression={"limit": limit},
    )
    with pytest.raises(RequirementError, match="fail distinct_l_diversity of 'illness'") as said:
        shoal.protect(patients(), rules)
    named = re.search(r"Set suppression\.limit = ([0-9.]+) or more", str(said.value))
    assert named
    release = shoal.protect(patients(), rules | {"suppression": {"limit": float(named[1])}})
    assert release.manifest.counts["n_suppressed"] > 0


def test_small_strata_name_the_limit_that_would_do():
    table = patients().append_column("area", pa.array(["north"] * 58 + ["south"] * 2))
    rules = policy(within=["area"])
    rules["columns"]["area"] = {"role": "other"}
    with pytest.raises(RequirementError, match=r"set suppression\.limit = 0\.03334 or more"):
        shoal.protect(table, rules)
    assert shoal.protect(table, rules | {"suppression": {"limit": 0.03334}}).manifest.counts["n_suppressed"] == 2


def test_where_records_may_be_suppressed_nothing_is_refused_before_it_was_tried():
    """A class of two may have equal shares although the whole has not."""
    table = pa.table({"age": [1, 1, 9, 9, 9, 9], "s": ["a", "b", "a", "a", "a", "a"]})
    rules = {
        "columns": {"age": {"role": "quasi_identifier", "kind": "numeric"}, "s": {"role": "sensitive"}},
        "requirements": [{"name": "k_anonymity", "k": 2}, {"name": "entropy_l_diversity", "l": 2, "column": "s"}],
        "method": {"name": "mdav", "merge": False},
    }
    with pytest.raises(RequirementError, match=r"entropy_l_diversity of 's': l = 2 cannot be met"):
        shoal.protect(table, rules)
    assert shoal.protect(table, rules | {"suppression": {"limit": 0.7}}).manifest.counts["n_released"] == 2


def test_one_class_of_all_records_is_said():
    """t of almost 0 puts everybody into one class."""
    closest = {"name": "t_closeness", "t": 0.001, "column": "cost", "distance": "ordered"}
    release = shoal.protect(patients(), policy(closest))
    assert release.manifest.counts["n_classes"] == 1
    assert any("All records of the release are in one class" in note for note in release.manifest.notes)
    others = shoal.protect(patients(), policy())
    assert not any("in one class" in note for note in others.manifest.notes)


def test_a_hierarchical_distance_without_a_taxonomy_is_an_error_of_the_policy():
    roles = shoal.Schema([shoal.Column("age", "quasi_identifier", "numeric"), shoal.Column("illness", "sensitive")])
    asked = shoal.TCloseness(0.2, "illness", "hierarchical")
    with pytest.raises(PolicyError, match="needs a taxonomy of column 'illness'"):
        shoal.mondrian(patients().select(["age", "illness"]), roles, [shoal.KAnonymity(3), asked])


@pytest.mark.parametrize(
    ("value", "down", "up"),
    [
        (1.98765, "1.987", "1.988"),
        (0.0333333, "0.03333", "0.03334"),
        (12, "12", "12"),
        (0.75, "0.75", "0.75"),
        (123456, "123400", "123500"),
    ],
)
def test_a_limit_is_rounded_to_the_side_where_it_is_met(value, down, up):
    assert (rounded_away(value, up=False), rounded_away(value, up=True)) == (down, up)


def test_the_number_of_records_is_compared_with_k_without_a_list_of_them():
    table = SimpleNamespace(plan=ReleasePlan.of(load(policy())), schema=SimpleNamespace(unit=None), n_records=10**12)
    raise_if_unattainable(table)
    table.n_records = 2
    with pytest.raises(RequirementError, match="k_anonymity"):
        raise_if_unattainable(table)
