"""What may be dropped, and what happens where more would have to be."""

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import shoal
from shoal.errors import PolicyError, RequirementError
from shoal.pipeline.protect.group_index import check_suppression_limit
from survey_example import desk, in_order, shell, survey

DIVERSE = [{"name": "k_anonymity", "k": 2}, {"name": "distinct_l_diversity", "l": 2, "column": "s"}]
COLUMNS = {"a": {"role": "quasi_identifier", "kind": "numeric"}, "s": {"role": "sensitive"}}
TABLE = {"a": [1, 2, 30, 40, 500, 600], "s": ["x", "x", "x", "y", "x", None]}  # two groups of one value


def policy(limit, **method):
    return {
        "requirements": DIVERSE,
        "columns": COLUMNS,
        "suppression": {"limit": limit},
        "method": {"merge": False} | method,
    }


def test_failing_groups_are_merged_unless_the_policy_says_no():
    release = shoal.protect(TABLE, policy(0.0, merge=True))
    assert release.manifest.counts["n_suppressed"] == 0
    assert len(release.table["a"]) == 6
    assert shoal.verify(release.table, policy(0.0))


def test_failing_groups_are_dropped_and_counted():
    release = shoal.protect(TABLE, in_order(policy(0.7)))
    assert release.table == {"a": [35.0, 35.0], "s": ["x", "y"]}
    assert (release.manifest.counts["n_suppressed"], release.manifest.counts["n_released"]) == (4, 2)
    assert release.findings["suppressed records"].estimate == pytest.approx(400 / 6)
    assert release.groups["group"].null_count == 4
    assert shoal.verify(release.table, policy(0.7))


def test_beyond_the_limit_there_is_nothing(tmp_path):
    place = desk(tmp_path, pa.table(TABLE), policy(0.5))
    place.release.write_text("old")
    before = place.files()
    said = shell("protect", place.data, "--policy", place.policy, "--output", place.release, "--force")
    assert said.code == 1
    assert "4 of 6 records (66.67%)" in said.err
    assert "suppression.limit allows 50.00%" in said.err
    assert said.out == ""
    assert place.files() == before
    assert place.release.read_text() == "old"


@given(st.integers(1, 400), st.data())
def test_the_limit_is_kept_exactly(n, data):
    """A limit of m / n lets m of n records go, and not one more, whatever floating point makes of m / n * n."""
    m = data.draw(st.integers(0, n - 1))
    check_suppression_limit(m, n, m / n)
    if m:
        with pytest.raises(RequirementError):
            check_suppression_limit(m, n, (m - 1) / n)


def test_a_release_of_no_record_is_none():
    with pytest.raises(RequirementError, match=r"distinct_l_diversity of 's': l = 2 cannot be met"):
        shoal.protect({"a": [1, 2, 3, 4], "s": ["x"] * 4}, policy(1.0))


def test_a_policy_without_k_is_refused():
    without = {"columns": COLUMNS, "requirements": DIVERSE[1:]}
    with pytest.raises(PolicyError, match="no k is given"):
        shoal.protect(TABLE, without)


def test_without_requirements_nothing_is_promised(tmp_path):
    place = desk(tmp_path, pa.table(TABLE), {"columns": COLUMNS, "method": {"k": 3}})
    said = shell("protect", place.data, "-p", place.policy, "-o", place.release)
    assert said.code == 0
    assert "nothing was proved about its records" in said.out
    assert "checked as written" in said.out
    assert "proven" not in said.out
    release = shoal.protect(place.data, place.policy)
    assert release.manifest.proof["verdicts"] == ()
    assert release.manifest.k_reached == 3
    said = shell("verify", place.release, "-p", place.policy)
    assert (said.code, "no requirement was proven" in said.out) == (0, True)


def test_the_method_may_make_larger_groups_than_asked():
    columns = {"age": {"role": "quasi_identifier", "kind": "numeric"}}
    asked = {"requirements": [{"name": "k_anonymity", "k": 2}], "columns": columns, "method": {"k": 5}}
    release = shoal.protect(survey().select(["age"]).drop_null(), asked)
    assert release.manifest.k_reached >= 5
    with pytest.raises(PolicyError, match=r"method\.k must be 5 or more, got 3"):
        shoal.protect({}, asked | {"requirements": [{"name": "k_anonymity", "k": 5}], "method": {"k": 3}})
