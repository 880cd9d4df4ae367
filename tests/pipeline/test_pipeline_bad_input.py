"""Bad input: a clear complaint, exit code 2, nothing on the disk that was not there."""

import pytest

from survey_example import desk, shell, survey_policy, write_policy

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


@case("requirements[1].k = 41 needs at least 41 records, but the table has 40. Set requirements[1].k = 40 or less")
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


@case("survey.csv is a folder without Parquet files. Name a file")
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


@case("method: 'mdav' forms groups of k records, and no k is given. Set method.k = 5")
def no_k(place):
    policy = survey_policy()
    del policy["requirements"]
    write_policy(policy, place.policy)


@case("policy.toml, columns.age.taxonomy: date_parts are formed from dates, but the column holds int64")
def dates_of_numbers(place):
    edited(place, age={"role": "quasi_identifier", "kind": "numeric", "taxonomy": {"date_parts": ["year"]}})


@pytest.mark.gate(but=("new-unnamed_column", "new-unknown_column", "new-column_in_two_roles"))
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


def test_what_the_system_refuses_is_bad_input_too(tmp_path):
    """Not a traceback, and not exit code 1, which says that a requirement does not hold."""
    (tmp_path / "file").write_text("")
    said = shell("demo", "--folder", tmp_path / "file", "--persons", 1000)
    assert said.code == 2
    assert said.err.startswith(
        f"error: {tmp_path / 'file'}: this folder cannot be created or written to (File exists)."
    )
