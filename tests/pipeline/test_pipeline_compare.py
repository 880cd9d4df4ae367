"""The same table under many policies."""

import re

import numpy as np
import pyarrow as pa
import pytest

import shoal
from shoal.assessment.risk_limits import check_limits
from shoal.errors import ComparisonError, SourceError
from shoal.report import render_comparison
from survey_example import desk, of_records, survey, survey_policy

SWAP = {"perturbations": [{"name": "rank_swap", "p": 5, "columns": ["age"]}], "requirements": []}


def figures(tried):
    made = tried.outcome.to_dict()
    return {name: made[name] for name in made if name != "seconds"}


@pytest.mark.gate
def test_policies_are_told_side_by_side():
    compared = shoal.compare(survey(), [survey_policy(3), survey_policy(3, **SWAP), survey_policy(1000)])
    grouped, swapped, far = compared.policies
    assert (grouped.outcome.k_reached >= 3, grouped.outcome.proven) == (True, True)
    assert (swapped.outcome.k_reached, swapped.outcome.proven) == (1, False)
    assert swapped.outcome.linked_persons > grouped.outcome.linked_persons
    assert far.outcome is None
    assert "1000" in far.reason
    assert {point.index for point in compared.points} == {0, 1}


@pytest.mark.gate
def test_a_grid_varies_every_policy_and_misfits_are_lines():
    compared = shoal.compare(survey(), survey_policy(3), grid={"method.name": ["mdav", "mondrian"], "method.k": [2, 5]})
    names = [(tried.settings["method.name"], tried.settings["method.k"]) for tried in compared.policies]
    assert names == [("mdav", 2), ("mdav", 5), ("mondrian", 2), ("mondrian", 5)]
    assert [tried.outcome is None for tried in compared.policies][::2] == [True, True]  # k-anonymity asks for 3
    assert compared.policies[1].outcome.k_reached >= 5


def test_no_loss_of_the_frontier_is_above_100():
    """A value next to zero that moves lets the published loss grow without bound."""
    x, y = np.random.default_rng(0).normal(size=(2, 200))
    table = pa.table({"x": np.where(np.arange(200) == 7, 1e-9, x), "y": y})
    columns = {name: {"role": "quasi_identifier", "kind": "numeric"} for name in ("x", "y")}
    swap = {"columns": columns, "perturbations": [{"name": "rank_swap", "p": 90, "columns": ["x", "y"]}]}
    compared = shoal.compare(table, [swap, {"columns": columns, "requirements": [{"name": "k_anonymity", "k": 150}]}])
    assert max(tried.outcome.score.information_loss for tried in compared.policies) > 100
    assert all(0 < point.loss <= 100 for point in compared.points)
    assert [point.loss for point in compared.points] == [tried.outcome.bounded_loss for tried in compared.policies]


@pytest.mark.gate
def test_the_order_of_the_release_and_the_suppressed_do_not_matter():
    """Who is who is known even where the policy shuffles, and where records are dropped."""
    policy = of_records(survey_policy(3, suppression={"limit": 0.9}, method={"name": "mdav", "merge": False}))
    policy["requirements"].append({"name": "distinct_l_diversity", "l": 3, "column": "disease"})
    plain, shuffled = (
        shoal.compare(survey(), {**policy, "output": {"shuffle": shuffle}}).policies[0] for shuffle in (False, True)
    )
    assert figures(plain) == figures(shuffled)
    release = shoal.protect(survey(), policy)
    assert plain.outcome.suppressed == release.findings["suppressed records"].estimate > 0
    assert plain.outcome.information_loss == pytest.approx(release.findings["information loss"].estimate)


def test_what_cannot_be_read_is_an_error(tmp_path):
    with pytest.raises(SourceError):
        shoal.compare(tmp_path / "nothing.csv", survey_policy())
    with pytest.raises(ComparisonError, match="no policy"):
        shoal.compare(survey(), [])


@pytest.mark.gate
def test_a_page_is_written_whole_and_over_nothing(tmp_path):
    made = desk(tmp_path)
    page = tmp_path / "compare.html"
    shoal.compare(made.data, [made.policy], report=page)
    text = page.read_text(encoding="utf-8")
    assert text.count("<svg role") == 1
    assert "policy" in text
    with pytest.raises(SourceError):
        shoal.compare(made.data, [made.policy], report=page)
    shoal.compare(made.data, [made.policy], report=tmp_path / "compare.md")
    assert "| 1. policy | 3 | yes |" in (tmp_path / "compare.md").read_text(encoding="utf-8")


def test_policies_of_one_name_are_told_apart_by_their_folders(tmp_path):
    """An unreachable k: nothing is released, only names are compared."""
    files = [tmp_path / name / "policy.toml" for name in ("public", "internal")] + [tmp_path / "strict.toml"]
    for file in files:
        file.parent.mkdir(exist_ok=True)
        file.write_text('[[requirements]]\nname = "k_anonymity"\nk = 1000\n[columns.age]\nrole = "quasi_identifier"\n')
    compared = shoal.compare(survey().select(["age"]), files)
    assert [tried.name for tried in compared.policies] == ["public/policy", "internal/policy", "strict"]
    alone = shoal.compare(survey().select(["age"]), [files[0], files[0]])
    assert [tried.name for tried in alone.policies] == ["policy", "policy"]


@pytest.fixture(scope="module")
def limited():
    policy = survey_policy(3, limits={"prosecutor_risk": 0.25, "suppressed": 0.5})
    return shoal.compare(survey(), [policy, survey_policy(3)], grid={"requirements.0.k": [3, 4, 8]})


@pytest.mark.gate
def test_the_least_loss_within_the_limits_is_recommended(limited):
    """Both policies are measured by the limits of the first; only k = 4 and 8 meet them."""
    assert limited.limits == {"prosecutor_risk": 0.25, "suppressed": 0.5}
    meets = [tried.outcome.meets_limits for tried in limited.policies]
    assert meets == [tried.outcome.k_reached >= 4 for tried in limited.policies]
    losses = {point.index: point.loss for point in limited.points}
    chosen = limited.recommended
    assert meets[chosen]
    assert losses[chosen] == min(loss for at, loss in losses.items() if meets[at])
    assert [line["recommended"] for line in limited.to_list()].count(True) == 1
    assert shoal.compare(survey(), survey_policy(3)).recommended is None


@pytest.mark.gate
def test_the_page_says_what_is_recommended_and_which_of_two_is_better(limited):
    page = render_comparison(limited, "survey.csv", "md")
    assert f"Recommended: {limited.name_of(limited.recommended)}".replace("_", "\\_") in page
    for title in ("The frontier", "Which of two is better", "The figures", "The limits"):
        assert f"## {title}" in page
    assert "1. policy 1" in page
    assert "k = 3" in page
    assert "requirements" not in page  # settings have plain names


def test_without_limits_the_page_says_how_to_write_them():
    page = render_comparison(shoal.compare(survey(), survey_policy(3)), "survey.csv", "md")
    assert "No release is recommended" in page
    assert "linked\\_persons = 0.05" in page


@pytest.mark.gate
def test_the_report_of_a_release_says_whether_its_limits_are_met():
    """And nothing else about the release changes."""
    plain = shoal.protect(survey(), survey_policy(3), key=bytes(32))
    release = shoal.protect(
        survey(), survey_policy(3, limits={"linked_persons": 0.0, "suppressed": 1.0}), key=bytes(32)
    )
    assert release.records.equals(plain.records)
    assert "linked_persons" not in plain.report()
    rows = re.findall(r"<tr><th scope=\"row\">(linked_persons|suppressed)<.*?</tr>", release.report(), re.DOTALL)
    assert rows == ["linked_persons", "suppressed"]
    met = [check.is_met for check in check_limits(release.policy.limits.by_name, release.assessment)]
    assert met == [False, True]
