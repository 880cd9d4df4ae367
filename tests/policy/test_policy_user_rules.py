"""Rules of users in a policy: code runs where it is allowed, the same code everywhere, and proofs say whose it is."""

import hashlib
import json
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
import tomlkit
from pyarrow import csv
from typer.testing import CliRunner

import shoal
from shoal.cli.commands import app
from shoal.errors import ManifestError, PolicyError, RuleError
from shoal.policy import ReleasePlan, dump, load
from shoal.policy.load import load_text

EXAMPLES = Path(__file__).parent.parent.parent / "examples"
OWN = """
from dataclasses import dataclass
from shoal.requirements import UserRequirement

@dataclass(frozen=True)
class Size(UserRequirement):
    k: int
    monotone = True
    least_records = property(lambda self: self.k)

    def holds(self, groups):
        return groups.totals >= self.k
"""


def people(n=300):
    chance = np.random.default_rng(5)
    return pa.table(
        {
            "age": chance.integers(20, 60, n),
            "sex": chance.choice(["f", "m"], n),
            "illness": chance.choice(["flu", "gout", "none"], n, p=[0.2, 0.1, 0.7]),
        }
    )


def content(*, method="mondrian", code=True, **more):
    """A policy on ``people``, with the rule of ``OWN``."""
    roles = {"age": "quasi_identifier", "sex": "quasi_identifier", "illness": "sensitive"}
    kinds = {"age": "numeric", "sex": "nominal", "illness": "nominal"}
    columns = {name: {"role": role, "kind": kinds[name]} for name, role in roles.items()}
    rules = {"rules": {"file": "own.py", "requirements": [{"rule": "Size", "parameters": {"k": 5}}]}} if code else {}
    return {"columns": columns, "method": {"name": method}, **rules, **more}


@pytest.fixture
def folder(tmp_path):
    """A table, a policy and the file beside it."""
    csv.write_csv(people(), tmp_path / "people.csv")
    (tmp_path / "own.py").write_text(OWN)
    (tmp_path / "policy.toml").write_text(tomlkit.dumps(content()))
    return tmp_path


def shell(*words):
    return CliRunner().invoke(app, [str(word) for word in words], catch_exceptions=True)


def test_no_code_runs_unless_it_is_allowed(folder):
    marked = folder / "has_run"
    (folder / "own.py").write_text(f"from pathlib import Path\nPath({str(marked)!r}).touch()\n{OWN}")
    loaded = load(folder / "policy.toml")
    for run in (
        lambda: ReleasePlan.of(loaded),
        lambda: shoal.protect(folder / "people.csv", folder / "policy.toml"),
        lambda: shoal.verify(folder / "people.csv", folder / "policy.toml"),
    ):
        with pytest.raises(RuleError, match=r"runs code of own\.py, and code runs only where you allow it"):
            run()
    assert not marked.exists()
    assert ReleasePlan.of(load(folder / "policy.toml", rules=folder / "own.py")).k == 5
    assert marked.exists()


def test_only_the_file_beside_the_policy_can_be_allowed(folder, tmp_path_factory):
    other = tmp_path_factory.mktemp("elsewhere") / "own.py"
    other.write_text(OWN)
    with pytest.raises(RuleError, match=r"but .* was allowed"):
        load(folder / "policy.toml", rules=other)
    with pytest.raises(RuleError, match="has no rules of a user"):
        load(content(code=False), rules=other)
    for file in ("../own.py", "/tmp/own.py", "a/own.py", "a\\own.py", "own.txt"):
        with pytest.raises(PolicyError, match=r"rules.file is .*: it must be the name of a \.py file"):
            load(content() | {"rules": {"file": file}})


@pytest.mark.parametrize(
    ("entry", "code", "message"),
    [
        ({"rule": "Sise"}, OWN, r"rules\.requirements\[1\]\.rule: the file has no class 'Sise' .* Did you mean 'Size'"),
        ({"rule": "UserRequirement"}, OWN, "no class 'UserRequirement'"),
        ({"rule": "Size"}, OWN, r"parameters: Size cannot be made with these parameters: .*'k'"),
        (
            {"rule": "Size", "parameters": {"k": 5}},
            OWN.replace("totals >=", "totals == 2 *"),
            "Size is declared monotone, but is not",
        ),
        ({"rule": "Size", "parameters": {"k": 5}}, "1 / 0", "does not run: ZeroDivisionError"),
        (
            {"rule": "Size", "parameters": {"k": 5}, "column": "age"},
            OWN,
            r"rules\.requirements\[1\]\.column.*sensitive",
        ),
        ({"rule": "Size", "parameters": {"k": 5}, "columns": ["sez"]}, OWN, r"rules\.requirements\[1\]\.columns"),
    ],
)
def test_an_entry_that_cannot_be_met_is_an_error_that_names_it(folder, entry, code, message):
    (folder / "own.py").write_text(code)
    (folder / "policy.toml").write_text(
        tomlkit.dumps(content() | {"rules": {"file": "own.py", "requirements": [entry]}})
    )
    with pytest.raises((RuleError, PolicyError), match=message):
        load(folder / "policy.toml", rules=folder / "own.py")


def test_a_pinned_hash_admits_no_other_code(folder):
    policy = load(folder / "policy.toml", rules=folder / "own.py")
    found = hashlib.sha256(OWN.encode()).hexdigest()
    assert policy.rules.sha256 == found
    (folder / "policy.toml").write_text(dump(policy))
    assert load(folder / "policy.toml", rules=folder / "own.py").digest() == policy.digest()
    (folder / "own.py").write_text(OWN + "# changed\n")
    with pytest.raises(RuleError, match=rf"its SHA-256 is .*, not {found}"):
        load(folder / "policy.toml", rules=folder / "own.py")
    assert load_text(dump(policy)).rules.sha256 == found


def test_other_code_is_another_policy(folder):
    before = load(folder / "policy.toml", rules=folder / "own.py").digest()
    (folder / "own.py").write_text(OWN + "# changed\n")
    assert load(folder / "policy.toml", rules=folder / "own.py").digest() != before


@pytest.mark.gate
def test_release_proof_and_replay_are_those_of_the_twin(folder):
    """With mondrian: the same cells; the gate counts the same figures and says whose code it ran."""
    (folder / "twin.toml").write_text(
        tomlkit.dumps(content(code=False, requirements=[{"name": "k_anonymity", "k": 5}]))
    )
    own = shell(
        "protect",
        folder / "people.csv",
        "-p",
        folder / "policy.toml",
        "-o",
        folder / "own.csv",
        "--rules",
        folder / "own.py",
    )
    assert own.exit_code == 0, own.output
    twin = shell("protect", folder / "people.csv", "-p", folder / "twin.toml", "-o", folder / "twin.csv")
    assert twin.exit_code == 0
    rows = [sorted((folder / name).read_text().splitlines()) for name in ("own.csv", "twin.csv")]
    assert rows[0] == rows[1]
    stated, of_twin = (json.loads((folder / name).read_text()) for name in ("own.manifest.json", "twin.manifest.json"))
    found = hashlib.sha256(OWN.encode()).hexdigest()
    assert stated["policy"]["rules"]["sha256"] == found
    assert "rules" not in of_twin["policy"]
    assert stated["k_reached"] == of_twin["k_reached"] >= 5
    assert any(f"Size is code of own.py (SHA-256 {found}), not of Shoal" in note for note in stated["notes"])

    proved = shell("verify", folder / "own.csv", "-p", folder / "policy.toml", "--rules", folder / "own.py")
    assert proved.exit_code == 0, proved.output
    assert "holds  Size = 1 (k = 5): 1 reached" in proved.output
    assert "not of Shoal" in proved.output
    assert shell("verify", folder / "own.csv", "-p", folder / "policy.toml").exit_code != 0

    manifest = folder / "own.manifest.json"
    assert shoal.replay(manifest, rules=folder / "own.py").manifest.output.sha256 == stated["output"]["sha256"]
    (folder / "own.py").write_text(OWN + "# changed\n")
    with pytest.raises(ManifestError):
        shoal.replay(manifest, rules=folder / "own.py")
    proof = shoal.verify(folder / "own.csv", folder / "policy.toml", rules=folder / "own.py")
    assert any("was made with other code than own.py" in note for note in proof.notes)


def test_the_gate_refuses_a_file_that_fails_a_rule(folder):
    proofs = []
    for n in (5, 4):
        csv.write_csv(pa.table({"age": ["[20, 40)"] * n, "sex": ["f"] * n, "illness": ["flu"] * n}), folder / "r.csv")
        proofs.append(shoal.verify(folder / "r.csv", folder / "policy.toml", rules=folder / "own.py"))
    assert [proof.holds for proof in proofs] == [True, False]
    assert proofs[1].verdicts[0].n_classes_failing == 1


@pytest.mark.parametrize("method", ["mdav", "global_recoding"])
def test_a_loss_of_a_user_needs_a_method_that_searches_by_it(folder, method):
    (folder / "own.py").write_text((EXAMPLES / "own_rules.py").read_text())
    rules = {"file": "own.py", "loss": {"rule": "SpreadOfRecords"}}
    asked = content(method=method, requirements=[{"name": "k_anonymity", "k": 5}]) | {"rules": rules}
    (folder / "policy.toml").write_text(tomlkit.dumps(asked))
    with pytest.raises(PolicyError, match=r"rules\.loss is only allowed with method\.name = 'gensearch'"):
        ReleasePlan.of(load(folder / "policy.toml", rules=folder / "own.py"))


def test_microaggregation_merges_until_a_rule_holds(folder):
    (folder / "own.py").write_text((EXAMPLES / "own_rules.py").read_text())
    rules = {"file": "own.py", "requirements": [{"rule": "Minority", "column": "illness", "parameters": {"rest": 2}}]}
    asked = content(method="mdav", requirements=[{"name": "k_anonymity", "k": 3}]) | {"rules": rules}
    (folder / "policy.toml").write_text(tomlkit.dumps(asked))
    release = shoal.protect(folder / "people.csv", folder / "policy.toml", rules=folder / "own.py")
    for _, members in release.records.to_pandas().groupby(["age", "sex"], observed=True):
        assert len(members) - members["illness"].value_counts().max() >= 2
