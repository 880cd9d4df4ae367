"""The shell: every command, its exit codes and its words."""

import json
import re
import shutil
import tomllib

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import shoal
from shoal.policy import load
from survey_example import desk, read_cells, shell, survey_policy, write_policy


@pytest.fixture(scope="module")
def demo(tmp_path_factory):
    folder = tmp_path_factory.mktemp("demo") / "made"
    return folder, shell("demo", "--persons", 1000, "--folder", folder)


@pytest.mark.gate
def test_the_demo_leaves_all_of_it_to_look_at(demo):
    folder, said = demo
    assert said.code == 0
    assert said.err == ""
    assert {path.name for path in folder.iterdir()} >= {
        "census.csv", "policy.toml", "release.csv", "release.manifest.json", "report.html",
    }  # fmt: skip
    assert shoal.verify(folder / "release.csv", folder / "policy.toml").k_reached >= 10
    assert "k_anonymity = 10 holds" in said.out
    assert shell("verify", folder / "release.csv", "--policy", folder / "policy.toml").code == 0
    assert shell("protect", "--replay", folder / "release.manifest.json").code == 0


@pytest.mark.gate
def test_the_same_seed_and_key_the_same_demo(demo, tmp_path):
    folder, _ = demo
    again = tmp_path / "again"
    again.mkdir()
    for name in ("policy.toml", "policy.key"):
        shutil.copy2(folder / name, again / name)
    shell("demo", "--persons", 1000, "--folder", again)
    for name in ("census.csv", "policy.toml", "release.csv"):
        assert (again / name).read_bytes() == (folder / name).read_bytes()


@pytest.mark.gate
def test_what_init_proposes_can_be_used_as_it_is(demo, tmp_path):
    folder, _ = demo
    policy, release = tmp_path / "policy.toml", tmp_path / "release.csv"
    said = shell("init", folder / "census.csv", "--output", policy)
    assert said.code == 0
    said = shell("protect", folder / "census.csv", "-p", policy, "-o", release)
    assert (said.code, said.err) == (0, "")
    assert shell("verify", release, "-p", policy).code == 0
    assert "person_id" not in read_cells(release)[0]


def test_init_gives_its_reasons(demo, tmp_path):
    folder, _ = demo
    said = shell("init", folder / "census.csv", "-o", tmp_path / "policy.toml")
    text = (tmp_path / "policy.toml").read_text()
    columns = tomllib.loads(text)["columns"]
    assert set(columns) == set(read_cells(folder / "census.csv")[0])
    for name, rule in columns.items():
        head = re.search(rf"\[columns\.{name}\]\n# (.+)\n", text)
        assert head, name
        assert re.search(rf"{name} +{rule['role']} +{rule['kind']} +{re.escape(head[1])}", said.out)
    assert columns["person_id"]["role"] == "identifier"
    assert columns["household_id"]["role"] == "household"
    assert columns["weight"]["role"] == "weight"
    assert columns["health_condition"]["role"] == "sensitive"
    assert columns["age"] == {"role": "quasi_identifier", "kind": "numeric"}
    assert "# taxonomy = {intervals = [5, 10, 20]}  # for methods that generalize" in text
    assert columns["moved_in"]["kind"] == "date"


def test_init_never_replaces(tmp_path):
    place = desk(tmp_path)
    before = place.policy.read_text()
    said = shell("init", place.data, "-o", place.policy)
    assert (said.code, "already exists" in said.err) == (2, True)
    assert place.policy.read_text() == before
    said = shell("init", place.data, "-o", place.data, "--force")
    assert (said.code, "is the input" in said.err) == (2, True)
    assert shell("init", place.data, "-o", place.policy, "--force").code == 0
    assert place.policy.read_text() != before


def test_init_sees_words_that_mean_missing(tmp_path):
    data, policy = tmp_path / "d.csv", tmp_path / "p.toml"
    data.write_text("age,town\n" + "30,a\nNA,b\n41,?\n" * 9)
    assert shell("init", data, "-o", policy).code == 0
    proposed = tomllib.loads(policy.read_text())
    assert proposed["source"]["missing"] == ["", "?", "NA"]
    assert proposed["columns"]["age"]["kind"] in ("numeric", "ordinal")
    assert shell("protect", data, "-p", policy, "-o", tmp_path / "r.csv").code == 0


@pytest.mark.gate(but=('a "quoted" word', "a.b", "\\xe4 \\xf6"))
@pytest.mark.parametrize("name", ['a "quoted" word', "a.b", "ä ö", "[x]", "a = 1", "# no comment", "a\\b", "'", "a\nb"])
def test_init_takes_any_name_of_a_column(tmp_path, name):
    data, policy = tmp_path / "d.parquet", tmp_path / "p.toml"
    pq.write_table(pa.table({name: ["x", "y"] * 10, f"salary {name}": ["p", "q"] * 10}), data)
    assert shell("init", data, "-o", policy).code == 0
    text = policy.read_text()
    assert list(tomllib.loads(text)["columns"]) == [name, f"salary {name}"]
    assert shell("protect", data, "-p", policy, "-o", tmp_path / "r.parquet").code == 0
    hint = text[text.rindex("# [[requirements]]") :]  # a requirement, once its # are gone
    policy.write_text(text + "\n" + re.sub("^# ", "", hint, flags=re.MULTILINE))
    assert load(policy).requirements[-1].column == f"salary {name}"


def test_protect_says_what_it_did(tmp_path):
    place = desk(tmp_path)
    said = shell("protect", place.data, "-p", place.policy, "-o", place.release)
    assert (said.code, said.err) == (0, "")
    manifest = json.loads(place.manifest.read_text())
    assert f"k reached {manifest['k_reached']}" in said.out
    assert "40 records released, 0 suppressed" in said.out
    assert f"Wrote {place.release} and {place.manifest}, proven as written;" in said.out


def test_verify_says_once_that_a_requirement_holds(tmp_path):
    place = desk(tmp_path)
    shoal.protect(place.data, place.policy, output=place.release)
    lines = shell("verify", place.release, "-p", place.policy).out.splitlines()
    (line,) = (line for line in lines if line.startswith("  holds"))
    assert line.startswith("  holds  k_anonymity = 3 (units = household): 3 reached in ")
    assert line.count("holds") == 1


def test_json_is_the_manifest_that_was_written_and_the_warnings(tmp_path):
    place = desk(tmp_path)
    said = shell("protect", place.data, "-p", place.policy, "-o", place.release, "--json")
    shown = json.loads(said.out)
    assert shown.pop("warnings")
    assert shown == json.loads(place.manifest.read_text())
    proof = json.loads(shell("verify", place.release, "-p", place.policy, "--json").out)
    assert proof["holds"] is True
    assert proof["k_reached"] == json.loads(said.out)["k_reached"]
    assert [verdict["requirement"] for verdict in proof["verdicts"]] == ["k_anonymity"]


def test_the_doors_agree(tmp_path):
    place = desk(tmp_path)
    shell("protect", place.data, "-p", place.policy, "-o", place.release)
    shoal.protect(place.data, place.policy, output=tmp_path / "python.csv")
    assert (tmp_path / "python.csv").read_bytes() == place.release.read_bytes()


def test_the_mapping_says_who_is_in_which_group(tmp_path):
    place = desk(tmp_path)
    mapping = tmp_path / "mapping.csv"
    shell("protect", place.data, "-p", place.policy, "-o", place.release, "--mapping", mapping)
    groups = [record["group"] for record in read_cells(mapping)]
    points = [tuple(r[name] for name in ("zip", "age", "grade", "born")) for r in read_cells(place.release)]
    assert [record["record"] for record in read_cells(mapping)] == [str(i) for i in range(1, 41)]
    assert len(set(zip(groups, points, strict=True))) == len(set(groups))


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (["--version"], 0),
        (["--help"], 0),
        (["protect", "--help"], 0),
        (["protect"], 2),
        (["protect", "none.csv"], 2),
        (["verify", "none.csv", "-p", "none.toml"], 2),
        (["init", "none.csv", "-o", "none.toml"], 2),
        (["reproduce", "nothing"], 2),
        (["no-such-command"], 2),
        (["demo", "--persons", "3"], 2),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else None,
)
def test_exit_codes(words, code, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    said = shell(*words)
    assert said.code == code
    assert bool(said.err) == bool(code)
    assert list(tmp_path.iterdir()) == []


def test_the_version():
    assert shell("--version").out == f"shoal {shoal.__version__}\n"


def test_reproduce(tmp_path, reference_data):
    said = shell("reproduce", "mdav", "-o", tmp_path, "--json")
    rows = json.loads(said.out)
    assert rows
    assert set(rows[0]) >= {"table", "row", "column", "paper", "ours", "ratio", "holds"}
    assert said.code == (0 if all(row["holds"] for row in rows) else 1)


def test_requirements_are_named_one_by_one(tmp_path):
    place = desk(tmp_path)
    more = [{"name": "k_anonymity", "k": 3}, {"name": "distinct_l_diversity", "l": 2, "column": "disease"}]
    write_policy(survey_policy(requirements=more, suppression={"limit": 0.5}), place.policy)
    shell("protect", place.data, "-p", place.policy, "-o", place.release)
    said = shell("verify", place.release, "-p", place.policy)
    assert said.out.count("  holds  ") == 2
    assert said.out.endswith("Proven.\n")
