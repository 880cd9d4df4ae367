"""The policy in Studio: its text is the truth, edits of forms keep its comments, what is wrong is said plainly."""

import pytest
import tomlkit

import shoal
from shoal.policy import load, with_settings
from shoal.policy.load import load_text
from shoal.studio.policy_choices import policy_choices
from shoal.studio.policy_document import PolicyDocument
from studio_example import studio
from survey_example import desk, in_order, of_records, survey_policy

pytestmark = [pytest.mark.loopback]

COMMENTED = """# Decided by the board.
seed = 3  # drawn by lot

[[requirements]]
name = "k_anonymity"
k = 3  # as last year

[method]
name = "mdav"  # groups
merge = true

"""


def commented(policy):
    """The columns of a policy under a head with comments."""
    return COMMENTED + tomlkit.dumps({"columns": policy["columns"]})


@pytest.fixture(scope="module")
def there(tmp_path_factory):
    """A Studio with a table that was looked at, and its folder."""
    found = desk(tmp_path_factory.mktemp("policy"))
    found.policy.write_text(commented(of_records(survey_policy())))
    with studio(found.folder) as running:
        running.open(found.data)
        yield running, found


@pytest.fixture
def folder(there):
    """The folder of the table; at the end, only the table and its first policy are left there."""
    found = there[1]
    first = {path: path.read_bytes() for path in found.folder.iterdir() if path.is_file()}
    yield found.folder
    for path in found.folder.iterdir():
        if path.is_file() and path not in first:
            path.unlink()
    for path, content in first.items():
        path.write_bytes(content)


@pytest.fixture
def opened(there, folder):
    """The same Studio with the first policy again, as if it had just been opened."""
    running, found = there
    sitting = running.sitting
    document = PolicyDocument(found.policy.read_text(), found.policy.resolve(), is_saved=True, was_read=True)
    sitting.write_policy(document, sitting.policy_revision)
    return running


def edit(opened, *edits):
    revision = opened.get("/api/policy")["revision"]
    return opened.post("/api/policy/edits", {"revision": revision, "edits": list(edits)})


def write(opened, text):
    revision = opened.get("/api/policy")["revision"]
    said = opened.ask("PUT", "/api/policy", {"revision": revision, "text": text})
    assert said.status == 200
    return said.json


def test_edits_keep_comments_and_say_what_the_text_says(opened):
    before = opened.get("/api/policy")
    assert before["error"] is None
    assert before["saved"]
    found = edit(
        opened,
        {"table": ["requirements", 0], "content": {"k": 4}},
        {
            "table": ["requirements"],
            "content": {"name": "distinct_l_diversity", "l": 2, "column": "disease"},
            "new": True,
        },
        {"table": ["columns", "age"], "content": {"decimals": 0}},
        {"table": ["method"], "content": {"merge": None}},
        {"table": ["suppression"], "content": {"limit": 0.1}},
    )
    for comment in ("# Decided by the board.", "# drawn by lot", "# as last year", "# groups"):
        assert comment in found["text"]
    assert found["error"] is None
    assert not found["saved"]
    assert found["content"] == tomlkit.parse(found["text"]).unwrap()
    assert found["content"]["requirements"] == [
        {"name": "k_anonymity", "k": 4},
        {"name": "distinct_l_diversity", "l": 2, "column": "disease"},
    ]
    assert found["content"]["method"] == {"name": "mdav"}
    found = edit(
        opened,
        {"table": ["requirements", 1], "content": None},
        {"table": ["columns", "age"], "content": {"decimals": None}},
        {"table": ["suppression"], "content": None},
    )
    assert found["content"]["requirements"] == [{"name": "k_anonymity", "k": 4}]
    assert "suppression" not in found["content"]
    assert load_text(found["text"]).columns == load_text(before["text"]).columns


def test_a_wrong_policy_is_kept_and_said(opened):
    text = opened.get("/api/policy")["text"]
    for wrong, words in (
        (text.replace("k = 3", "k = 1"), "a group of one record protects nobody"),
        (text.replace("k = 3", 'k = "3"'), "Remove the quotes"),
        (text.replace('"mdav"', '"mdaf"'), "Did you mean 'mdav'?"),
        (text.replace("[columns.age]", "[columns.agee]"), "Did you mean 'age'?"),
        (text.replace("k = 3", "k = "), "policy.toml"),
        ("", "columns is missing"),
    ):
        found = write(opened, wrong)
        assert words in " ".join(found["error"]["lines"])
        assert found["text"] == wrong
        for kind in ("protect", "forecast", "profile"):
            said = opened.ask("POST", "/api/jobs", {"kind": kind})
            assert said.status == 422
            assert words in " ".join(said.json["error"]["lines"])
        assert opened.ask("GET", "/policy").status == 200
        assert opened.ask("GET", "/run").status == 200
    assert write(opened, text)["error"] is None


def test_a_text_that_is_no_toml_has_no_forms(opened):
    found = write(opened, "[columns\n")
    assert found["content"] is None
    said = opened.ask("POST", "/api/policy/edits", {"revision": found["revision"], "edits": [
        {"table": ["method"], "content": {"name": "mdav"}}]})  # fmt: skip
    assert said.status == 422


def test_the_older_of_two_tabs_is_told(opened):
    revision = opened.get("/api/policy")["revision"]
    text = opened.get("/api/policy")["text"]
    body = {"revision": revision, "text": text + "# one\n"}
    assert opened.ask("PUT", "/api/policy", body).status == 200
    for method, path, late in (
        ("PUT", "/api/policy", {"revision": revision, "text": text + "# other\n"}),
        ("POST", "/api/policy/edits", {"revision": revision, "edits": []}),
        ("POST", "/api/policy/save", {"revision": revision}),
    ):
        said = opened.ask(method, path, late)
        assert said.status == 409
        assert "another tab" in said.json["error"]["lines"][0]
    assert opened.get("/api/policy")["text"].endswith("# one\n")


@pytest.mark.parametrize(
    "edits",
    [[{"table": []}], [{"table": "method", "content": {}}], [{"table": [], "content": None}], [3], {"table": 1},
     [{"table": ["method"], "content": 3}], [{"table": [None], "content": {}}]],
)  # fmt: skip
def test_edits_that_are_not_understood(opened, edits):
    body = {"revision": opened.get("/api/policy")["revision"], "edits": edits}
    assert opened.ask("POST", "/api/policy/edits", body).status == 400


@pytest.mark.parametrize("table", [["requirements", 7], ["seed", "x"], ["requirements", "x"]])
def test_edits_of_tables_that_are_not_there(opened, table):
    body = {"revision": opened.get("/api/policy")["revision"], "edits": [{"table": table, "content": {"k": 3}}]}
    said = opened.ask("POST", "/api/policy/edits", body)
    assert said.status == 422
    assert "has no table" in said.json["error"]["lines"][0]


def test_a_policy_is_saved_with_its_key(opened, folder):
    found = edit(opened, {"table": ["requirements", 0], "content": {"k": 5}})
    saved = opened.post("/api/policy/save", {"revision": found["revision"]})
    assert saved["saved"]
    assert (folder / "policy.toml").read_text() == saved["text"]
    assert load(folder / "policy.toml").requirements == (shoal.KAnonymity(5),)
    key = folder / "policy.key"
    assert (key.read_bytes(), key.stat().st_mode & 0o777) == (opened.sitting.work.secret, 0o600)


@pytest.mark.gate(but='role = "nonsense"')
@pytest.mark.parametrize("wrong", ['role = "nonsense"', "role ="])
def test_a_wrong_policy_beside_the_table_is_opened_and_said(tmp_path, wrong):
    there = desk(tmp_path)
    right = there.policy.read_text()
    text = right.replace('role = "identifier"', wrong)
    there.policy.write_text(text)
    with studio(tmp_path) as opened:
        opened.open(there.data)
        found = opened.get("/api/policy")
        assert (found["text"], found["saved"]) == (text, True)
        assert found["error"]["lines"]
        assert opened.get("/api/state")["jobs"] == []
        write(opened, right)
        assert [job["kind"] for job in opened.idle()["jobs"]] == ["profile"]
        assert "Which keys single people out" in opened.ask("GET", "/data").text


@pytest.mark.gate
def test_another_policy_is_not_replaced_unasked(tmp_path):
    there = desk(tmp_path)
    there.policy.write_text(tomlkit.dumps({"columns": {"other": {"role": "other"}}}))
    before = there.policy.read_text()
    with studio(tmp_path) as opened:
        opened.open(there.data)
        revision = opened.get("/api/policy")["revision"]
        assert "Draft policy" in opened.get("/api/policy")["text"]
        assert opened.ask("POST", "/api/policy/save", {"revision": revision}).status == 409
        assert there.policy.read_text() == before
        assert opened.post("/api/policy/save", {"revision": revision, "force": True})["saved"]
        assert there.policy.read_text() != before


def test_choices_are_those_of_policies():
    found = policy_choices()
    for method in found["methods"]:
        assert method["words"]
        content = {"columns": {"a": {"role": "quasi_identifier"}}, "method": {"name": method["name"]}}
        known = {key["name"] for key in method["keys"] if key["required"]}
        assert not known or method["name"] != "mdav"
        if not known and method["name"] not in ("none", "vmdav"):
            assert load(content).method.name == method["name"]
    for requirement in found["requirements"]:
        assert requirement["title"]
        assert requirement["formula"]
        assert all(key["words"] for key in requirement["keys"])
    k = next(key for each in found["requirements"] if each["name"] == "k_anonymity" for key in each["keys"])
    assert (k["name"], k["type"], k["required"]) == ("k", "integer", True)


@pytest.mark.parametrize(
    "settings",
    [{"method.k": 7}, {"requirements.0.k": 9}, {"method.name": "mondrian"},
     {"method.name": "mondrian", "method.mode": "greedy"},
     {"method.name": "vmdav", "method.gamma": 0.3, "requirements.0.k": 4}, {"suppression.limit": 0.2}],
)  # fmt: skip
def test_a_grid_means_the_same_here_as_in_the_shell(tmp_path, settings):
    text = commented(in_order(of_records(survey_policy())))
    changed = PolicyDocument(text, tmp_path / "policy.toml").with_settings(settings)
    assert changed.policy.digest() == with_settings(load_text(text, tmp_path / "policy.toml"), settings).digest()
    assert "# Decided by the board." in changed.text


def test_a_taxonomy_is_drawn_edited_and_written(opened, folder):
    drawn = opened.post("/api/taxonomy", {"column": "zip"})
    assert not drawn["editable"]  # it follows from prefixes
    assert drawn["levels"] == 4
    flat = opened.post("/api/taxonomy", {"column": "disease"})
    assert (flat["file"], flat["levels"], flat["editable"]) == (None, 2, True)
    assert {part["text"] for part in flat["root"]["parts"]} == {"flu", "cold", "none"}
    paths = [["flu", "ill", "*"], ["cold", "ill", "*"], ["none", "well", "*"]]
    said = opened.ask("PUT", "/api/taxonomy", {"column": "disease", "paths": paths})
    assert said.status == 200
    assert {part["text"] for part in said.json["root"]["parts"]} == {"ill", "well"}
    assert shoal.Taxonomy.read(folder / "disease_hierarchy.csv").paths == tuple(map(tuple, paths))
    found = opened.get("/api/policy")
    assert found["content"]["columns"]["disease"]["taxonomy"] == "disease_hierarchy.csv"
    assert "# as last year" in found["text"]
    wrong = [["flu", "ill", "*"], ["cold", "ill", "all"]]
    said = opened.ask("PUT", "/api/taxonomy", {"column": "disease", "paths": wrong})
    assert said.status == 422
    assert shoal.Taxonomy.read(folder / "disease_hierarchy.csv").paths == tuple(map(tuple, paths))
    assert opened.ask("PUT", "/api/taxonomy", {"column": "zip", "paths": paths}).status == 422
    for column in ("nobody", "../x"):
        assert opened.ask("POST", "/api/taxonomy", {"column": column}).status == 422


def test_a_hierarchy_file_of_somebody_else_is_not_replaced(opened, folder):
    (folder / "disease_hierarchy.csv").write_text("mine")
    paths = [["flu", "ill", "*"], ["cold", "ill", "*"], ["none", "well", "*"]]
    said = opened.ask("PUT", "/api/taxonomy", {"column": "disease", "paths": paths})
    assert said.status == 422
    assert (folder / "disease_hierarchy.csv").read_text() == "mine"
    assert "taxonomy" not in opened.get("/api/policy")["content"]["columns"]["disease"]


@pytest.mark.parametrize("cell", ["a\nb", "a\rb", 'x"y\nz', "\ufeffa"])
def test_a_taxonomy_that_a_file_cannot_hold_is_said(opened, folder, cell):
    said = opened.ask("PUT", "/api/taxonomy", {"column": "disease", "paths": [[cell, "*"], ["flu", "*"]]})
    assert said.status == 422
    assert not (folder / "disease_hierarchy.csv").exists()
