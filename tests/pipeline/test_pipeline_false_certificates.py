"""Certificates that somebody changed: verify finds out cost, bound, tree and question."""

import json

import pytest

import shoal
from certificate_example import certificate_desk, changed, outcomes, protected, rules, table
from shoal.errors import CertificateError
from survey_example import shell, write_csv


@pytest.fixture
def place(tmp_path):
    return certificate_desk(tmp_path)


def test_a_lowered_cost_is_found_out(place):
    release, path = protected(place)
    proved = release.certificates[0].certificate
    changed(path, cost=proved.cost - 1, lower_bound=proved.cost - 1)
    alone = shoal.verify(place.release, place.policy, certificate=path)
    assert not alone.holds
    assert outcomes(alone)["cost of the release"] is False
    assert alone.failures == (
        f"certificate, cost of the release: {proved.cost:,.0f} counted, {proved.cost - 1:,.0f} certified",
    )
    proof = shoal.verify(place.release, place.policy, certificate=path, original=place.data)
    assert outcomes(proof)["cost of the original"] is False


def test_a_raised_bound_is_found_out(tmp_path):
    desk = certificate_desk(tmp_path, method={"nodes": 1})
    release, path = protected(desk)
    proved = release.certificates[0].certificate
    assert not proved.is_optimal
    assert shoal.verify(desk.release, desk.policy, certificate=path, original=desk.data).holds
    changed(path, lower_bound=proved.cost)
    assert outcomes(shoal.verify(desk.release, desk.policy, certificate=path))["cost and bound agree"] is False
    changed(path, is_optimal=True)
    proof = shoal.verify(desk.release, desk.policy, certificate=path, original=desk.data)
    assert [check.what for check in proof.checks if check.holds is False] == ["bound"]


def test_another_tree_is_found_out(place):
    release, path = protected(place)
    tree = json.loads(release.certificates[0].certificate.tree)
    flat = {**tree, "parents": [-1], "cut_on": [-1], "part_of": [0]}
    changed(path, tree=flat)
    proof = shoal.verify(place.release, place.policy, certificate=path, original=place.data)
    assert outcomes(proof)["cost of the original"] is False
    assert outcomes(proof)["classes are the blocks"] is False
    moved = json.loads(json.dumps(tree))
    moved["columns"][0]["cuts"][0] = 18.5
    proof = shoal.verify(place.release, place.policy, certificate=changed(path, tree=moved), original=place.data)
    assert outcomes(proof)["splits of the original"] is False
    assert outcomes(shoal.verify(place.release, place.policy, certificate=()))["is not empty"] is False
    with pytest.raises(CertificateError, match="is not a certificate of Shoal"):
        shoal.verify(place.release, place.policy, certificate=changed(path, tree={**tree, "parents": [0]}))


NONSENSE = [
    {"cost": "little"},
    {"cost": None},
    {"loss": "patience"},
    {"splits": 3},
    {"splits": {"age": "many"}},
    {"requirements": [[]]},
    {"n_records": 1.5},
    {"n_nodes": None},
    {"how": 3},
    {"columns": [3]},
    {"stratum": {"region": []}},
    {"more": 1},
]


@pytest.mark.gate(but=("nonsense2", "nonsense3"))
@pytest.mark.parametrize("nonsense", NONSENSE)
def test_what_is_of_another_kind_is_no_certificate(place, nonsense):
    _, path = protected(place)
    with pytest.raises(CertificateError, match="is not a certificate of Shoal"):
        shoal.verify(place.release, place.policy, certificate=changed(path, **nonsense), original=place.data)


def test_other_questions_and_other_tables_are_found_out(place):
    _, path = protected(place)
    proof = shoal.verify(place.release, rules(k=3) | _trees(place), certificate=path)
    assert outcomes(proof)["matches the policy"] is False
    other = write_csv(table(seed=2), place.folder / "other.csv")
    proof = shoal.verify(place.release, place.policy, certificate=path, original=other)
    assert outcomes(proof)["classes are the blocks"] is False
    place.release.write_text(place.release.read_text().replace("low", "LOW", 1))
    proof = shoal.verify(place.release, place.policy, certificate=path)
    assert [check.what for check in proof.checks if check.holds is False] == ["belongs to this file"]


def _trees(desk):
    columns = rules()["columns"]
    columns["job"]["taxonomy"] = str(desk.folder / "jobs.csv")
    return {"columns": columns}


def test_the_cost_of_classes_is_counted_from_the_target_of_the_release(tmp_path):
    desk = certificate_desk(tmp_path, method={"loss": "classification", "target": "income", "nodes": 500})
    _, path = protected(desk)
    proof = shoal.verify(desk.release, desk.policy, certificate=path)
    assert outcomes(proof)["cost of the release"] is True
    changed(path, cost=1.0, lower_bound=0.0, is_optimal=False)
    assert outcomes(shoal.verify(desk.release, desk.policy, certificate=path))["cost of the release"] is False


def test_a_certificate_about_an_unknown_target_is_untrue_not_a_fault_of_shoal(place):
    _, path = protected(place)
    content = json.loads(path.read_text())
    content["certificates"][0].update(loss="classification", target="nobody")
    path.write_text(json.dumps(content))
    proof = shoal.verify(place.release, place.policy, certificate=path, original=place.data)
    assert {check.what for check in proof.checks if check.holds is False} == {"matches the policy"}


@pytest.mark.gate(but="discernibility")
@pytest.mark.parametrize("loss", ["discernibility", "volume", "certainty"])
def test_a_forged_bound_is_open_without_the_original(tmp_path, loss):
    """Cost and release are true; that nothing costs less was made up. Only the original can tell."""
    desk = certificate_desk(tmp_path, method={"nodes": 1, "loss": loss})
    release, path = protected(desk)
    cost = release.certificates[0].certificate.cost
    changed(path, lower_bound=cost, is_optimal=True, how="every box whose cost could have been less was looked into")
    words = ["verify", desk.release, "-p", desk.policy, "--certificate", path]
    assert outcomes(shoal.verify(desk.release, desk.policy, certificate=path))["bound"] is None
    said = shell(*words)
    assert f"  open   certificate, bound: not checked for the loss {loss}: this needs the original" in said.out
    assert said.out.endswith("Proven. What is open is neither proven nor refuted.\n")
    (bound,) = (check for check in json.loads(shell(*words, "--json").out)["checks"] if check["what"] == "bound")
    assert bound["holds"] is None
    proof = shoal.verify(desk.release, desk.policy, certificate=path, original=desk.data)
    assert outcomes(proof)["bound"] is False


def test_an_optimum_costs_what_its_bound_says(tmp_path):
    desk = certificate_desk(tmp_path, method={"nodes": 1})
    release, path = protected(desk)
    proved = release.certificates[0].certificate
    assert proved.lower_bound < proved.cost
    for told in ({"is_optimal": True}, {"lower_bound": proved.cost}, {"lower_bound": proved.cost + 1}):
        changed(path, **{"is_optimal": False, "lower_bound": proved.lower_bound} | told)
        assert outcomes(shoal.verify(desk.release, desk.policy, certificate=path))["cost and bound agree"] is False
