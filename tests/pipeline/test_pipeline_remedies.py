"""Advice of a message on too many suppressed records: it names what helps, by requirement."""

import pyarrow as pa
import pytest

import shoal
from shoal.errors import FailingClasses, RequirementError

N = 60


def firms():
    """One firm of the smaller industry has nearly all of its turnover."""
    return pa.table(
        {
            "industry": ["steel"] * 40 + ["glass"] * 20,
            "staff": [at % 7 for at in range(N)],
            "turnover": [100 + at for at in range(40)] + [1_000] + [10 + at for at in range(19)],
        }
    )


def policy(within, requirement, **more):
    columns = {
        "industry": {"role": "other"},
        "staff": {"role": "quasi_identifier", "kind": "numeric"},
        "turnover": {"role": "sensitive", "kind": "numeric"},
    }
    asked = {"columns": columns, "requirements": [{"name": "k_anonymity", "k": 3}, requirement], "within": within}
    return asked | {"method": {"name": "mdav", "merge": False}, "suppression": {"limit": 0.02}} | more


DOMINANCE = {"name": "dominance", "column": "turnover", "contributors": 1, "share": 0.6}


@pytest.mark.parametrize("requirement", [DOMINANCE, {"name": "p_percent", "column": "turnover", "p": 10}])
def test_amounts_within_strata_need_coarser_strata_and_not_a_larger_k(requirement):
    with pytest.raises(RequirementError) as said:
        shoal.protect(firms(), policy(["industry"], requirement))
    words = str(said.value)
    assert requirement["name"] in words
    assert "use fewer or coarser columns in within (industry), or weaken" in words
    assert "raise k" not in words.lower()


def test_a_larger_k_is_named_where_larger_classes_have_more_values():
    failing = FailingClasses(["distinct_l_diversity of 'illness'"], ["totals", "counts"], k=3, grow_with_k=True)
    assert "raise k, or weaken" in str(RequirementError.suppression_above_limit(3, 60, 0.0, failing))


def test_a_larger_k_is_never_named_where_classes_are_too_small():
    failing = FailingClasses(["k_anonymity"], ["totals"], unit="patient", k=3, grow_with_k=True)
    for words in (
        str(RequirementError.suppression_above_limit(3, 60, 0.0, failing)),
        str(RequirementError.nothing_left(60, failing)),
    ):
        assert "raise k" not in words.lower()
        assert "ecode the quasi-identifiers more coarsely, lower k, which counts different values of 'patient'" in words


def test_values_of_classes_that_no_method_forms_need_coarser_columns():
    failing = FailingClasses(["distinct_l_diversity of 'illness'"], ["totals", "counts"])
    words = str(RequirementError.nothing_left(60, failing))
    assert words.endswith("Recode the quasi-identifiers more coarsely, or weaken the requirements.")


@pytest.mark.parametrize("k", [None, 2])
def test_no_k_is_named_where_none_is_stated_or_none_is_lower(k):
    for reads in (["totals"], ["counts"]):
        failing = FailingClasses(["prosecutor_risk"], reads, k=k, grow_with_k=k is None)
        words = str(RequirementError.suppression_above_limit(3, 60, 0.0, failing))
        assert "r k" not in words
        assert "e k" not in words
        assert "recode the quasi-identifiers more coarsely, or weaken" in words
