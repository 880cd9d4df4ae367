"""A replay of gensearch applies the trees of its certificates, and searches only where there are none."""

import hashlib
import json
import shutil

import pytest

import shoal
from certificate_example import certificate_desk, changed, protected
from shoal.errors import CertificateError, LinkageError, ManifestError
from shoal.methods.generalization.box_search import BoxSearch
from shoal.report.sections.plan_section import APPLIED
from survey_example import Desk, shell

RUN = BoxSearch.run
PASSING = ("made", "cost")  # of a manifest: what differs between any two runs
OWN_RULES = """
from dataclasses import dataclass
from typing import ClassVar

from shoal import UserLoss, UserRequirement


@dataclass(frozen=True)
class Size(UserRequirement):
    k: int
    monotone: ClassVar[bool] = True
    measure: ClassVar[str] = "k"

    @property
    def least_records(self) -> int:
        return self.k

    def holds(self, groups):
        return groups.totals >= self.k

    def reached(self, groups):
        return float(groups.totals.min())


@dataclass(frozen=True)
class Penalty(UserLoss):
    def loss(self, blocks):
        return blocks.totals * (blocks.totals / 3.0)
"""
POLICIES = {
    "proven": {},
    "certainty, with a gap": {"method": {"nodes": 1, "loss": "certainty"}},
    "no empty blocks": {"method": {"nodes": 300, "empty_blocks": False}},
    "means": {"output": {"representation": "centroids"}},
    "strata and key sets": {
        "within": ["region"],
        "requirements": [
            {"name": "k_anonymity", "k": 4, "columns": ["age", "job"]},
            {"name": "k_anonymity", "k": 3, "columns": ["town"]},
        ],
    },
    "rules of users": {
        "requirements": [{"name": "k_anonymity", "k": 3}],
        "method": {"nodes": 200},
        "rules": {
            "file": "own.py",
            "requirements": [{"rule": "Size", "parameters": {"k": 4}}],
            "loss": {"rule": "Penalty"},
        },
    },
}


@pytest.fixture(scope="module")
def desks(tmp_path_factory):
    """Every release is made once; tests get copies of its folder."""
    made = {}

    def desk_of(name):
        if name not in made:
            folder = tmp_path_factory.mktemp("desk")
            (folder / "own.py").write_text(OWN_RULES)
            made[name] = certificate_desk(folder, **POLICIES[name])
            with pytest.MonkeyPatch.context() as patch:
                patch.setattr(BoxSearch, "run", RUN)
                protected(made[name], key=made[name].key, rules=_rules(made[name], name))
        return made[name]

    return desk_of


@pytest.fixture
def desk(desks, tmp_path):
    def copy(name):
        folder = tmp_path / "desk"
        shutil.copytree(desks(name).folder, folder)
        return Desk(folder)

    return copy


@pytest.fixture
def searches(monkeypatch):
    """The number of searches, counted as they begin."""
    begun = []

    def counted(search, seconds):
        begun.append(search)
        return RUN(search, seconds)

    monkeypatch.setattr(BoxSearch, "run", counted)
    return begun


@pytest.fixture
def no_search(monkeypatch):
    def refuse(*_):
        raise AssertionError("a search")

    monkeypatch.setattr(BoxSearch, "run", refuse)


def _rules(place, name):
    return place.folder / "own.py" if name == "rules of users" else None


def _certificate(place):
    return place.folder / "release.certificate.json"


def _files(folder):
    """All files of a release; the manifest without what differs between any two runs."""
    files = {path.name: path.read_bytes() for path in folder.iterdir()}
    manifest = json.loads(files.pop("release.manifest.json"))
    return files | {"manifest": {name: value for name, value in manifest.items() if name not in PASSING}}


def _forge(place, change):
    """A certificate that was changed by somebody who also changed its hash in the private manifest."""
    path, private = _certificate(place), place.folder / "release.private.json"
    content = json.loads(path.read_text())
    change(content)
    path.write_text(json.dumps(content, indent=1, ensure_ascii=False) + "\n")
    stated = json.loads(private.read_text())
    stated["certificate_sha256"] = hashlib.sha256(path.read_bytes()).hexdigest()
    private.write_text(json.dumps(stated))


@pytest.mark.gate(but="proven")
@pytest.mark.parametrize("name", POLICIES)
def test_the_trees_are_applied_and_all_files_are_those_of_a_search(desk, searches, name):
    place, found = desk(name), []
    for folder in ("applied", "searched"):
        (place.folder / folder).mkdir()
        if folder == "searched":
            assert not searches
            _certificate(place).unlink()
        again = shoal.replay(place.manifest, output=place.folder / folder / "release.csv", rules=_rules(place, name))
        found.append([plan.search for plan in again.assessment.plans])
        assert {search.was_searched for search in found[-1]} == {folder == "searched"}
    assert len(searches) == len(again.certificates)
    for applied, searched in zip(*found, strict=True):
        assert applied.losses == searched.losses
        assert (applied.n_nodes, applied.history[0].cost) == (searched.n_nodes, searched.history[0].cost)
    assert _files(place.folder / "applied") == _files(place.folder / "searched")
    assert (place.folder / "applied" / "release.csv").read_bytes() == place.release.read_bytes()


@pytest.mark.gate(but="proven")
@pytest.mark.parametrize("name", ["proven", "strata and key sets"])
def test_an_assessment_applies_the_trees_and_finds_what_it_finds_by_searching(desk, searches, name):
    place = desk(name)
    applied = shoal.assess(place.data, place.release, place.policy)
    assert not searches
    _certificate(place).unlink()
    searched = shoal.assess(place.data, place.release, place.policy)
    assert searches
    assert applied.to_dict() == searched.to_dict()


@pytest.mark.parametrize("changed_file", ["release", "data"])
def test_an_assessment_of_other_files_is_refused(desk, no_search, changed_file):
    """The trees do not give these records, or do not fit this original."""
    place = desk("proven")
    path = getattr(place, changed_file)
    header, *records = path.read_text().splitlines()
    path.write_text("\n".join([header, *records[5:]]) + "\n")
    with pytest.raises(LinkageError, match="was not made from this original"):
        shoal.assess(place.data, place.release, place.policy)


def test_a_changed_certificate_is_no_reason_to_search(desk, no_search):
    place = desk("proven")
    _certificate(place).write_text(_certificate(place).read_text() + " ")
    with pytest.raises(CertificateError, match="SHA-256"):
        shoal.assess(place.data, place.release, place.policy)


def test_shell_and_report_say_that_nothing_was_searched(desk, no_search):
    place = desk("strata and key sets")
    page, public = place.folder / "report.md", place.manifest.read_text()
    said = shell("protect", "--replay", place.manifest, "--report", page)
    assert said.code == 0
    assert said.out.count(APPLIED) == 1
    assert "bit by bit" in said.out
    assert APPLIED in page.read_text()
    assert "certificate" not in public


def test_the_search_is_repeated_where_no_certificate_is_known(desk, searches):
    place = desk("proven")
    private = place.folder / "release.private.json"
    stated = json.loads(private.read_text())
    assert stated.pop("certificate_sha256") == hashlib.sha256(_certificate(place).read_bytes()).hexdigest()
    private.write_text(json.dumps(stated))
    _certificate(place).write_text("of an older release")
    said = shell("protect", "--replay", place.manifest)
    assert (said.code, APPLIED in said.out, len(searches)) == (0, False, 1)


def test_a_release_that_was_written_from_memory_is_replayed_without_a_search(desk, monkeypatch):
    place = desk("proven")
    release = shoal.protect(place.data, place.policy, key=place.key)
    folder = release.write(place.folder / "folder")
    monkeypatch.setattr(BoxSearch, "run", None)
    assert shoal.replay(folder / "manifest.json").certificates == release.certificates


def _first(content):
    return content["certificates"][0]


def _flat(content):
    _first(content)["tree"].update(parents=[-1], cut_on=[-1], part_of=[0])


def _with(**values):
    return lambda content: _first(content).update(values)


def _cuts(content):
    _first(content)["tree"]["columns"][0]["cuts"][0] = 18.5


def _columns(content):
    _first(content)["tree"]["columns"].pop()


def _foreign(content):
    tree = _first(content)["tree"]
    tree["columns"] = [{**column, "name": f"other_{column['name']}"} for column in tree["columns"]]


def _twice(content):
    content["certificates"].append(_first(content))


FORGERIES = {
    "another tree, the cost as before": (_flat, "states a cost that its tree does not have"),
    "other cuts": (_cuts, "has a tree with other columns or cuts than policy and input allow"),
    "other columns": (_foreign, "has a tree with other columns or cuts than policy and input allow"),
    "fewer columns": (_columns, "not a certificate of Shoal"),
    "a loop": (lambda content: _first(content)["tree"].update(parents=[0]), "not a certificate of Shoal"),
    "no cost": (_with(cost=float("nan")), "states a cost that its tree does not have"),
    "a bound above the cost": (_with(lower_bound=1e9), "a bound that contradicts its cost"),
    "no optimum": (_with(is_optimal=False), "a bound that contradicts its cost"),
    "weaker requirements": (_with(requirements=["KAnonymity(k=2)"]), r"another problem .* \(requirements\)"),
    "another loss": (_with(loss="certainty", n_records=3), r"another problem .* \(loss, n_records\)"),
    "another stratum": (_with(stratum={"region": "north"}), "of a stratum of the input is missing"),
    "other columns of a plan": (_with(columns=["age"]), "of a stratum of the input is missing"),
    "no plan": (lambda content: content.update(certificates=[]), "of a stratum of the input is missing"),
    "a plan too many": (_twice, "has 2 certificates, and the input needs 1"),
    "another release": (lambda content: content.update(release="0" * 64), "belongs to another release"),
    "no release": (lambda content: content.pop("release"), "not a certificate of Shoal"),
}


@pytest.mark.gate(but=("fewer columns", "a loop", "no cost", "a plan too many"))
@pytest.mark.parametrize("name", FORGERIES)
def test_a_forged_certificate_is_refused_without_a_cell(desk, no_search, name):
    place = desk("proven")
    change, words = FORGERIES[name]
    _forge(place, change)
    before = place.files()
    with pytest.raises(CertificateError, match=words) as error:
        shoal.replay(place.manifest, output=place.folder / "again.csv")
    assert str(error.value).startswith(str(_certificate(place)))
    for cell in ("nurse", "doctor", "baker", "cook", "north"):
        assert cell not in str(error.value)
    assert place.files() == before


def test_one_of_several_certificates_is_named_by_its_number(desk, no_search):
    place = desk("strata and key sets")
    _forge(place, lambda content: content["certificates"][2].update(cost=1.0, lower_bound=1.0))
    with pytest.raises(CertificateError, match="the certificate 3 of 4 states a cost"):
        shoal.replay(place.manifest)


def _tree_for(place, k):
    """The first certificate of a search for another k, as it is written."""
    folder = place.folder / f"k{k}"
    folder.mkdir()
    _, path = protected(certificate_desk(folder, k=k))
    return _first(json.loads(path.read_text()))


def test_a_tree_with_blocks_below_k_is_refused(desk):
    place = desk("proven")
    smaller = _tree_for(place, k=2)
    del smaller["requirements"]
    _forge(place, _with(**smaller))
    with pytest.raises(CertificateError, match="has a tree with blocks that the policy does not allow"):
        shoal.replay(place.manifest)


def test_another_valid_tree_is_found_out_by_the_hash_of_the_release(desk):
    """It satisfies the policy and costs what it says, and only the bytes of the release tell that it was not used."""
    place = desk("proven")
    larger = _tree_for(place, k=8)
    del larger["requirements"]
    _forge(place, _with(**larger))
    with pytest.raises(ManifestError, match="input and policy are the same but the release is not"):
        shoal.replay(place.manifest, output=place.folder / "again.csv")
    assert not (place.folder / "again.csv").exists()


NONSENSE = {
    "nothing": b"",
    "cut off": None,
    "megabytes": b"[1, " * 1_000_000,
    "deep": b"[" * 100_000,
    "no text": bytes(range(256)) * 4,
}


@pytest.mark.parametrize("name", NONSENSE)
def test_a_file_that_was_changed_is_named_and_can_be_moved_away(desk, no_search, name):
    place = desk("proven")
    path = _certificate(place)
    path.write_bytes(path.read_bytes()[:-20] if NONSENSE[name] is None else NONSENSE[name])
    said = shell("protect", "--replay", place.manifest)
    assert said.code == 2
    words = " ".join(said.err.split())
    assert "the certificate is not the one that was written with the release (SHA-256 differs)" in words
    assert "or move it away: without it the search is repeated" in words
    private = json.loads((place.folder / "release.private.json").read_text())
    private["certificate_sha256"] = hashlib.sha256(path.read_bytes()).hexdigest()
    (place.folder / "release.private.json").write_text(json.dumps(private))
    with pytest.raises(CertificateError, match="is not a certificate of Shoal"):
        shoal.replay(place.manifest)


def test_a_bound_that_was_changed_is_found_out_by_the_hash_of_the_certificate(desk, no_search):
    """Tree, cost and release are true: nothing but the hash in the private manifest can tell."""
    place = desk("certainty, with a gap")
    cost = json.loads(_certificate(place).read_text())["certificates"][0]["cost"]
    changed(_certificate(place), lower_bound=cost, is_optimal=True)
    with pytest.raises(CertificateError, match="SHA-256 differs"):
        shoal.replay(place.manifest)
