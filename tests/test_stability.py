"""What docs/stability.md promises: names, arguments, keys, commands and codes stay; older manifests are verified."""

import json
from dataclasses import MISSING, fields

import pytest

import shoal
from shoal.release.manifest import Manifest

POLICY = {
    "requirements": [{"name": "k_anonymity", "k": 4}],
    "columns": {
        "age": {"role": "quasi_identifier", "kind": "numeric"},
        "sex": {"role": "quasi_identifier"},
        "income": {"role": "sensitive", "kind": "numeric"},
    },
}
LATER = [each.name for each in fields(Manifest) if each.default_factory is not MISSING or each.default is not MISSING]


def test_nothing_that_is_promised_is_gone():
    from stable_interface import KEPT, interface, kept

    gone = sorted(kept() - interface())
    assert gone == [], (
        f"docs/stability.md promises to keep these. Keep them; or else say in CHANGELOG.md what to do instead, and "
        f"take the lines out of {KEPT.name}."
    )


def test_the_promise_is_of_all_parts():
    from stable_interface import kept

    kept_lines = kept()
    assert {
        "call: shoal.protect(table, policy) -> Release",
        "option: shoal.protect output",
        "policy: Output.household = unlinked",
        "command: verify --policy",
        "exit code: RequirementError 1",
        "manifest: proof",
        "page: .sections",
    } <= kept_lines


@pytest.fixture
def release(tmp_path):
    people = shoal.datasets.synthetic_census(200, seed=9).select(list(POLICY["columns"]))
    shoal.protect(people, POLICY, output=tmp_path / "release.csv", key=bytes(32))
    return tmp_path / "release.csv"


@pytest.mark.gate(but=("none", "decimals", "steps"))
@pytest.mark.parametrize(
    "missing", [(), *((name,) for name in LATER), LATER], ids=lambda names: "+".join(names) or "none"
)
def test_a_manifest_of_an_older_version_is_verified(release, missing):
    """Fields that have a default were added after the first version; an older manifest lacks them."""
    file = release.with_name("release.manifest.json")
    content = json.loads(file.read_text())
    content["versions"] = {"shoal": "0.0.1", "python": "3.9.0"}
    for name in missing:
        del content[name]
    file.write_text(json.dumps(content))
    assert shoal.verify(release, POLICY).holds


def test_a_manifest_proves_nothing_of_another_file(release):
    release.write_text(release.read_text().replace("female", "male", 1))
    assert not shoal.verify(release, POLICY).holds
