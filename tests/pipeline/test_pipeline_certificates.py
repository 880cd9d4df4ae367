"""Certificates: written beside the release, rechecked by verify, and read by the shell."""

import json

import pytest

import shoal
from certificate_example import certificate_desk, changed, outcomes, protected, rules
from shoal.errors import CertificateError
from shoal.pipeline.files.certificates import Certificates
from survey_example import shell, write_policy


@pytest.fixture
def place(tmp_path):
    return certificate_desk(tmp_path)


ALL = {
    "belongs to this file",
    "matches the policy",
    "cost and bound agree",
    "cost of the release",
    "records of the release",
    "splits of the original",
    "cost of the original",
    "requirements of its blocks",
    "bound",
    "classes are the blocks",
}


def test_it_lies_beside_the_release_for_its_owner_only_and_holds(place):
    release, path = protected(place)
    assert path.stat().st_mode & 0o777 == 0o600
    assert Certificates.read(path).certified == release.certificates
    told = json.loads(path.read_text())["certificates"][0]
    assert told["splits"] == {"age": 5, "job": 4, "town": 2}
    assert told["tree"]["columns"][0]["cuts"] == [19, 20, 21, 22]
    assert ["nurse", "health", "*"] in told["tree"]["columns"][1]["paths"]
    proof = shoal.verify(place.release, place.policy, certificate=path, original=place.data)
    assert proof.holds
    assert outcomes(proof) == dict.fromkeys(ALL, True)
    alone = shoal.verify(place.release, place.policy, certificate=release.certificates)
    assert set(outcomes(alone)) == ALL - {
        "belongs to this file",
        "splits of the original",
        "cost of the original",
        "requirements of its blocks",
        "classes are the blocks",
    }
    assert outcomes(alone)["bound"] is None
    assert alone.to_dict()["checks"]


def test_what_the_search_cost_is_told_to_its_owner_alone(place):
    release, _ = protected(place)
    (figures,) = json.loads(place.manifest.read_text())["plans"]
    assert set(figures) == {"columns", "n_blocks", "depth"}
    private = place.folder / "release.private.json"
    assert private.stat().st_mode & 0o777 == 0o600
    (kept,) = json.loads(private.read_text())["plans"]
    certificate = release.certificates[0].certificate
    assert kept["cost"] == kept["lower_bound"] == certificate.cost
    assert (kept["gap"], kept["is_optimal"], kept["n_nodes"]) == (0, True, certificate.n_nodes)
    assert (kept["loss"], kept["columns"], kept["stratum"]) == ("discernibility", ["age", "job", "town"], {})


@pytest.mark.gate
def test_of_all_files_only_release_and_manifest_may_be_read_by_others(place):
    protected(place, report=place.folder / "report.html", mapping=place.folder / "mapping.csv")
    made = {path.name for path in place.folder.iterdir() if path.suffix != ".toml"} - {"jobs.csv", place.data.name}
    public = {name for name in made if (place.folder / name).stat().st_mode & 0o077}
    assert public == {place.release.name, place.manifest.name}
    assert {"release.private.json", "release.certificate.json", "report.html", "mapping.csv"} < made


def test_strata_and_key_sets_have_a_certificate_each(tmp_path):
    requirements = [
        {"name": "k_anonymity", "k": 4, "columns": ["age", "job"]},
        {"name": "k_anonymity", "k": 3, "columns": ["town"]},
    ]
    desk = certificate_desk(tmp_path, within=["region"], requirements=requirements)
    release, path = protected(desk)
    about = [(one.columns, one.stratum["region"]) for one in release.certificates]
    assert about == [
        (("age", "job"), "north"),
        (("age", "job"), "south"),
        (("town",), "north"),
        (("town",), "south"),
    ]
    proof = shoal.verify(desk.release, desk.policy, certificate=path, original=desk.data)
    assert proof.holds
    assert all(check.holds for check in proof.checks)
    content = json.loads(path.read_text())
    content["certificates"].pop()
    path.write_text(json.dumps(content))
    proof = shoal.verify(desk.release, desk.policy, certificate=path, original=desk.data)
    assert outcomes(proof)["one for every stratum"] is False


@pytest.mark.gate
def test_replay_writes_the_same_and_nothing_is_replaced_unasked(place):
    release, path = protected(place)
    first = path.read_text()
    path.unlink()
    again = place.folder / "again"
    again.mkdir()
    shoal.replay(place.manifest, output=again / "release.csv", key=release.key)
    assert (again / "release.certificate.json").read_text() == first
    said = shell("protect", place.data, "-p", place.policy, "-o", place.folder / "new.csv")
    assert said.code == 0
    assert (
        "Proven optimal for the loss discernibility: no hierarchical partition with these cuts costs less." in said.out
    )
    assert "new.certificate.json" in said.out
    (place.folder / "new.csv").unlink()
    (place.folder / "new.manifest.json").unlink()
    said = shell("protect", place.data, "-p", place.policy, "-o", place.folder / "new.csv")
    assert said.code == 2
    assert not (place.folder / "new.csv").exists()
    folder = release.write(place.folder / "folder")
    assert (folder / "release.certificate.json").stat().st_mode & 0o777 == 0o600
    assert shoal.verify(folder / "release.csv", place.policy, certificate=folder / "release.certificate.json").holds


def test_no_other_method_leaves_a_certificate(place):
    write_policy(rules(method={}) | {"method": {"name": "mondrian"}}, place.policy)
    release, path = protected(place)
    assert release.certificates == ()
    assert not path.exists()
    with pytest.raises(CertificateError, match="the method mondrian, which proves no optimum"):
        shoal.verify(place.release, place.policy, certificate=())


def test_the_shell_says_what_holds_and_what_does_not(place):
    _, path = protected(place)
    words = ["verify", place.release, "-p", place.policy, "--certificate", path]
    said = shell(*words, "--original", place.data)
    assert said.code == 0
    assert "  holds  certificate, bound: proved again" in said.out
    assert said.out.endswith("Proven.\n")
    (first, *_) = json.loads(shell(*words, "--json").out)["checks"]
    assert first == {"what": "belongs to this file", "holds": True, "detail": "SHA-256", "of": ""}
    changed(path, cost=1.0, lower_bound=1.0)
    said = shell(*words)
    assert said.code == 1
    assert "FAILS  certificate, cost of the release" in said.out
    assert "the certificate does not apply to it" in said.err
    for bad in ("", "{}", '{"format": "x"}', '{"format": "shoal certificates 1", "certificates": [3], "release": 1}'):
        path.write_text(bad)
        said = shell(*words)
        assert said.code == 2
        assert "is not a certificate of Shoal" in said.err
    assert "cannot be read" in shell(*words[:-1], place.folder / "none.json").err
    said = shell("verify", place.release, "-p", place.policy, "--original", place.data)
    assert said.code == 2
    assert "Give both, or neither" in said.err
