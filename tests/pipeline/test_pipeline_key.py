"""A release and its key: what repeats, what is published, and what happens where the key is lost, open or another."""

import json
import shutil
import stat

import numpy as np
import pyarrow as pa
import pytest

import shoal
from shoal.errors import KeyFileError, LinkageError, ManifestError
from shoal.pipeline.files.manifest_content import NOT_KEPT
from shoal.pipeline.files.targets import Targets
from shoal.pipeline.protect.protect import protect_by
from shoal.sources import sha256_of
from survey_example import carrier, desk, shell, survey, survey_policy

ONE, OTHER = bytes(range(32)), bytes(range(32, 64))
SEED = 918273
PERTURBED = {
    "method": {"name": "mdav"},
    "perturbations": [
        {"name": "noise", "columns": ["amount"]},
        {"name": "rank_swap", "columns": ["age"], "p": 30},
        {"name": "pram", "columns": ["note"]},
    ],
}
POLICIES = {
    "order": {"output": {"shuffle": True}},
    "permuted": {"output": {"permute": True}},
    "anatomy": {"output": {"representation": "anatomy"}},
    "perturbed": PERTURBED,
}


@pytest.fixture
def place(tmp_path):
    """A release made in the shell, in a folder apart from policy and key."""
    made = desk(tmp_path, policy=survey_policy(seed=SEED))
    (tmp_path / "public").mkdir()
    assert shell("protect", made.data, "-p", made.policy, "-o", tmp_path / "public" / "release.csv").code == 0
    return made


def manifest_of(place):
    return place.folder / "public" / "release.manifest.json"


@pytest.mark.gate(but="permuted")
@pytest.mark.parametrize("more", POLICIES.values(), ids=POLICIES)
def test_the_same_key_gives_the_same_release_and_another_another(more):
    table, policy = survey(), survey_policy(**more)
    one, again, other = (shoal.protect(table, policy, key=key).records for key in (ONE, ONE, OTHER))
    assert one.equals(again)
    assert not one.equals(other)


@pytest.mark.gate
@pytest.mark.parametrize("more", POLICIES.values(), ids=POLICIES)
def test_both_engines_draw_the_same(more, tmp_path):
    made = desk(tmp_path, policy=survey_policy(**more))
    policy, found = shoal.policy.load(made.policy), []
    for name in ("memory", "duckdb"):
        with carrier(name, tmp_path) as engine:
            target = tmp_path / f"{name}.csv"
            protect_by(engine, made.data, policy, Targets.of(target, None, None), ONE, force=False)
        found.append(target.read_bytes())
    assert found[0] == found[1]


def test_two_policies_and_two_tables_share_no_order():
    """Or the rows of two releases drawn by one key and seed could be held side by side."""
    table = pa.table({"x": np.arange(200) % 50, "who": np.arange(200)})
    columns = {"x": {"role": "quasi_identifier", "kind": "numeric"}, "who": {"role": "other", "kind": "numeric"}}
    rules = [{"columns": columns, "requirements": [{"name": "k_anonymity", "k": k}]} for k in (3, 4)]
    other = table.set_column(0, "x", pa.array((np.arange(200) + 1) % 50))
    made = [(table, rules[0]), (table, rules[1]), (other, rules[0])]
    orders = [shoal.protect(*one, key=ONE).records["who"].to_numpy() for one in made]
    assert (orders[0] == shoal.protect(table, rules[0], key=ONE).records["who"].to_numpy()).all()
    for one, two in ((0, 1), (0, 2), (1, 2)):
        assert (orders[one] == orders[two]).mean() < 0.05


def test_noise_of_two_strengths_cannot_be_subtracted():
    columns = {"x": {"role": "quasi_identifier", "kind": "numeric", "decimals": 6}}
    x = np.random.default_rng(1).lognormal(8, 1, 600).round(2)
    one, two = (
        shoal.protect(
            pa.table({"x": x}),
            {"columns": columns, "perturbations": [{"name": "noise", "alpha": a}], "output": {"shuffle": False}},
            key=ONE,
        ).records["x"].to_numpy()
        for a in (0.1, 0.4)
    )  # fmt: skip
    solved = (2 * one - two) / (2 - 1)
    assert (abs(solved - x) < 1).mean() < 0.05


@pytest.mark.parametrize("role", ["quasi_identifier", "other"])
def test_another_table_gets_other_noise(role):
    """Or two tables that differ in one record would show the difference, in columns that nobody knows, too."""
    columns = {"g": {"role": "quasi_identifier"}, "x": {"role": role, "kind": "numeric"}}
    columns["x"] |= {"decimals": 6} if role == "quasi_identifier" else {}
    noise = [{"name": "noise", "columns": ["x"]}]
    policy = {"columns": columns, "perturbations": noise, "output": {"shuffle": False}}
    firsts = ([101.13, 502.27], [502.27, 101.13])  # of the same spread, and so noise of the same size
    tables = [pa.table({"g": list("aabbc"), "x": [*first, 903.31, 204.9, 305.71]}) for first in firsts]
    drawn = [shoal.protect(table, policy, key=ONE).records["x"].to_numpy() for table in tables]
    assert abs(drawn[0] - drawn[1]).min() > 1e-3


@pytest.mark.gate
@pytest.mark.new_keys
def test_without_a_key_a_run_from_python_does_not_repeat_and_says_so():
    table, policy = survey(), survey_policy()
    one, other = shoal.protect(table, policy), shoal.protect(table, policy)
    assert not one.records.equals(other.records)
    assert one.private.notes == (NOT_KEPT,)
    assert shoal.protect(table, policy, key=one.key).records.equals(one.records)
    with pytest.raises(LinkageError, match="its key by --key"):
        shoal.assess(table, one.records, policy)
    assert shoal.assess(table, one.records, policy, key=one.key).linkages


@pytest.mark.gate
def test_python_takes_the_key_beside_the_policy(place):
    again = shoal.protect(place.data, place.policy)
    assert again.key.file == place.folder / "policy.key"
    assert again.private.notes == ()
    assert again.private.input_sha256 == sha256_of(place.data)
    assert shoal.replay(manifest_of(place)).manifest.output.sha256 == sha256_of(place.folder / "public" / "release.csv")
    assert again.manifest.input.hmac == json.loads(manifest_of(place).read_text())["input"]["hmac"]


@pytest.mark.new_keys
def test_the_shell_makes_a_key_once_and_takes_it_again(tmp_path):
    made = desk(tmp_path)
    said = shell("protect", made.data, "-p", made.policy, "-o", made.release)
    assert f"Created the key {tmp_path / 'policy.key'}" in said.out
    key, release = (tmp_path / "policy.key").read_bytes(), made.release.read_bytes()
    again = shell("protect", made.data, "-p", made.policy, "-o", made.release, "--force")
    assert "Created the key" not in again.out
    assert ((tmp_path / "policy.key").read_bytes(), made.release.read_bytes()) == (key, release)


@pytest.mark.new_keys
def test_init_makes_the_key_and_never_replaces_it(tmp_path):
    made = desk(tmp_path)
    assert "policy.key" in shell("init", made.data, "-o", made.policy, "--force").out
    key = (tmp_path / "policy.key").read_bytes()
    assert len(key) == 32
    assert shell("init", made.data, "-o", made.policy, "--force").code == 0
    assert (tmp_path / "policy.key").read_bytes() == key


def test_a_run_that_cannot_begin_leaves_no_key(tmp_path):
    made = desk(tmp_path)
    made.data.unlink()
    assert shell("protect", made.data, "-p", made.policy, "-o", made.release).code == 2
    assert made.files() == {"policy.toml"}


def test_a_dry_run_makes_no_key(tmp_path):
    made = desk(tmp_path)
    assert shell("protect", made.data, "-p", made.policy, "-o", made.release, "--dry-run").code == 0
    assert made.files() == {"policy.toml", "survey.csv"}


def test_a_key_may_be_elsewhere(place, tmp_path_factory):
    vault = tmp_path_factory.mktemp("vault") / "a.key"
    out = place.folder / "again.csv"
    assert shell("protect", place.data, "-p", place.policy, "-o", out, "--key", vault).code == 0
    assert vault.stat().st_size == 32
    private = json.loads((place.folder / "again.private.json").read_text())
    assert (out.parent / private["key_path"]).samefile(vault)


def test_a_release_cannot_take_the_place_of_its_key(place):
    said = shell("protect", place.data, "-p", place.policy, "-o", place.folder / "policy.key", "--force")
    assert said.code == 2
    assert (place.folder / "policy.key").stat().st_size == 32


@pytest.mark.gate(but="new.csv")
@pytest.mark.parametrize("name", ["new.csv", "new.manifest.json", "new.private.json"])
def test_a_new_key_takes_no_place_of_a_release(place, name):
    before = set(place.folder.rglob("*"))
    said = shell(
        "protect", place.data, "-p", place.policy, "-o", place.folder / "new.csv", "--key", place.folder / name
    )
    assert (said.code, "Name another file with --key" in said.err) == (2, True)
    assert set(place.folder.rglob("*")) == before


def test_a_key_that_others_may_read_stops_everything(place):
    (place.folder / "policy.key").chmod(0o644)
    before = set(place.folder.rglob("*"))
    said = shell("protect", place.data, "-p", place.policy, "-o", place.folder / "again.csv")
    assert (said.code, "chmod 600" in said.err) == (2, True)
    assert set(place.folder.rglob("*")) == before
    with pytest.raises(KeyFileError, match="others can read the key"):
        shoal.replay(manifest_of(place))


def test_a_lost_key_is_named_by_a_replay_and_verify_needs_none(place):
    (place.folder / "policy.key").unlink()
    with pytest.raises(KeyFileError, match=r"policy\.key: the key of the release is missing"):
        shoal.replay(manifest_of(place))
    assert not (place.folder / "policy.key").exists()
    said = shell("verify", place.folder / "public" / "release.csv", "-p", place.policy)
    assert (said.code, "Proven." in said.out) == (0, True)


@pytest.mark.gate(but="assess")
@pytest.mark.new_keys
@pytest.mark.parametrize("command", ["assess", "link"])
def test_a_lost_key_is_named_where_the_release_has_to_be_repeated(place, command):
    (place.folder / "policy.key").unlink()
    said = shell(command, place.data, place.folder / "public" / "release.csv", "-p", place.policy)
    assert (said.code, "policy.key: there is no such key, and without its key" in said.err) == (2, True)


def test_another_key_is_not_taken_for_the_one(place):
    (place.folder / "policy.key").write_bytes(OTHER)
    with pytest.raises(KeyFileError, match="is not the key of the release"):
        shoal.replay(manifest_of(place))
    assert shoal.replay(manifest_of(place), key=ONE).manifest.k_reached == 3


def test_a_key_in_the_folder_of_a_release_is_noted_for_its_owner_alone(tmp_path):
    made = desk(tmp_path)
    said = shell("protect", made.data, "-p", made.policy, "-o", made.release)
    assert "policy.key is in the folder of the release: publish single files, never the folder" in " ".join(
        said.out.split()
    )
    assert "policy.key" not in made.manifest.read_text()


def test_what_is_published_has_neither_seed_nor_path_nor_hash_of_the_input(place, tmp_path):
    report = tmp_path / "report.html"
    shoal.protect(place.data, place.policy, output=tmp_path / "again.csv", report=report)
    for path in (manifest_of(place), tmp_path / "again.manifest.json", report):
        text = path.read_text()
        assert sha256_of(place.data) not in text
        assert sha256_of(place.data)[:12] not in text
        for word in (str(SEED), "survey.csv", "policy.toml", "policy.key", str(tmp_path)):
            assert word not in text, (path.name, word)


def test_what_is_private_only_its_owner_may_read(place):
    private = place.folder / "public" / "release.private.json"
    assert stat.S_IMODE(private.stat().st_mode) == 0o600
    said = json.loads(private.read_text())
    assert said["input_sha256"] == sha256_of(place.data)
    assert (said["input_path"], said["policy_path"], said["key_path"]) == (
        "../survey.csv", "../policy.toml", "../policy.key",
    )  # fmt: skip
    assert said["seed"] == SEED
    assert said["release_sha256"] == sha256_of(place.folder / "public" / "release.csv")


def test_without_the_private_file_nothing_is_replayed(place):
    (place.folder / "public" / "release.private.json").unlink()
    with pytest.raises(ManifestError, match=r"release\.private\.json: the private manifest, .* stays with the owner"):
        shoal.replay(manifest_of(place))


def test_a_private_file_of_another_release_is_none(place):
    private = place.folder / "public" / "release.private.json"
    private.write_text(private.read_text().replace(sha256_of(place.folder / "public" / "release.csv"), "0" * 64))
    with pytest.raises(ManifestError, match="describes another release"):
        shoal.replay(manifest_of(place))


def test_another_seed_is_a_changed_policy(place):
    place.policy.write_text(place.policy.read_text().replace(str(SEED), "4"))
    with pytest.raises(ManifestError, match="the policy is not the one"):
        shoal.replay(manifest_of(place))


@pytest.mark.gate
def test_a_written_folder_can_be_replayed(place, tmp_path):
    folder = shoal.protect(place.data, place.policy).write(tmp_path / "out")
    assert stat.S_IMODE((folder / "private.json").stat().st_mode) == 0o600
    assert shoal.replay(folder / "manifest.json").manifest.k_reached == 3
    shutil.rmtree(folder)


@pytest.mark.gate
def test_assess_and_link_take_a_key(place):
    release = place.folder / "public" / "release.csv"
    (place.folder / "policy.key").rename(place.folder / "kept.key")
    for command in ("assess", "link"):
        words = [command, place.data, release, "-p", place.policy]
        assert shell(*words, "--key", place.folder / "kept.key").code == 0
    assert shell("assess", place.data, release, "-p", place.policy, "--key", place.folder / "no.key").code == 2


@pytest.mark.new_keys
def test_a_key_file_that_is_named_is_made_though_nothing_is_written(tmp_path):
    table = pa.table({"age": list(range(30))})
    policy = {"method": {"k": 3}, "columns": {"age": {"role": "quasi_identifier", "kind": "numeric"}}}
    first, second = (shoal.protect(table, policy, key=tmp_path / "new.key") for _ in range(2))
    assert first.table.equals(second.table)
    assert first.key.secret == (tmp_path / "new.key").read_bytes()
