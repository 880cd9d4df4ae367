"""Results print as a few lines: counts and verdicts, never a cell value, the seed, the key or a folder."""

import numpy as np
import pytest

import shoal
from shoal.assessment.risk.suda import suda
from shoal.blocking.univariate_blocks import univariate_blocks
from shoal.findings import Finding, Findings
from shoal.linkage.intruder import Intruder
from shoal.plan import Partition
from survey_example import desk, survey, survey_policy, write_csv, write_policy

SEED = 987_654_321


@pytest.fixture(scope="module")
def release():
    diversity = {"name": "distinct_l_diversity", "l": 2, "column": "disease"}
    policy = survey_policy(seed=SEED)
    policy["requirements"].append(diversity)
    return shoal.protect(survey(), policy)


def test_a_release_says_what_was_released_and_that_it_holds(release):
    assert repr(release).startswith(
        "Release: 40 records released, 0 suppressed, 10 groups\n"
        "  k_anonymity = 3 holds, reached 3\n"
        "  distinct_l_diversity of disease = 2 holds, reached 2\n"
        "  warning: "
    )


def test_a_written_release_says_the_name_of_its_file_only(tmp_path):
    place = desk(tmp_path)
    shown = repr(shoal.protect(place.data, place.policy, output=place.release))
    assert f"\n  file: {place.release.name}" in shown
    assert str(tmp_path) not in shown


def test_a_release_without_requirements_says_that_nothing_was_proven():
    policy = survey_policy(requirements=[], perturbations=[{"name": "noise", "columns": ["age"]}])
    assert "\n  no requirements: nothing was proven\n" in repr(shoal.protect(survey(), policy))


def test_findings_say_their_figures():
    few = Findings((Finding("k reached", 3, "..."), Finding("information loss", 12.3456, "...", unit="%")))
    assert repr(few) == "Findings: 2\n  k reached: 3\n  information loss: 12.35 %"
    many = Findings(tuple(Finding(f"figure {i}", i, "...") for i in range(30)))
    assert repr(many).splitlines()[-1] == "  and 20 more"
    assert len(repr(many).splitlines()) == 12
    assert repr(Findings()) == "Findings: 0"


def test_a_policy_says_what_must_hold(tmp_path):
    shown = repr(shoal.protect(survey(), write_policy(survey_policy(seed=SEED), tmp_path / "policy.toml")).policy)
    assert shown == (
        "Policy: 11 columns, method mdav\n"
        "  requirements: k_anonymity (k = 3)\n"
        "  quasi-identifiers: zip, age, grade, born\n"
        "  sensitive: disease\n"
        "  file: policy.toml"
    )


def test_an_assessment_says_its_findings(release):
    shown = repr(release.assessment)
    assert shown.startswith("Assessment\n  k reached: 3\n")
    assert shown.endswith(" more")
    assert len(shown.splitlines()) == 12


@pytest.mark.gate
def test_a_comparison_says_which_policy_is_best(tmp_path):
    found = shoal.compare(
        write_csv(survey(), tmp_path / "s.csv"), survey_policy(), grid={"requirements.0.k": [3, 4, 50]}
    )
    assert repr(found).splitlines()[0] == "Comparison: 3 policies, 2 with a release"
    assert len(repr(found).splitlines()) <= 3


@pytest.mark.gate
def test_mends_say_figures_only():
    """Which record is at risk is for the caller alone."""
    policy = survey_policy()
    policy["columns"] |= {name: {"role": "identifier"} for name in ("household", "code", "weight", "note", "born")}
    found = shoal.mend(survey(), policy)
    assert repr(found).startswith("Mends: ")
    assert "risks above their limits" in repr(found)
    assert len(repr(found).splitlines()) == 1 + len(found.mends)


def test_links_and_special_uniques_say_figures_only(release):
    """Which record has which score, or is whose, is for the caller alone."""
    table = survey()
    linked = shoal.link(table, release.table, release.policy, intruder=Intruder(columns=("age",)), truth="position")
    assert repr(linked.links).startswith("Links(40 known persons, 40 with a candidate, ")
    found = suda(np.array([[0, 0], [0, 1], [1, 0], [1, 1], [2, 2]]), fraction=0.1)
    assert repr(found).startswith("Suda(5 records, 5 special uniques, highest DIS-SUDA score ")
    assert "[" not in repr(linked.links) + repr(found)


def test_blocks_are_called_blocks():
    assert repr(Partition(np.array([0, 0, 1]))) == "Partition(3 records in 2 groups of 1 to 2)"
    blocks = univariate_blocks(np.arange(12.0)[:, None], limit=6, k=2)
    assert repr(blocks) == f"Blocks(12 records in {blocks.n_groups} blocks of 6 to 6)"


def test_a_private_manifest_says_counts_only(release):
    private, shown = release.private, repr(release.private)
    assert shown.startswith(f"PrivateManifest: {len(private.findings)} findings, ")
    assert not [
        secret for secret in (private.input_sha256, private.release_sha256, private.policy_sha256) if secret in shown
    ]


@pytest.mark.parametrize("what", ["release", "policy", "assessment", "findings", "private"])
def test_nothing_private_is_shown(release, what):
    thing = release if what == "release" else getattr(release, what)
    shown = repr(thing) + str(thing)
    assert str(SEED) not in shown
    assert release.key.secret.hex() not in shown
    values = {
        str(value) for name in ("person", "zip", "born", "disease", "note") for value in survey()[name].to_pylist()
    }
    assert [value for value in values if value in shown.split()] == []
