"""Key sets: requirements that share a column are about one set of quasi-identifiers."""

from itertools import permutations

import pytest

import shoal
from shoal.errors import PolicyError, TableError
from shoal.policy import ReleasePlan, load


def sets_of(*asked, ks=None):
    """The key sets of requirements about these columns, by the columns of each, and their k."""
    names = sorted({name for columns in asked for name in columns})
    policy = load(
        {
            "columns": {name: {"role": "quasi_identifier", "kind": "numeric"} for name in names},
            "requirements": [
                {"name": "k_anonymity", "k": k, "columns": list(columns)}
                for columns, k in zip(asked, ks or [2] * len(asked), strict=True)
            ],
        }
    )
    found = ReleasePlan.of(policy).key_sets
    return {"".join(key.columns): key.k for key in found}


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        (["ab", "cd"], {"ab", "cd"}),
        (["ab", "bc"], {"abc"}),
        (["ab", "bc", "d"], {"abc", "d"}),
        (["ab", "cd", "bc"], {"abcd"}),  # two sets that a third one ties together
        (["a", "ab", "abc"], {"abc"}),
        (["ab", "ab"], {"ab"}),
    ],
)
def test_sets_that_share_a_column_are_one_in_any_order(asked, found):
    for order in permutations(asked):
        assert set(sets_of(*order)) == found


def test_the_largest_k_of_a_set_holds_for_all_of_it():
    assert sets_of("ab", "bc", "d", ks=[3, 7, 4]) == {"abc": 7, "d": 4}


def test_every_quasi_identifier_is_in_a_set():
    columns = {name: {"role": "quasi_identifier", "kind": "numeric"} for name in "ab"}
    policy = load({"columns": columns, "requirements": [{"name": "k_anonymity", "k": 2, "columns": ["a"]}]})
    with pytest.raises(PolicyError, match="none names b"):
        _ = ReleasePlan.of(policy).key_sets


@pytest.mark.parametrize("infinite", [float("inf"), -float("inf")])
def test_infinite_sensitive_values_are_refused(infinite):
    table = {"age": [30.0, 31.0, 32.0, 33.0], "income": [1.0, 2.0, infinite, 4.0]}
    rules = {"age": {"role": "quasi_identifier", "kind": "numeric"}, "income": {"role": "sensitive", "kind": "numeric"}}
    with pytest.raises(TableError, match=r"columns\.income has infinite values"):
        shoal.protect(table, {"columns": rules, "requirements": [{"name": "k_anonymity", "k": 2}]})
