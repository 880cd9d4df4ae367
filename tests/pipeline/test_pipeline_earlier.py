"""Repeat releases: two years of a growing population, from the files that a steward holds."""

import json
import shutil
from dataclasses import replace

import numpy as np
import pyarrow as pa
import pyarrow.csv as pacsv
import pytest
import tomlkit
from typer.testing import CliRunner

import shoal
from shoal.cli.commands import app
from shoal.errors import RequirementError
from shoal.report.exposure_words import exposure_caution
from yearly_example import policy, two_years, write_years
from yearly_releases import BELOW, K, N, assess, protect, protect_second

INVARIANT = [{"name": "k_anonymity", "k": K}, {"name": "m_invariance", "m": 2, "column": "condition"}]
LEFT, JOINED = (f"condition of {persons} persons pinned down" for persons in ("departed", "new"))
PINNED = "condition pinned down by earlier releases"


def earlier_verdict(proof):
    return next(verdict for verdict in proof.verdicts if "earlier" in verdict.besides)


@pytest.mark.gate
def test_a_release_made_alone_reveals_many_and_one_that_keeps_groups_nobody(years):
    alone, kept = assess(years, "alone.csv").findings, assess(years, "kept.csv").findings
    assert alone[BELOW].estimate > 50
    assert alone[BELOW].baseline == 0
    assert alone[PINNED].estimate > 2 * kept[PINNED].estimate
    assert kept[BELOW].estimate == 0
    assert kept["fewest records left, earlier releases"].estimate >= K
    assert kept["persons who changed class"].estimate == 0
    assert kept["information loss"].estimate > alone["information loss"].estimate  # the price


def test_verify_proves_it_again_and_refuses_the_release_made_alone(years):
    files = {"earlier": [years / "old.csv"]}
    kept = shoal.verify(years / "kept.csv", years / "policy.toml", **files)
    assert kept.holds
    assert earlier_verdict(kept).reached >= K
    alone = shoal.verify(years / "alone.csv", years / "policy.toml", **files)
    assert not alone.holds
    assert earlier_verdict(alone).reached < K


def test_verify_says_what_it_cannot_prove_from_public_files(years, tmp_path):
    for name in ("kept.csv", "kept.manifest.json"):
        shutil.copy(years / name, tmp_path)
    proof = shoal.verify(tmp_path / "kept.csv", years / "policy.toml", earlier=[years / "old.csv"])
    assert proof.holds
    assert any("earlier releases leave of the classes was not proved" in note for note in proof.notes)
    assert any("made with earlier releases" in note for note in shoal.verify(
        years / "kept.csv", years / "policy.toml").notes)  # fmt: skip


def test_the_manifest_names_the_earlier_release_and_no_person(years):
    text = (years / "kept.manifest.json").read_text(encoding="utf-8")
    stated = json.loads(text)["policy"]["earlier"]
    assert [each["path"] for each in stated["releases"]] == ["old.csv"]
    assert str(years) not in text
    assert "P0" not in text


def test_the_release_is_repeated_from_its_manifest(years):
    assert shoal.replay(years / "kept.manifest.json").manifest.counts["n_released"] > 0


@pytest.mark.gate
def test_both_engines_give_the_same_release(years, tmp_path):
    made = shoal.protect(
        years / "year2.csv",
        years / "policy.toml",
        output=tmp_path / "kept.csv",
        key=years / "policy.key",
        earlier=[years / "old.csv"],
        engine="duckdb",
    )
    assert (tmp_path / "kept.csv").read_bytes() == (years / "kept.csv").read_bytes()
    assert made.manifest.engine == "duckdb"


@pytest.mark.gate
def test_the_policy_may_name_the_earlier_release(years):
    rules = policy(K, earlier={"releases": ["old.csv"], "person": "person", "stable": ["condition"]})
    (years / "named.toml").write_text(tomlkit.dumps(rules), encoding="utf-8")
    protect(years, years / "year2.csv", "named.csv", "named.toml")
    assert shoal.verify(years / "named.csv", years / "named.toml").holds
    told = assess(years, "named.csv", "named.toml", earlier=())
    assert told.findings[BELOW].estimate == 0
    assert not any("differs between the releases" in note for note in told.notes)  # what is stable was stated


@pytest.mark.gate
def test_in_memory_and_written_to_a_folder_it_is_proved_too(years, tmp_path):
    rules = policy(K, earlier={"releases": [str(years / "old.csv")], "stable": ["condition"]})
    made = shoal.protect(two_years(N)[1], rules)
    earlier = {"earlier": "old.csv", "stable": "condition"}
    assert [verdict["besides"] for verdict in made.manifest.proof["verdicts"]] == [{}, earlier]
    made.write(tmp_path / "folder")
    assert (tmp_path / "folder" / "manifest.json").exists()
    refused = replace(made, persons=replace(made.persons, released=made.persons.released[::-1]))
    with pytest.raises(RequirementError, match=r"earlier = old\.csv"):
        refused.write(tmp_path / "other")


@pytest.mark.gate
def test_a_third_release_keeps_the_groups_of_both(years):
    """Of two earlier releases; persons of the third year may be in both, in one, or in none."""
    both = [years / "old.csv", years / "kept.csv"]
    made = protect(years, years / "year3.csv", "third.csv", earlier=both)
    assert made.manifest.proof["verdicts"][-1]["reached"] >= K
    assert made.findings[BELOW].estimate == 0
    assert shoal.verify(years / "third.csv", years / "policy.toml", earlier=both).holds


@pytest.mark.gate
def test_m_invariance_is_required_proved_and_missed_without_it(years):
    rules = policy(K, requirements=INVARIANT, suppression={"limit": 0.4})
    (years / "invariant.toml").write_text(tomlkit.dumps(rules), encoding="utf-8")
    first = protect(years, years / "year1.csv", "unique.csv", "invariant.toml")
    assert [verdict["requirement"] for verdict in first.manifest.proof["verdicts"]] == ["k_anonymity", "m_invariance"]
    earlier = [years / "unique.csv"]
    made = protect(years, years / "year2.csv", "invariant.csv", "invariant.toml", earlier=earlier)
    proved = [(each["requirement"], *each["besides"].values()) for each in made.manifest.proof["verdicts"]]
    assert proved == [
        ("k_anonymity",),
        ("m_invariance",),
        ("k_anonymity", "unique.csv", "condition"),
        ("m_invariance", "unique.csv"),
        ("m_invariance", "unique.csv", "departed and new"),
    ]
    assert shoal.verify(years / "invariant.csv", years / "invariant.toml", earlier=earlier).holds
    found = assess(years, "invariant.csv", "invariant.toml", earlier=earlier).findings
    assert found[PINNED].estimate == found[LEFT].estimate == found[JOINED].estimate == 0
    both = [*earlier, years / "invariant.csv"]
    third = protect(years, years / "year3.csv", "invariant3.csv", "invariant.toml", earlier=both)
    assert third.findings[PINNED].estimate == third.findings[LEFT].estimate == third.findings[JOINED].estimate == 0
    assert third.manifest.counts["n_suppressed"] < 0.3 * N
    other = protect(years, years / "year2.csv", "by_k.csv", earlier=earlier)
    assert other.findings[LEFT].estimate > 20
    failures = shoal.verify(years / "by_k.csv", years / "invariant.toml", earlier=earlier).failures
    assert any("earlier = unique.csv)" in failure for failure in failures if failure.startswith("m_invariance"))
    assert any("departed and new" in failure for failure in failures)


def test_protect_shows_what_assess_shows(years):
    """The same figures of the same attacks, in the release and in its private manifest."""
    made = protect(years, years / "year2.csv", "shown.csv", earlier=[years / "old.csv"])
    told = assess(years, "shown.csv")
    names = [attack.figure.name for attack in told.attacks if attack.subject == "earlier releases"]
    assert len(names) == 10
    own = {attack.figure.name: attack for attack in made.assessment.attacks if attack.subject == "earlier releases"}
    assert [own[name].figure for name in names] == [told.findings[name] for name in names]
    private = json.loads((years / "shown.private.json").read_text(encoding="utf-8"))["findings"]
    assert set(names) <= {finding["name"] for finding in private}
    assert "condition of departed persons pinned down" in made.report("md")


def test_releases_whose_common_persons_are_all_suppressed_are_not_taken_for_strangers(tmp_path):
    """Persons of both years are too few for a class in the second, so that everybody in it is new."""
    first = two_years(N)[0]
    few = pa.concat_tables([first.slice(0, K - 2), renamed(first.slice(50, 100), "N")])
    old, new = tmp_path / "year1.csv", tmp_path / "year2.csv"
    pacsv.write_csv(first, old)
    pacsv.write_csv(few.append_column("group", pa.array(["a"] * (K - 2) + ["b"] * 100)), new)
    rules = policy(K)
    (tmp_path / "first.toml").write_text(tomlkit.dumps(rules), encoding="utf-8")
    strata = {**rules, "columns": {**rules["columns"], "group": {"role": "other"}}, "within": ["group"]}
    (tmp_path / "second.toml").write_text(tomlkit.dumps(strata), encoding="utf-8")
    shoal.protect(old, tmp_path / "first.toml", output=tmp_path / "old.csv", key=tmp_path / "policy.key")
    made = protect(tmp_path, new, "new.csv", "second.toml", earlier=[tmp_path / "old.csv"])
    assert made.manifest.counts["n_suppressed"] == K - 2
    assert made.manifest.proof["holds"]
    reasons = {figure.name: figure.reason for figure in made.assessment.not_measured}
    assert "suppressed in one of them" in reasons[BELOW]
    assert shoal.verify(tmp_path / "new.csv", tmp_path / "second.toml", earlier=[tmp_path / "old.csv"]).holds


def renamed(table, letter):
    return table.set_column(0, "person", pa.array([f"{letter}{at}" for at in range(len(table))]))


def test_the_gate_refuses_groups_that_do_not_leave_k(years, monkeypatch):
    """Though what forms the groups believes that all is well."""
    from shoal.methods.microaggregation.cohorts import Cohorts

    monkeypatch.setattr(Cohorts, "left", lambda self, partition: partition.sizes)
    with pytest.raises(RequirementError, match=r"earlier = old\.csv"):
        shoal.protect(years / "year2.csv", years / "policy.toml", key=years / "policy.key", earlier=[years / "old.csv"])


def warnings(found):
    return {each.kind: each for each in found.exposures if each.kind in ("pinned", "unrecognized")}


def test_values_that_earlier_releases_pin_down_are_warned_of(years):
    """Of those who left: k alone gives them away. m-invariance is proposed, and leaves nothing to warn of."""
    found = assess(years, "kept.csv")
    exposure = warnings(found)["pinned"]
    assert warnings(protect_second(years, "kept.csv", earlier=[years / "old.csv"]).assessment) == {"pinned": exposure}
    assert exposure.share == found.findings["condition of departed persons pinned down"].estimate > 1
    assert exposure.columns == ("condition",)
    proposed = tomlkit.parse(exposure.remedy)["requirements"]
    assert proposed == [{"name": "m_invariance", "column": "condition", "m": 2}]
    caution = exposure_caution(exposure)
    assert "if all releases are made with them" in caution.text
    quiet = policy(K, warn={"homogeneous": 1})
    (years / "quiet.toml").write_text(tomlkit.dumps(quiet), encoding="utf-8")
    assert not warnings(assess(years, "kept.csv", "quiet.toml"))


def test_records_of_other_people_with_the_same_numbers_are_warned_of(years, tmp_path):
    """The persons of the first year with each other's records: all columns say that these are other people."""
    first, _ = two_years(N)
    others = first.take(np.random.default_rng(0).permutation(len(first)))
    pacsv.write_csv(others.set_column(0, "person", first["person"]), tmp_path / "other.csv")
    names = {"-p": years / "policy.toml", "-o": tmp_path / "new.csv", "--key": years / "policy.key"}
    options = [str(each) for pair in {**names, "--earlier": years / "old.csv"}.items() for each in pair]
    said = CliRunner().invoke(app, ["protect", str(tmp_path / "other.csv"), *options]).output
    assert "with old.csv (stable = no column), reached" in said
    assert "warning: No column is stable: even 'visits' differs" in said
    assert "Is --person right" in said


def test_pseudonyms_under_one_key_link_all_records_and_small_cohorts_are_suppressed(tmp_path):
    first, second = write_years(tmp_path, N)
    (tmp_path / "names.key").write_bytes(bytes(range(32)))
    (tmp_path / "names.key").chmod(0o600)
    rules = policy(K, suppression={"limit": 0.6})
    rules["columns"] = {**rules["columns"], "person": {"role": "identifier", "pseudonym": "names.key"}}
    (tmp_path / "policy.toml").write_text(tomlkit.dumps(rules), encoding="utf-8")
    protect(tmp_path, first, "old.csv")
    made = protect(tmp_path, second, "kept.csv", earlier=[tmp_path / "old.csv"])
    assert made.manifest.proof["verdicts"][-1]["besides"]["stable"] == "person, condition"
    assert made.manifest.counts["n_suppressed"] > 0.1 * N
    found = assess(tmp_path, "kept.csv").findings
    assert found["persons below k, linked records"].estimate == 0
    assert found["records that link the releases"].estimate > 50


@pytest.mark.gate
def test_the_shell_takes_earlier_releases(years):
    files = [str(years / name) for name in ("year2.csv", "kept.csv", "policy.toml", "old.csv")]
    run = CliRunner()
    told = run.invoke(app, ["assess", *files[:2], "-p", files[2], "--earlier", files[3], "--person", "person"])
    assert told.exit_code == 0
    assert "persons below k, earlier releases: 0 %" in told.output
    proved = run.invoke(app, ["verify", files[1], "-p", files[2], "--earlier", files[3]])
    assert proved.exit_code == 0
    assert "k_anonymity = 5 (earlier = old.csv, stable = condition)" in proved.output
