"""What Studio exports: the very release that the shell makes of the exported policy, byte by byte."""

import json
import shlex
from dataclasses import replace

import pytest

import shoal
from shoal.datasets import synthetic_census
from shoal.sources import write_table
from studio_example import studio
from survey_example import desk, in_order, of_records, shell, survey_policy, write_policy

pytestmark = [pytest.mark.loopback, pytest.mark.new_keys]

# With chance in it: the order of the records, and noise.
RANDOM = {"output": {"shuffle": True}, "perturbations": [{"name": "noise", "columns": ["amount"], "alpha": 0.1}],
          "method": {"name": "mdav"}}  # fmt: skip


def random_policy():
    return {**of_records(survey_policy()), **RANDOM}


@pytest.fixture(scope="module")
def first(tmp_path_factory):
    """A Studio with one finished run, and its table."""
    folder = tmp_path_factory.mktemp("released")
    there = desk(folder, policy=random_policy())
    with studio(folder) as opened:
        opened.open(there.data)
        assert opened.get("/api/policy")["text"] == there.policy.read_text()
        job = opened.protect()
        assert job["status"] == "done", job["error"]
        yield opened, there, job["run"]


@pytest.fixture
def released(first, request):
    """The same, with a folder for the export of this test."""
    opened, there, run = first
    return opened, there, run, there.folder / request.node.name


@pytest.mark.gate
def test_the_shell_makes_the_exported_release_of_the_exported_policy(released, tmp_path):
    opened, there, run, target = released
    found = opened.post("/api/export", {"run": run, "folder": str(target)})
    release = target / "release.csv"
    assert {path.name for path in target.iterdir()} == {file["name"] for file in found["files"]}
    for name in ("release.manifest.json", "release.private.json", "report.html", "policy.toml", "policy.key"):
        assert (target / name).exists()
    again = tmp_path / "again.csv"
    said = shell("protect", there.data, "--policy", target / "policy.toml", "--output", again)
    assert said.code == 0, said.err
    assert again.read_bytes() == release.read_bytes()
    assert shell("verify", release, "--policy", target / "policy.toml").code == 0
    replayed = shell("protect", "--replay", target / "release.manifest.json", "--output", tmp_path / "third.csv")
    assert replayed.code == 0, replayed.err
    assert "identical" in replayed.out
    other = write_policy({"seed": 1, **random_policy()}, target / "other.toml")
    command = ("protect", there.data, "--policy", other, "--output", tmp_path / "o.csv")
    said = shell(*command, "--key", target / "policy.key")
    assert said.code == 0, said.err
    assert (tmp_path / "o.csv").read_bytes() != release.read_bytes()  # chance is in it


@pytest.mark.gate
def test_the_lines_of_the_export_repeat_it(released):
    opened, there, run, _ = released
    target = there.folder / "an export's lines"
    found = opened.post("/api/export", {"run": run, "folder": str(target)})
    before = (target / "release.csv").read_bytes()
    for line in found["shell"]:
        name, *words = shlex.split(line)
        said = shell(*words)
        assert (name, said.code) == ("shoal", 0), said.err
    assert (target / "release.csv").read_bytes() == before
    exec("\n".join(found["python"]), {})
    assert (target / "release.csv").read_bytes() == before


@pytest.mark.gate
def test_private_files_stay_private(released):
    opened, there, run, target = released
    found = opened.post("/api/export", {"run": run, "folder": str(target)})
    private = {file["name"] for file in found["files"] if file["private"]}
    assert private == {"release.private.json", "report.html", "policy.key"}
    for path in target.iterdir():
        assert (path.stat().st_mode & 0o077 == 0) == (path.name in private)
    stated = json.loads((target / "release.private.json").read_text())
    assert (target / stated["input_path"]).resolve() == there.data.resolve()
    assert (stated["policy_path"], stated["key_path"]) == ("policy.toml", "policy.key")
    assert opened.sitting.private.name not in "".join(path.read_text() for path in target.glob("*.json"))


def test_nothing_is_replaced_unasked_and_all_is_written_or_nothing(released):
    opened, _, run, target = released
    target.mkdir()
    (target / "release.manifest.json").write_text("mine")
    body = {"run": run, "folder": str(target)}
    said = opened.ask("POST", "/api/export", body)
    assert said.status == 422
    assert "already exists" in said.text
    assert {path.name for path in target.iterdir()} == {"release.manifest.json"}
    assert (target / "release.manifest.json").read_text() == "mine"
    assert opened.post("/api/export", {**body, "force": True})["written"]
    assert (target / "release.manifest.json").read_text() != "mine"


def test_another_key_is_never_replaced(released):
    opened, _, run, target = released
    target.mkdir()
    key = target / "policy.key"
    key.write_bytes(bytes(32))
    key.chmod(0o600)
    said = opened.ask("POST", "/api/export", {"run": run, "folder": str(target), "force": True})
    assert said.status == 409
    assert [path.read_bytes() for path in target.iterdir()] == [bytes(32)]


def test_no_export_leads_out(released):
    opened, there, run, target = released
    target.symlink_to(there.folder.parent)
    for folder in ("/tmp/elsewhere", str(there.folder.parent), f"{there.folder}/../x", str(target)):
        assert opened.ask("POST", "/api/export", {"run": run, "folder": folder}).status == 403
    for name in ("../policy.toml", "policy.key", "..%2f..%2fpolicy.toml", "../../survey.csv"):
        assert opened.ask("GET", f"/api/runs/{run}/files/{name}").status == 404
    said = opened.ask("GET", f"/api/runs/{run}/files/release.csv")
    assert said.status == 200
    assert said.headers["content-disposition"].startswith("attachment")


def test_nothing_is_exported_to_a_folder_that_is_removed_at_the_end(released):
    opened, _, run, _ = released
    for folder in (opened.sitting.private, opened.sitting.private / "kept"):
        said = opened.ask("POST", "/api/export", {"run": run, "folder": str(folder)})
        assert (said.status, "removed when Studio ends" in said.text) == (422, True)
        assert not (folder / "release.csv").exists()


def test_what_is_downloaded_is_what_an_export_beside_the_policy_writes(released):
    opened, there, run, _ = released
    names = {file["name"] for file in opened.get(f"/api/export/{run}")["files"] if file["single"]}
    assert {"release.csv", "policy.toml", "release.private.json", "release.manifest.json"} <= names
    said = {name: opened.ask("GET", f"/api/runs/{run}/files/{name}") for name in names}
    assert {each.status for each in said.values()} == {200}
    assert said["policy.toml"].text == there.policy.read_text()
    stated = said["release.private.json"].json
    assert [stated[key] for key in ("input_path", "policy_path", "key_path")] == [
        "survey.csv", "policy.toml", "policy.key",
    ]  # fmt: skip
    assert all(opened.sitting.private.name.encode() not in each.content for each in said.values())


def test_no_file_of_an_export_is_a_link_that_leads_out(released, tmp_path):
    opened, _, run, target = released
    target.mkdir()
    (target / "release.manifest.json").symlink_to(tmp_path / "manifest.json")
    said = opened.ask("POST", "/api/export", {"run": run, "folder": str(target), "force": True})
    assert said.status == 403
    assert "leads outside of the folders" in said.text
    assert [path.name for path in target.iterdir()] == ["release.manifest.json"]
    assert list(tmp_path.iterdir()) == []


@pytest.mark.gate
def test_a_hierarchy_that_changed_is_said(tmp_path):
    policy = of_records(survey_policy())
    policy["columns"]["disease"] |= {"taxonomy": "tree.csv", "role": "quasi_identifier", "kind": "nominal"}
    there = desk(tmp_path, policy=policy)
    tree = tmp_path / "tree.csv"
    tree.write_text("flu;ill;*\ncold;ill;*\nnone;well;*\n")
    with studio(tmp_path) as opened:
        opened.open(there.data)
        run = opened.protect()["run"]
        target = tmp_path / "export"
        found = opened.post("/api/export", {"run": run, "folder": str(target)})
        assert "tree.csv" in {file["name"] for file in found["files"]}
        again = tmp_path / "again.csv"
        assert shell("protect", there.data, "--policy", target / "policy.toml", "--output", again).code == 0
        assert again.read_bytes() == (target / "release.csv").read_bytes()
        tree.write_text("flu;ill;*\ncold;cold;*\nnone;well;*\n")
        said = opened.ask("POST", "/api/export", {"run": run, "folder": str(tmp_path / "late")})
        assert said.status == 409
        assert "changed after this run" in said.text


@pytest.mark.gate
def test_runs_and_grids_are_on_one_frontier_and_taken_over(tmp_path):
    there = desk(tmp_path, policy=in_order(of_records(survey_policy())))
    with studio(tmp_path) as opened:
        opened.open(there.data)
        opened.protect()
        grid = {"requirements.0.k": [2, 4], "method.name": ["mdav", "mondrian"]}
        ordered = opened.post("/api/jobs", {"kind": "grid", "grid": {**grid, "requirements.0.k": [2, 1, 4]}})
        assert [line.partition(":")[0] for line in ordered["left_out"]] == [
            "k = 1, method = mdav", "k = 1, method = mondrian",
        ]  # fmt: skip
        assert all("a group of one record protects nobody" in line for line in ordered["left_out"])
        job = opened.job(ordered["id"])
        assert job["status"] == "done", job["error"]
        runs = opened.get("/api/state")["runs"]
        assert [run["settings"] for run in runs] == [
            {}, *({"requirements.0.k": k, "method.name": name} for k in (2, 4) for name in ("mdav", "mondrian")),
        ]  # fmt: skip
        opened.post("/api/policy/save", {"revision": opened.get("/api/policy")["revision"]})  # and its key
        found = shoal.compare(there.data, there.policy, grid=grid)
        assert [run["loss"] for run in runs[1:]] == [each.outcome.information_loss for each in found.policies]
        assert [run["risk"] for run in runs[1:]] == [each.outcome.risk for each in found.policies]
        page = opened.ask("GET", "/compare")
        assert page.status == 200
        assert len(opened.sitting.points()) == 5
        revision = opened.get("/api/policy")["revision"]
        taken = opened.post(f"/api/runs/{runs[4]['id']}/take", {"revision": revision})
        assert taken["text"] == runs[4]["policy"]
        assert taken["content"]["method"]["name"] == "mondrian"
        assert opened.ask("GET", f"/api/export/{runs[4]['id']}").status == 409
        assert opened.ask("GET", "/api/export/99").status == 404


def test_a_release_is_on_the_page_while_it_is_being_compared(first, monkeypatch):
    """Between the end of its proof and its figures a run has no point among the others."""
    opened, _, run = first
    monkeypatch.setitem(opened.sitting._runs, run, replace(opened.sitting.run(run), compared=None))
    page = opened.ask("GET", "/compare")
    assert page.status == 200
    assert f'id="run-{run}"' in page.text
    assert "data-number" not in page.text


@pytest.mark.parametrize("grid", [{}, {"method.k": 3}, {"method.k": []}, {"no.such": [1]}, {"method.k": [1]}, 3])
def test_a_grid_that_is_none_is_said(first, grid):
    opened = first[0]
    before = opened.get("/api/state")["jobs"]
    assert opened.ask("POST", "/api/jobs", {"kind": "grid", "grid": grid}).status in (400, 422)
    assert opened.get("/api/state")["jobs"] == before


@pytest.mark.gate
def test_a_parquet_file_and_every_page(tmp_path):
    """The walk through all pages with another format; the external report is proved."""
    write_table(synthetic_census(500, seed=0), tmp_path / "census.parquet")
    with studio(tmp_path, table=tmp_path / "census.parquet") as opened:
        opened.idle()
        for name in ("data", "policy", "run", "result", "compare", "export"):
            assert opened.ask("GET", f"/{name}").status == 200
        job = opened.protect()
        assert job["status"] == "done", job["error"]
        for name in ("data", "policy", "run", "result", f"result/{job['run']}", "compare", "export"):
            assert opened.ask("GET", f"/{name}").status == 200
        found = opened.post("/api/export", {"run": job["run"], "folder": str(tmp_path / "out")})
        names = {file["name"] for file in found["files"]}
        assert {"release.parquet", "report.html", "report.external.html"} <= names
        proof = shoal.check_page(
            tmp_path / "out/report.external.html",
            tmp_path / "census.parquet",
            tmp_path / "out/release.parquet",
            tmp_path / "out/policy.toml",
        )
        assert proof
