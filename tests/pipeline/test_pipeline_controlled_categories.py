"""Controlled categories from policy to release: shares of a survey kept where modes shift them, and nothing else."""

import pytest

import shoal
from shoal.errors import PolicyError
from shoal.policy import load
from survey_example import survey_policy, write_csv

KEY = bytes(range(32))
SCHOOLS = ["none", "primary", "lower secondary", "upper secondary", "bachelor", "master or higher"]
CATEGORIES = ("sex", "marital_status", "occupation", "education")
CENSUS = shoal.datasets.synthetic_census(1500, 4)


def policy(categories, roles=None, **more):
    columns = {name: {"role": "other"} for name in CENSUS.column_names} | {
        "person_id": {"role": "identifier"},
        "household_id": {"role": "identifier"},
        "age": {"role": "quasi_identifier", "kind": "numeric"},
        "sex": {"role": "quasi_identifier"},
        "marital_status": {"role": "quasi_identifier"},
        "occupation": {"role": "quasi_identifier"},
        "education": {"role": "quasi_identifier", "kind": "ordinal", "order": SCHOOLS},
        "health_condition": {"role": "sensitive"},
        "weight": {"role": "other", "kind": "numeric"},
    }
    output = {"shuffle": False, "categories": categories, **more.pop("output", {})}
    requirements = [{"name": "k_anonymity", "k": 5}, *more.pop("further", ())]
    return {"columns": columns | (roles or {}), "requirements": requirements, "output": output, **more}


def shares(table, name, weights):
    """Shares of the known values, in percent."""
    known = [(value, w) for value, w in zip(table[name].to_pylist(), weights, strict=True) if value is not None]
    total = sum(w for _, w in known)
    return {value: 100 * sum(w for v, w in known if v == value) / total for value in {value for value, _ in known}}


def shifts(released, names=CATEGORIES, weighted=False):
    """The largest change of a share, in points, by column; of persons where records have weights."""
    weights = CENSUS["weight"].to_pylist() if weighted else [1] * len(CENSUS)
    found = {}
    for name in names:
        before, after = (shares(table, name, weights) for table in (CENSUS, released))
        found[name] = max(abs(share - after.get(value, 0)) for value, share in before.items())
    return found


def protect(*args, **more):
    return shoal.protect(CENSUS, policy(*args, **more), key=KEY).table


HOUSEHOLDS = {"household_id": {"role": "household"}}
WEIGHTED = {"weight": {"role": "weight", "kind": "numeric"}}


def test_persons_grouped_singly_keep_shares_within_half_a_point():
    assert max(shifts(protect("controlled")).values()) < 0.5
    assert max(shifts(protect("mode")).values()) > 1


@pytest.mark.gate
def test_members_of_households_averaged_keep_shares_within_1_point():
    assert max(shifts(protect("controlled", HOUSEHOLDS)).values()) < 1
    assert max(shifts(protect("mode", HOUSEHOLDS)).values()) > 3


def test_shares_of_persons_are_kept_where_records_have_weights():
    assert max(shifts(protect("controlled", WEIGHTED), weighted=True).values()) < 0.5


@pytest.mark.gate(but="mondrian")
@pytest.mark.parametrize(
    "rules",
    [
        {"blocking": {"method": "twod_tree", "limit": 300}},
        {"within": ["region"], "suppression": {"limit": 0.2}},
        {"method": {"name": "mondrian"}, "output": {"representation": "centroids"}},
        {"method": {"name": "vmdav", "gamma": 0.4}},
    ],
    ids=["blocks", "strata", "mondrian", "vmdav"],
)
def test_shares_are_kept_block_by_block_and_with_every_method(rules):
    assert max(shifts(protect("controlled", **rules)).values()) < 2
    assert max(shifts(protect("controlled", **rules)).values()) < max(shifts(protect("mode", **rules)).values())


@pytest.mark.gate
def test_every_engine_makes_the_same_release(tmp_path):
    data, made = write_csv(CENSUS.slice(0, 600), tmp_path / "census.csv"), []
    for engine in ("memory", "duckdb"):
        rules = policy("controlled", WEIGHTED, blocking={"method": "twod_tree", "limit": 200})
        shoal.protect(data, rules, output=tmp_path / f"{engine}.csv", engine=engine, key=KEY)
        made.append((tmp_path / f"{engine}.csv").read_bytes())
    assert made[0] == made[1]


def test_groups_and_requirements_are_those_of_modes():
    """Only categories differ: means of the same groups, and requirements that hold as before."""
    diverse = [{"name": "distinct_l_diversity", "l": 2, "column": "health_condition"}]
    mode, controlled = (
        shoal.protect(CENSUS, policy(each, further=diverse), key=KEY) for each in ("mode", "controlled")
    )
    proofs = [shoal.verify(each.table, policy("controlled", further=diverse)) for each in (mode, controlled)]
    assert [proof.holds for proof in proofs] == [True, True]
    assert proofs[1].k_reached >= 5
    assert controlled.table["health_condition"].equals(mode.table["health_condition"])
    assert controlled.groups.equals(mode.groups)


def test_a_policy_of_modes_is_the_policy_without_the_key():
    plain = policy("mode")
    without = plain | {"output": {"shuffle": False}}
    assert load(plain).digest() == load(without).digest() != load(policy("controlled")).digest()


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ({"method": {"name": "none"}}, "method 'none' forms no groups"),
        ({"output": {"categories": "controlled", "representation": "extents"}}, "output.representation = 'centroids'"),
        ({"method": {"name": "mondrian"}}, "output.representation = 'centroids'"),
    ],
)
def test_controlled_categories_without_centroids_are_refused(more, words):
    with pytest.raises(PolicyError, match=r"output\.categories .*" + words):
        load(survey_policy(**{"output": {"categories": "controlled"}, **more}))


def test_controlled_categories_without_a_column_of_categories_are_refused():
    rules = survey_policy(output={"categories": "controlled"})
    for name in ("zip", "grade"):
        rules["columns"][name]["role"] = "other"
        rules["columns"][name].pop("taxonomy", None)
    with pytest.raises(PolicyError, match=r"output\.categories is only allowed with a quasi-identifier of kind"):
        load(rules)
