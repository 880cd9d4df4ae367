"""Bad input: a clear complaint, exit code 2, nothing on the disk that was not there."""

import os

import pandas as pd
import pyarrow as pa
import pytest

import shoal
from shoal.errors import PolicyError, SourceError, TableError
from survey_example import desk, in_order, shell, survey, survey_policy, write_policy

CASES = {}


def case(words):
    """A spoiler of the desk, and the words of the complaint that must follow."""

    def keep(spoil):
        CASES[spoil.__name__] = (spoil, words)
        return spoil

    return keep


def edited(place, **rules):
    policy = survey_policy()
    policy["columns"] |= rules
    write_policy(policy, place.policy)


@case("policy.toml, columns.agee: the table has no column 'agee'. Did you mean 'age'?")
def unknown_column(place):
    edited(place, agee={"role": "other"})


@case("the table has columns that the policy does not name: note. Give each a role")
def unnamed_column(place):
    policy = survey_policy()
    del policy["columns"]["note"]
    write_policy(policy, place.policy)


@case("policy.toml, line 52: 'note' is there already. A key occurs once in its table")
def column_in_two_roles(place):
    place.policy.write_text(place.policy.read_text() + '\n[columns.note]\nrole = "identifier"\n')


@case("policy.toml, requirements[1]: k_anonymity.k must be 2 or more, got 1: a group of one record protects nobody")
def k_of_one(place):
    write_policy(survey_policy(k=1), place.policy)


@case("policy.toml, method: method.k must be 2 or more, got 0")
def method_k_of_zero(place):
    write_policy(survey_policy(method={"k": 0}), place.policy)


@case("k = 41 needs at least 41 records, but the table has 40. Set k = 40 or less, or add records")
def k_above_n(place):
    write_policy(survey_policy(k=41), place.policy)


@case("columns.empty: every value is missing")
def all_missing(place):
    lines = place.data.read_text().splitlines()
    place.data.write_text("\n".join([lines[0] + ",empty", *(line + "," for line in lines[1:])]) + "\n")
    edited(place, empty={"role": "quasi_identifier"})


@case("policy.toml, columns.zip: 1 values of the column, in ")
def outside_the_taxonomy(place):
    (place.folder / "zips.csv").write_text("01067;Saxony;*\n01069;Saxony;*\n04103;Saxony;*\n")
    edited(place, zip={"role": "quasi_identifier", "taxonomy": "zips.csv"})


@case("zips.csv: the hierarchy file cannot be read: No such file or directory")
def no_taxonomy(place):
    edited(place, zip={"role": "quasi_identifier", "taxonomy": "zips.csv"})


@case("zips.csv, line 2: 2 levels, but the first line has 3")
def ragged_taxonomy(place):
    (place.folder / "zips.csv").write_text("01067;Saxony;*\n01069;*\n")
    edited(place, zip={"role": "quasi_identifier", "taxonomy": "zips.csv"})


@case("columns.grade.order: 1 values of the column, in")
def outside_the_order(place):
    edited(place, grade={"role": "quasi_identifier", "kind": "ordinal", "order": ["low", "middle"]})


@case("survey.csv is empty. There is nothing to read")
def empty_file(place):
    place.data.write_text("")


@case("survey.csv has column names but no records")
def only_names(place):
    place.data.write_text(place.data.read_text().splitlines()[0] + "\n")


@case("survey.csv is a folder. Name a file in it")
def folder(place):
    place.data.unlink()
    place.data.mkdir()


@case("survey.csv: there is no such file")
def no_file(place):
    place.data.unlink()


@case("survey.csv is not text")
def no_text(place):
    place.data.write_bytes(bytes(range(32)) * 4)


@case("with delimiter ';' the file has a single column; with ',' it has 11")
def wrong_delimiter(place):
    write_policy(survey_policy(source={"delimiter": ";"}), place.policy)


@case("every line should have 11 cells, like the first, but line 3 has 12, line 5 has 10")
def ragged_lines(place):
    lines = place.data.read_text().splitlines()
    lines[2] += ",more"
    lines[4] = lines[4].partition(",")[2]
    place.data.write_text("\n".join(lines) + "\n")


@case("several columns have the same name: columns 1, 4")
def names_twice(place):
    place.data.write_text(place.data.read_text().replace("person,", "age,", 1))
    write_policy(survey_policy(source={"header": True}), place.policy)


@case("column 'age': declared numeric, but 1 cell does not hold a number (line 2)")
def no_number(place):
    lines = place.data.read_text().splitlines()
    cells = lines[1].split(",")
    cells[3] = "old"
    lines[1] = ",".join(cells)
    place.data.write_text("\n".join(lines) + "\n")


@case("policy.toml: the policy cannot be read: No such file or directory. 'shoal init DATA' writes a draft")
def no_policy(place):
    place.policy.unlink()


@case("policy.toml is not valid TOML")
def no_toml(place):
    place.policy.write_text("columns = [")


@case("policy.toml: the policy cannot be read: it is not UTF-8 text")
def policy_of_bytes(place):
    place.policy.write_bytes(b"\xff\xfe\x00")


@case("no column has role 'quasi_identifier', so there is nothing to protect")
def nothing_to_protect(place):
    write_policy(
        {"columns": {name: {"role": "other"} for name in survey_policy()["columns"]}, "method": {"k": 2}}, place.policy
    )


@case("method: no k is given. Require k-anonymity")
def no_k(place):
    policy = survey_policy()
    del policy["requirements"]
    write_policy(policy, place.policy)


@case("policy.toml, columns.age.taxonomy: date_parts are formed from dates, but the column holds int64")
def dates_of_numbers(place):
    edited(place, age={"role": "quasi_identifier", "kind": "numeric", "taxonomy": {"date_parts": ["year"]}})


@pytest.mark.slow
@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("old", [False, True], ids=["new", "over an old release"])
def test_bad_input_is_refused_and_leaves_nothing(tmp_path, name, old):
    spoil, words = CASES[name]
    place = desk(tmp_path)
    if old:
        place.release.write_text("old release")
        place.manifest.write_text("old manifest")
    spoil(place)
    before = place.files()
    said = shell("protect", place.data, "-p", place.policy, "-o", place.release, *(["--force"] if old else []))
    assert said.code == 2
    assert said.out == ""
    assert said.err.startswith("error: ")
    assert words in said.err
    assert place.files() == before
    if old:
        assert (place.release.read_text(), place.manifest.read_text()) == ("old release", "old manifest")


def test_a_damaged_parquet(tmp_path):
    place = desk(tmp_path)
    broken = tmp_path / "broken.parquet"
    broken.write_bytes(b"PAR1 and nothing else")
    said = shell("protect", broken, "-p", place.policy, "-o", place.release)
    assert (said.code, "not a valid .parquet file" in said.err) == (2, True)
    assert not place.release.exists()


def test_a_schema_with_a_column_in_two_roles():
    with pytest.raises(PolicyError, match=r"columns\.age occurs twice, as identifier and as quasi_identifier"):
        shoal.Schema([shoal.Column("age", "identifier"), shoal.Column("age", "quasi_identifier")])


def test_an_existing_release_is_replaced_only_by_force(tmp_path):
    place = desk(tmp_path)
    place.release.write_text("old")
    words = ["protect", place.data, "-p", place.policy, "-o", place.release]
    said = shell(*words)
    assert (said.code, "release.csv already exists" in said.err) == (2, True)
    assert place.release.read_text() == "old"
    assert shell(*words, "--force").code == 0
    assert shoal.verify(place.release, place.policy)


def test_an_existing_manifest_is_not_replaced_either(tmp_path):
    place = desk(tmp_path)
    place.manifest.write_text("evidence of another release")
    said = shell("protect", place.data, "-p", place.policy, "-o", place.release)
    assert (said.code, "release.manifest.json already exists" in said.err) == (2, True)
    assert place.manifest.read_text() == "evidence of another release"
    assert not place.release.exists()


@pytest.mark.slow
def test_two_releases_side_by_side_have_two_manifests(tmp_path):
    place = desk(tmp_path)
    for name in ("release.v1.csv", "release.v2.csv", "other.csv.gz"):
        assert shell("protect", place.data, "-p", place.policy, "-o", tmp_path / name).code == 0
    stems = ("release.v1", "release.v2", "other")
    names = {f"{stem}.{what}.json" for stem in stems for what in ("manifest", "private")}
    assert {name for name in place.files() if name.endswith(".json")} == names


def test_what_the_system_refuses_is_bad_input_too(tmp_path):
    """Not a traceback, and not exit code 1, which says that a requirement does not hold."""
    (tmp_path / "file").write_text("")
    said = shell("demo", "--folder", tmp_path / "file", "--persons", 1000)
    assert said.code == 2
    assert said.err.startswith(
        f"error: {tmp_path / 'file'}: this folder cannot be created or written to (File exists)."
    )


@pytest.mark.parametrize("target", ["survey.csv", "policy.toml", "zips.csv", "secret.key", "link.csv"])
def test_no_input_is_ever_replaced(tmp_path, target):
    place = desk(tmp_path)
    (tmp_path / "zips.csv").write_text("01067;*\n01069;*\n04103;*\n99084;*\n")
    (tmp_path / "secret.key").write_text("0123456789abcdef")
    (tmp_path / "link.csv").symlink_to(place.data)
    edited(
        place,
        zip={"role": "quasi_identifier", "taxonomy": "zips.csv"},
        person={"role": "identifier", "pseudonym": "secret.key"},
    )
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    said = shell("protect", place.data, "-p", place.policy, "-o", tmp_path / target, "--force")
    assert (said.code, "is the input. A release never replaces the original" in said.err) == (2, True)
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before


@pytest.mark.slow
@pytest.mark.parametrize("option", ["--report", "--mapping"])
def test_no_input_is_replaced_by_what_comes_with_the_release(tmp_path, option):
    place = desk(tmp_path)
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    words = ["protect", place.data, "-p", place.policy, "-o", place.release, option]
    for target in (place.data, place.policy):
        said = shell(*words, target, "--force")
        assert said.code == 2
        assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before
    for target in (place.release, place.manifest):
        assert shell(*words, target).code == 2
        assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before


@pytest.mark.slow
def test_an_older_report_is_found_before_anything_is_released(tmp_path):
    place, report = desk(tmp_path), tmp_path / "report.html"
    report.write_text("old")
    words = ["protect", place.data, "-p", place.policy, "-o", place.release, "--report", report]
    said = shell(*words)
    assert (said.code, "report.html already exists" in said.err) == (2, True)
    assert not place.release.exists()
    assert shell(*words, "--force").code == 0
    assert report.read_text().lstrip().startswith("<!doctype html>")


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("release.xyz", "release.xyz: '.xyz' is not the extension of a format"),
        ("release", "is not the extension of a format"),
        ("release.sas7bdat", "release.sas7bdat: Shoal reads .sas7bdat but cannot write it"),
        ("nowhere/release.csv", "there is no folder"),
    ],
)
def test_an_output_that_cannot_be_is_refused_before_the_table_is_read(tmp_path, monkeypatch, name, words):
    import shoal.engines.choose

    place = desk(tmp_path)
    before = place.files()

    def unread(*_, **__):
        raise AssertionError("the table was read")

    monkeypatch.setattr(shoal.engines.choose.MemoryEngine, "read", unread)
    said = shell("protect", place.data, "-p", place.policy, "-o", tmp_path / name)
    assert (said.code, words in said.err) == (2, True)
    assert place.files() == before


def test_a_folder_that_may_not_be_written_to(tmp_path, monkeypatch):
    """Told by the system; for root, who may write anywhere, the system is made to say no."""
    place = desk(tmp_path)
    before = place.files()
    may = os.access
    monkeypatch.setattr(os, "access", lambda path, mode: False if mode & os.W_OK else may(path, mode))
    said = shell("protect", place.data, "-p", place.policy, "-o", place.release)
    assert (said.code, "you do not have permission to write to the folder" in said.err) == (2, True)
    assert place.files() == before


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read and write anywhere")
def test_without_permission(tmp_path):
    place = desk(tmp_path)
    sealed = tmp_path / "sealed"
    sealed.mkdir(mode=0o500)
    said = shell("protect", place.data, "-p", place.policy, "-o", sealed / "release.csv")
    assert (said.code, "you do not have permission to write to the folder" in said.err) == (2, True)
    place.data.chmod(0)
    said = shell("protect", place.data, "-p", place.policy, "-o", place.release)
    assert (said.code, "you do not have permission to read this file" in said.err) == (2, True)
    assert not place.release.exists()


@pytest.mark.parametrize(
    ("columns", "words"),
    [
        ({"age": [1.0, float("inf"), -float("inf")]}, r"columns\.age has infinite values"),
        ({"age": [1e200, 1.0, 2.0]}, r"columns\.age has numbers beyond 1e\+140"),
        ({"age": [2**53 + 1, 1, 2]}, r"columns\.age: 1 integers are beyond 2\^53"),
        ({"age": [[1], [2], [3]]}, r"columns\.age: its cells are not single values"),
        ({"age": [True, False, True]}, r"columns\.age: declared numeric or date, but the table holds bool"),
        ({"age": [None, None, None]}, r"columns\.age: every value is missing"),
        ({"born": [1980, 1981, 1982]}, r"columns\.born: declared date, but the table holds int64"),
    ],
    ids=lambda value: None,
)
def test_values_that_do_not_fit_their_kind(columns, words):
    kinds = {"age": "numeric", "born": "date"}
    rules = {name: {"role": "quasi_identifier", "kind": kinds[name]} for name in columns}
    with pytest.raises(TableError, match=words):
        shoal.protect(columns, {"columns": rules, "method": {"k": 2}})


def test_integers_beyond_exactness_are_codes_elsewhere():
    rules = {"age": {"role": "quasi_identifier"}, "code": {"role": "sensitive", "kind": "numeric"}}
    values = [2**60 + 1, 2**60 + 1, 2**60 + 3, 2**60 + 3]
    release = shoal.protect({"age": values, "code": values}, in_order({"columns": rules, "method": {"k": 2}}))
    assert release.table == {"age": values, "code": values}


def test_dataframes_with_two_columns_of_a_name():
    frame = pd.DataFrame([[1, 2], [3, 4]], columns=["age", "age"])
    with pytest.raises(SourceError, match="several columns have the same name: columns 1, 2"):
        shoal.protect(frame, {"columns": {"age": {"role": "quasi_identifier"}}, "method": {"k": 2}})
    with pytest.raises(SourceError, match="is not a table"):
        shoal.protect(object(), survey_policy())


def test_all_that_a_dataframe_cannot_be(tmp_path):
    with pytest.raises(SourceError, match="all columns must have the same number of records"):
        shoal.protect({"a": [1, 2], "b": [1]}, {"columns": {"a": {"role": "other"}, "b": {"role": "other"}}} | K)
    with pytest.raises(TableError, match="k = 3 needs at least 3 records, but the table has 2"):
        shoal.protect(survey(2).drop_columns(["household"]), without_household())
    empty = pa.table({"a": pa.array([], pa.int64())})
    with pytest.raises((TableError, SourceError), match="the table has no records, so there is nothing to protect"):
        shoal.protect(empty, {"columns": {"a": {"role": "quasi_identifier", "kind": "numeric"}}} | K)


K = {"method": {"k": 3}}


def without_household():
    policy = survey_policy()
    del policy["columns"]["household"]
    for rule in policy["columns"].values():
        rule.pop("order", None)
    return policy
