"""Certificates: written beside the release, rechecked by verify, and found out where somebody changed them."""

import json
from contextlib import contextmanager
from dataclasses import replace

import numpy as np
import pyarrow as pa
import pytest

import shoal
from shoal import progress
from shoal.errors import CertificateError
from shoal.methods.generalization.certificate import FULL
from shoal.pipeline.files.certificates import Certificates
from shoal.pipeline.protect.plan_report import search_notes
from survey_example import Desk, shell, write_csv, write_policy

pytestmark = pytest.mark.slow

TREE = "nurse;health;*\ndoctor;health;*\nbaker;food;*\ncook;food;*\n"


def table(n=160, seed=1):
    chance = np.random.default_rng(seed)
    return pa.table(
        {
            "age": chance.integers(18, 23, n),
            "job": chance.choice(["nurse", "doctor", "baker", "cook"], n, p=[0.5, 0.3, 0.15, 0.05]),
            "town": chance.choice(["u", "v"], n),
            "region": chance.choice(["north", "south"], n, p=[0.6, 0.4]),
            "income": chance.choice(["low", "high"], n),
        }
    )


def rules(k=4, **more):
    columns = {
        "age": {"role": "quasi_identifier", "kind": "numeric"},
        "job": {"role": "quasi_identifier", "taxonomy": "jobs.csv"},
        "town": {"role": "quasi_identifier"},
        "region": {"role": "other"},
        "income": {"role": "sensitive"},
    }
    method = {"name": "gensearch", "nodes": 30000, **more.pop("method", {})}
    return {"columns": columns, "requirements": [{"name": "k_anonymity", "k": k}], "method": method} | more


@pytest.fixture
def place(tmp_path):
    return made(tmp_path)


def made(folder, **more):
    desk = Desk(folder)
    (folder / "jobs.csv").write_text(TREE)
    write_csv(table(), desk.data)
    write_policy(rules(**more), desk.policy)
    return desk


def protected(desk, **more):
    release = shoal.protect(desk.data, desk.policy, output=desk.release, **more)
    return release, desk.folder / "release.certificate.json"


def outcomes(proof):
    return {check.what: check.holds for check in proof.checks}


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


def test_of_all_files_only_release_and_manifest_may_be_read_by_others(place):
    protected(place, report=place.folder / "report.html", mapping=place.folder / "mapping.csv")
    made = {path.name for path in place.folder.iterdir() if path.suffix != ".toml"} - {"jobs.csv", place.data.name}
    public = {name for name in made if (place.folder / name).stat().st_mode & 0o077}
    assert public == {place.release.name, place.manifest.name}
    assert {"release.private.json", "release.certificate.json", "report.html", "mapping.csv"} < made


def changed(path, **values):
    content = json.loads(path.read_text())
    content["certificates"][0].update(values)
    path.write_text(json.dumps(content))
    return path


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
    desk = made(tmp_path, method={"nodes": 1})
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


def test_strata_and_key_sets_have_a_certificate_each(tmp_path):
    requirements = [
        {"name": "k_anonymity", "k": 4, "columns": ["age", "job"]},
        {"name": "k_anonymity", "k": 3, "columns": ["town"]},
    ]
    desk = made(tmp_path, within=["region"], requirements=requirements)
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


def test_the_cost_of_classes_is_counted_from_the_target_of_the_release(tmp_path):
    desk = made(tmp_path, method={"loss": "classification", "target": "income", "nodes": 500})
    _, path = protected(desk)
    proof = shoal.verify(desk.release, desk.policy, certificate=path)
    assert outcomes(proof)["cost of the release"] is True
    changed(path, cost=1.0, lower_bound=0.0, is_optimal=False)
    assert outcomes(shoal.verify(desk.release, desk.policy, certificate=path))["cost of the release"] is False


@pytest.mark.parametrize("more", [{"output": {"representation": "centroids"}}, {"method": {"loss": "volume"}}])
def test_what_a_release_does_not_tell_stays_open(tmp_path, more):
    desk = made(tmp_path, **more)
    _, path = protected(desk)
    proof = shoal.verify(desk.release, desk.policy, certificate=path, original=desk.data)
    assert proof.holds
    assert outcomes(proof)["cost of the release"] is None
    assert outcomes(proof)["bound"] is True


def test_a_large_problem_leaves_the_bound_open(place, monkeypatch):
    from shoal.methods.generalization import certificate
    from shoal.pipeline.verify import check_on_original as recounting

    _, path = protected(place)
    monkeypatch.setattr(recounting, "check", lambda *a, **b: certificate.check(*a, **b, most_boxes=3))
    proof = shoal.verify(place.release, place.policy, certificate=path, original=place.data)
    (bound,) = (check for check in proof.checks if check.what == "bound")
    assert (bound.holds, bound.detail, proof.holds) == (None, "too large to prove again", True)
    said = shell("verify", place.release, "-p", place.policy, "--certificate", path, "--original", place.data)
    assert said.out.endswith("Proven. What is open is neither proven nor refuted.\n")


def test_strata_share_the_work_and_a_large_one_leaves_the_others_theirs(tmp_path, monkeypatch):
    """Of the two strata one takes 5.2 million cells of work, the other 4.6."""
    from shoal.pipeline.verify import check_on_original as recounting

    desk = made(tmp_path, within=["region"])
    _, path = protected(desk)
    bounds = {}
    for most in (10**4, 10**7, 10**9):
        monkeypatch.setattr(recounting, "MOST_WORK", most)
        proof = shoal.verify(desk.release, desk.policy, certificate=path, original=desk.data)
        bounds[most] = [check.holds for check in proof.checks if check.what == "bound"]
    assert bounds == {10**4: [None, None], 10**7: [None, True], 10**9: [True, True]}


def test_replay_writes_the_same_and_nothing_is_replaced_unasked(place):
    release, path = protected(place)
    first = path.read_text()
    path.write_text("somebody else's")
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


def test_a_certificate_about_an_unknown_target_is_untrue_not_a_fault_of_shoal(place):
    _, path = protected(place)
    content = json.loads(path.read_text())
    content["certificates"][0].update(loss="classification", target="nobody")
    path.write_text(json.dumps(content))
    proof = shoal.verify(place.release, place.policy, certificate=path, original=place.data)
    assert {check.what for check in proof.checks if check.holds is False} == {"matches the policy"}


@pytest.mark.parametrize("loss", ["discernibility", "volume", "certainty"])
def test_a_forged_bound_is_open_without_the_original(tmp_path, loss):
    """Cost and release are true; that nothing costs less was made up. Only the original can tell."""
    desk = made(tmp_path, method={"nodes": 1, "loss": loss})
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


def test_proving_the_bound_anew_is_heard(place):
    _, path = protected(place)
    heard = {}

    @contextmanager
    def listen(what, total):
        heard[what] = told = []
        yield lambda done: told.append((done, total))

    with progress.report_to(listen):
        shoal.verify(place.release, place.policy, certificate=path, original=place.data)
    done = [number for number, total in heard["verifying the bound"] if number <= total]
    assert done == list(range(1, len(done) + 1))
    assert len(done) > 100


def test_a_search_whose_memory_is_full_says_so(tmp_path):
    """Distinct from a budget of boxes that is spent."""
    chance, desk = np.random.default_rng(1), Desk(tmp_path)
    columns = [f"c{j}" for j in range(6)]
    write_csv(pa.table({name: chance.integers(0, 40, 12_000) for name in columns}), desk.data)
    asked = rules(k=5, columns={name: {"role": "quasi_identifier", "kind": "numeric"} for name in columns})
    write_policy(asked | {"method": {"name": "gensearch", "nodes": 3}}, desk.policy)
    release, path = protected(desk)
    assert "memory" not in release.certificates[0].certificate.how + "".join(release.manifest.notes)
    write_policy(asked | {"method": {"name": "gensearch", "nodes": 10**9, "memory": 1}}, desk.policy)
    release, path = protected(desk, force=True)
    assert "memory was full" in json.loads(path.read_text())["certificates"][0]["how"]
    (note,) = (note for note in release.manifest.notes if "memory" in note)
    assert note.startswith("The search ended because the memory was full")
    said = shell("protect", desk.data, "-p", desk.policy, "-o", desk.folder / "again.csv")
    assert f"note: {note}" in said.out


@pytest.mark.parametrize("loss", ["discernibility", "volume"])
def test_the_gap_is_told_with_its_loss(tmp_path, loss):
    """The costs of strata add up, and so do their bounds."""
    release, _ = protected(made(tmp_path, within=["region"], method={"nodes": 1, "loss": loss}))
    proved = [one.certificate for one in release.certificates]
    cost, bound = sum(one.cost for one in proved), sum(one.lower_bound for one in proved)
    finding = release.findings[f"{loss} above its bound"]
    assert finding.estimate == pytest.approx(100 * (cost / bound - 1))
    assert loss in finding.meaning


def test_an_optimum_costs_what_its_bound_says(tmp_path):
    desk = made(tmp_path, method={"nodes": 1})
    release, path = protected(desk)
    proved = release.certificates[0].certificate
    assert proved.lower_bound < proved.cost
    for told in ({"is_optimal": True}, {"lower_bound": proved.cost}, {"lower_bound": proved.cost + 1}):
        changed(path, **{"is_optimal": False, "lower_bound": proved.lower_bound} | told)
        assert outcomes(shoal.verify(desk.release, desk.policy, certificate=path))["cost and bound agree"] is False


def test_one_search_of_many_whose_memory_is_full_is_counted(tmp_path):
    release, _ = protected(made(tmp_path, within=["region"], method={"nodes": 1}))
    one, other = release.certificates
    full = replace(one, certificate=replace(one.certificate, how=FULL))
    assert search_notes([one, other]) == ()
    (note,) = search_notes([full, other])
    assert note.startswith("1 of 2 searches ended because the memory was full")
