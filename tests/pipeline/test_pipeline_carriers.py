"""What a release holds besides its cells, as the gate and ``shoal verify`` see it."""

import gzip
import json

import openpyxl
import pyreadstat
import pytest

import shoal
from attacks import planted
from shoal.errors import RequirementError
from shoal.sources import stat, xlsx
from survey_example import shell, write_policy

FORMATS = list(planted.ORIGINALS)


def _protected(tmp_path, suffix, out=None, policy=None, **how):
    made = planted.original(suffix, tmp_path)
    rules = write_policy(policy or planted.policy(method={"name": "mdav"}), tmp_path / "policy.toml")
    release = tmp_path / f"release{out or suffix}"
    return made, rules, release, shoal.protect(made.path, rules, output=release, **how)


@pytest.mark.gate(but=(".zsav", ".sav", ".dta", ".parquet"))
@pytest.mark.parametrize("suffix", FORMATS)
def test_a_careless_copy_is_refused_and_no_value_is_shown(tmp_path, suffix):
    made = planted.original(suffix, tmp_path)
    copy = planted.careless_copy(made, tmp_path / f"copy{suffix}")
    rules = write_policy(planted.policy(requirements=[]), tmp_path / "policy.toml")
    said = shell("verify", copy, "--policy", rules)
    assert said.code == 1
    assert "besides its cells the file holds" in said.out
    assert planted.MARK not in said.out + said.err


@pytest.mark.gate(but=(".sav", ".zsav"))
@pytest.mark.parametrize("suffix", FORMATS)
def test_the_carriers_of_a_release_are_listed(tmp_path, suffix):
    _, rules, release, made = _protected(tmp_path, suffix)
    proof = shoal.verify(release, rules)
    assert proof.holds
    assert proof.carriers
    assert proof.carriers == made.manifest.proof["carriers"]
    said = shell("verify", release, "--policy", rules)
    assert all(f"besides its cells the file contains: {carrier}" in said.out for carrier in proof.carriers)
    assert json.loads(shell("verify", release, "--policy", rules, "--json").out)["carriers"] == list(proof.carriers)


def test_labels_of_released_values_stay(tmp_path):
    """Of modes, and of what is released as it is; those of households never."""
    _, rules, release, _ = _protected(tmp_path, ".sav")
    frame, about = pyreadstat.read_sav(str(release))
    towns, diseases = set(frame["town"]), set(frame["disease"].dropna())
    assert about.variable_value_labels["town"] == {code: f"Town {code:.0f}" for code in sorted(towns)}
    assert about.variable_value_labels["disease"].keys() == diseases
    assert "household" not in about.variable_value_labels
    assert about.column_names_to_labels["town"] == "Where the person lives"
    assert "value labels, in 2 columns" in " ".join(shoal.verify(release, rules).carriers)


@pytest.mark.parametrize("suffix", [".sav", ".dta"])
def test_labels_of_households_close_the_gate(tmp_path, monkeypatch, suffix):
    """A number of a household is a label's value by chance: the label is of another one."""
    monkeypatch.setattr("shoal.pipeline.protect.proven_release.released_labels", lambda labels, policy: labels)
    with pytest.raises(RequirementError, match="value labels in 'household', whose values are new"):
        _protected(tmp_path, suffix)
    assert not (tmp_path / f"release{suffix}").exists()


def test_labels_of_nobody_close_the_gate(tmp_path, monkeypatch):
    monkeypatch.setattr(stat, "_labels_in_use", lambda labels, table: {"town": dict(labels.values["town"])})
    with pytest.raises(RequirementError, match="value labels of values that no record has in 'town'"):
        _protected(tmp_path, ".sav")
    assert not (tmp_path / "release.sav").exists()


def test_the_second_table_is_looked_at_too(tmp_path):
    anatomy = planted.policy(method={"name": "mdav"}, output={"representation": "anatomy"})
    _, rules, release, _ = _protected(tmp_path, ".sav", policy=anatomy)
    second = tmp_path / "release.sensitive.sav"
    assert any(line.startswith("second table: value labels") for line in shoal.verify(release, rules).carriers)
    frame, _ = pyreadstat.read_sav(str(second))
    pyreadstat.write_sav(frame, str(second), note="of somebody")
    assert any(fault.startswith("second table: besides") for fault in shoal.verify(release, rules).faults)


@pytest.mark.gate
def test_a_book_with_the_name_of_a_person_closes_the_gate(tmp_path, monkeypatch):
    timeless = xlsx._write_without_time

    def with_title(buffer, path):
        timeless(buffer, path)
        book = openpyxl.load_workbook(path)
        book.properties.title = planted.MARK
        book.save(path)

    monkeypatch.setattr(xlsx, "_write_without_time", with_title)
    with pytest.raises(RequirementError, match="document properties"):
        _protected(tmp_path, ".xlsx")


@pytest.mark.gate
@pytest.mark.parametrize("suffix", [".parquet", ".csv.gz"])
def test_engines_write_and_list_the_same(tmp_path, suffix):
    listed, written = [], []
    for engine in ("memory", "duckdb"):
        folder = tmp_path / engine
        folder.mkdir()
        _, _, release, made = _protected(folder, suffix, engine=engine)
        listed.append(made.manifest.proof["carriers"])
        written.append(release.read_bytes())
    assert listed[0] == listed[1]
    assert written[0] == written[1]


def test_a_packed_release_is_refused_by_its_name(tmp_path):
    _, rules, release, _ = _protected(tmp_path, ".csv.gz")
    plain = gzip.decompress(release.read_bytes())
    with release.open("wb") as file, gzip.GzipFile("Zq.csv", "wb", fileobj=file) as packed:
        packed.write(plain)
    assert any("gzip -n" in fault for fault in shoal.verify(release, rules).faults)
