"""A release tells how many persons an intruder finds in it."""

import json

import numpy as np
import pyarrow as pa
import pytest

import shoal
from shoal.assessment.risk.membership import NEEDS_POPULATION
from shoal.pipeline.protect import own_assessment
from survey_example import desk, of_records, shell, survey, survey_policy

pytestmark = pytest.mark.linkage


@pytest.mark.gate(but="extents")
@pytest.mark.parametrize(
    "more",
    [
        {"method": {"name": "mdav"}},
        {"method": {"name": "mondrian"}},
        {"suppression": {"limit": 0.9}, "method": {"name": "mdav", "merge": False}},
        {"perturbations": [{"name": "rank_swap", "p": 10, "columns": ["age", "born"]}], "requirements": []},
        {"method": {"name": "mdav"}, "output": {"representation": "anatomy"}},
    ],
    ids=["centroids", "extents", "suppressed", "perturbed", "anatomy"],
)
def test_protect_finds_what_assess_finds(more):
    policy = of_records(survey_policy(**more))
    if "suppression" in more:
        policy["requirements"].append({"name": "distinct_l_diversity", "l": 3, "column": "disease"})
    policy["output"] = {**policy.get("output", {}), "shuffle": True}
    release = shoal.protect(survey(), policy)
    found = shoal.assess(survey(), release.table, policy)
    for by, linkage in release.assessment.linkages.items():
        assert linkage.to_dict() == found.linkages[by].to_dict()
    assert set(release.assessment.linkages) == set(found.linkages) & {"distance", "extents", "informed"} >= {"distance"}
    assert release.findings["linked persons, distance"] == found.findings["linked persons, distance"]


def test_the_manifest_tells_it_without_a_record(tmp_path):
    at = desk(tmp_path)
    shoal.protect(at.data, at.policy, output=at.release)
    told = {line["name"]: line for line in json.loads((at.folder / "release.private.json").read_text())["findings"]}
    assert 0 <= told["linked persons, distance"]["estimate"] <= 100
    assert told["linked persons, distance"]["interval"] is None  # everybody was searched for


@pytest.mark.gate
def test_of_many_persons_a_sample_is_looked_for_and_an_interval_told(monkeypatch):
    everybody = shoal.protect(survey(400), survey_policy())
    monkeypatch.setattr(own_assessment, "MOST_COMPARED", 1)
    some = shoal.protect(survey(400), survey_policy())
    linkage = some.assessment.linkages["distance"]
    assert len(linkage.persons) == own_assessment.FEWEST_PERSONS
    assert linkage.n_released == 400
    whole = everybody.assessment.linkages["distance"]
    assert len(whole.persons) == 400
    assert np.diff(linkage.interval) > np.diff(whole.interval)
    low, high = linkage.interval
    assert low <= whole.risk <= high


def test_what_is_too_large_is_said_and_not_guessed(monkeypatch):
    monkeypatch.setattr(own_assessment, "MOST_COORDINATES", 1)
    release = shoal.protect(survey(), survey_policy())
    assert "linked persons, distance" not in {finding.name for finding in release.findings}
    told = [str(figure) for figure in release.assessment.not_measured if figure.reason != NEEDS_POPULATION]
    assert told == ["linked persons, distance: not measured: the release is too large. Try shoal link."]


@pytest.mark.parametrize(("most", "is_measured"), [(20, True), (19, False)])
def test_a_release_may_be_as_large_as_it_may(monkeypatch, most, is_measured):
    """20 records of one coordinate."""
    monkeypatch.setattr(own_assessment, "MOST_COORDINATES", most)
    policy = {
        "requirements": [{"name": "k_anonymity", "k": 2}],
        "columns": {"age": {"role": "quasi_identifier", "kind": "numeric"}},
    }
    release = shoal.protect(pa.table({"age": list(range(20))}), policy)
    assert ("distance" in release.assessment.linkages) == is_measured


def test_everybody_is_told_what_was_not_measured(tmp_path, monkeypatch):
    """Manifest, report and shell: who finds no figure there finds why."""
    monkeypatch.setattr(own_assessment, "MOST_COORDINATES", 1)
    at = desk(tmp_path)
    page = tmp_path / "page.html"
    said = shell("protect", at.data, "-p", at.policy, "-o", at.release, "--report", page)
    words = "linked persons, distance: not measured: the release is too large. Try shoal link."
    assert f"note: {words}" in said.out.splitlines()
    assert words in json.loads(at.manifest.read_text())["notes"]
    assert words in page.read_text()


@pytest.mark.gate(but="{'method': {'name': 'mdav'}}")
@pytest.mark.parametrize("more", [{"method": {"name": "mdav"}}, {"output": {"representation": "anatomy"}}], ids=str)
def test_it_changes_nothing_that_is_handed_out(tmp_path, monkeypatch, more):
    def released(folder):
        folder.mkdir()
        shoal.protect(survey(), survey_policy(**more), output=folder / "release.csv", key=bytes(32))
        manifest = json.loads((folder / "release.manifest.json").read_text())
        tables = [path.read_bytes() for path in sorted(folder.glob("*.csv"))]
        return tables, [manifest[part] for part in ("output", "counts", "k_reached", "proof")]

    searched = released(tmp_path / "searched")
    monkeypatch.setattr(own_assessment, "_with_linkage", lambda assessment, *_: assessment)
    assert released(tmp_path / "not searched") == searched
