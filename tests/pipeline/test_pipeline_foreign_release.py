"""Releases of other tools, as plain CSV files in their notations, against a reader and an intruder written out here."""

import numpy as np
import pyarrow as pa
import pytest

import shoal
from shoal.errors import LinkageError
from shoal.schema import Column, Schema
from survey_example import shell

ORIGINAL = """age,zip,sex,disease
23,13053,f,flu
27,13068,f,cold
29,13053,m,none
21,13068,m,flu
34,14850,f,cold
38,14853,f,none
65,14850,m,flu
71,14853,m,cold
"""
ROLES = Schema(
    [
        Column("age", "quasi_identifier", "numeric"),
        Column("zip", "quasi_identifier", "nominal"),
        Column("sex", "quasi_identifier", "nominal"),
        Column("disease", "sensitive"),
    ]
)
YOUNG, MIDDLE, OLD = range(20, 30), range(30, 40), range(65, 200)
NORTH, SOUTH = {"13053", "13068"}, {"14850", "14853"}
BOTH = {"f", "m"}
# For every record: ages, zips and sexes that it may stand for.
MEANT = [(YOUNG, NORTH, BOTH)] * 4 + [(MIDDLE, SOUTH, {"f"})] * 2 + [(OLD, SOUTH, {"m"})] * 2

# tool -> cells of every record: age, zip, sex
CELLS = {
    "arx": [("[20, 30[", "130**", "*")] * 4 + [("[30, 40[", "148**", "f")] * 2 + [(">=65", "148**", "m")] * 2,
    "arx masks": [("2*", "130**", "*")] * 4 + [("3*", "1485*", "f")] * 2 + [("65+", "1485*", "m")] * 2,
    "sdcmicro": [("(19,29]", "130**", "NA")] * 4 + [("(29,39]", "148**", "f")] * 2 + [("(64,Inf]", "148**", "m")] * 2,
    "pandas": [("[20, 30)", "130**", "*")] * 4 + [("[30, 40)", "148**", "f")] * 2 + [("[65, inf)", "148**", "m")] * 2,
    "anonypy": [("20-29", "13053,13068", "f,m")] * 4
    + [("30-39", "14850,14853", "f")] * 2
    + [("65-199", "14850,14853", "m")] * 2,
    "mondrian": [("20~29", "13053~13068", "f~m")] * 4
    + [("30~39", "14850~14853", "f")] * 2
    + [("> 64", "14850~14853", "m")] * 2,
    "braces": [("[20,29]", "{13053, 13068}", "{f, m}")] * 4
    + [("[30,39]", "{14850, 14853}", "f")] * 2
    + [(">=65", "{14850, 14853}", "m")] * 2,
}


def written(path, cells, original=ORIGINAL):
    diseases = [line.split(",")[-1] for line in original.splitlines()[1:]]
    lines = ["age,zip,sex,disease"]
    for row, disease in zip(cells, diseases, strict=True):
        lines.append(",".join([*(f'"{cell}"' if "," in cell else cell for cell in row), disease]))
    path.write_text("\n".join(lines) + "\n")
    return path


@pytest.fixture
def original(tmp_path):
    path = tmp_path / "original.csv"
    path.write_text(ORIGINAL)
    return path


def persons():
    return [(int(a), z, s) for a, z, s, _ in (line.split(",") for line in ORIGINAL.splitlines()[1:])]


def twin_chances():
    """Each person counts the records that may be theirs, one by one, and draws one."""
    chances = []
    for own, person in enumerate(persons()):
        fits = [all(value in cell for value, cell in zip(person, meant, strict=True)) for meant in MEANT]
        chances.append(fits[own] / max(sum(fits), 1))
    return chances


@pytest.mark.gate(but=("arx", "arx masks", "sdcmicro"))
@pytest.mark.parametrize("tool", CELLS)
def test_every_notation_means_the_same(tmp_path, original, tool):
    """Classes, linkage by extents and losses are those of the sets of values that the notation stands for."""
    release = written(tmp_path / "release.csv", CELLS[tool])
    found = shoal.assess(original, release, ROLES, truth="position")
    assert found.findings["k reached"].estimate == 2
    assert found.findings["suppressed records"].estimate == 0
    assert found.linkages["extents"].chances.tolist() == twin_chances()
    assert found.losses["sex"] == pytest.approx(50)  # four of eight records show nothing
    assert found.losses["zip"] == pytest.approx(50)  # two of four values
    assert 0 < found.losses["age"] < 100


def test_wide_intervals_lose_more_and_hide_more(tmp_path, original):
    fine = [(str(age), zip_, sex) for age, zip_, sex in persons()]
    coarse = [("*", "*", "*")] * 8
    found = [
        shoal.assess(original, written(tmp_path / f"{name}.csv", cells), ROLES, truth="position")
        for name, cells in (("fine", fine), ("arx", CELLS["arx"]))
    ]
    losses = [assessment.findings["information loss"].estimate for assessment in found]
    assert losses[0] == 0 < losses[1] < 100
    hidden = shoal.assess(original, written(tmp_path / "none.csv", coarse), ROLES, truth="position")
    assert hidden.findings["information loss"].estimate == pytest.approx(100)
    assert hidden.findings["k reached"].estimate == 8
    assert any("8 records show nothing but *" in note for note in hidden.notes)


def test_columns_of_sets_only_still_tell_persons_apart():
    """No record shows a single value, so that only linkage by extents can use them: 1 / (size of the class)."""
    table = pa.table({"town": list("aabbccddac"), "job": list("xyxyxyxyxy")})
    sets = ["a,b"] * 4 + ["c,d"] * 4 + ["a,b", "c,d"]
    released = pa.table({"town": sets, "job": ["x,y"] * 10})
    roles = Schema([Column(name, "quasi_identifier", "nominal") for name in ("town", "job")])
    found = shoal.assess(table, released, roles, truth="position")
    assert found.linkages["extents"].columns == ("town", "job")
    assert found.linkages["extents"].chances.tolist() == [0.2] * 10
    mean = found.findings["mean prosecutor risk"].estimate
    assert found.findings["linked persons, extents"].estimate == pytest.approx(mean)


def test_rules_are_stated(tmp_path, original):
    notes = "\n".join(
        note
        for tool in ("anonypy", "arx masks")
        for note in shoal.assess(original, written(tmp_path / f"{tool}.csv", CELLS[tool]), ROLES).notes
    )
    assert "age: intervals such as 20-29 were read with both ends included." in notes
    assert "age: masks such as 2* were read with one digit for every star." in notes
    assert "zip: 2 different cells were read as sets of values" in notes


@pytest.mark.parametrize(
    "cell", ["20,29", "twenty", "29-20", "[30, 20)", "20-", "[20, 20)", "-2*", "2020-01-01", "2*5"]
)
def test_a_cell_in_no_notation_is_refused_without_being_shown(tmp_path, original, cell):
    cells = [(cell, *CELLS["arx"][0][1:]), *CELLS["arx"][1:]]
    with pytest.raises(LinkageError, match="column 'age': cells of one text of the release are neither") as refused:
        shoal.assess(original, written(tmp_path / "release.csv", cells), ROLES, truth="position")
    assert f" {cell} " not in str(refused.value)


def test_a_set_that_is_a_value_is_refused():
    """The original has the values a, b and "a,b"."""
    table = pa.table({"x": ["a", "b", "a,b", "a"], "y": [1, 2, 3, 4]})
    released = pa.table({"x": ["a,b", "a,b", "a,b", "a,b"], "y": [1, 2, 3, 4]})
    roles = Schema([Column("x", "quasi_identifier", "nominal"), Column("y", "other", "numeric")])
    with pytest.raises(LinkageError, match="can be read in two ways"):
        shoal.assess(table, released, roles, truth="position")


def test_a_word_of_no_notation_may_be_anything_and_is_counted(tmp_path, original):
    cells = [("[20, 30[", "north", "*")] * 4 + CELLS["arx"][4:]
    found = shoal.assess(original, written(tmp_path / "release.csv", cells), ROLES, truth="position")
    assert any(note.startswith("zip: cells of one text are neither values of the original") for note in found.notes)


def test_files_in_the_wrong_order_are_told(tmp_path, original):
    release = written(tmp_path / "release.csv", CELLS["anonypy"])
    for roles in (ROLES, None):
        with pytest.raises(LinkageError, match="wrong order"):
            shoal.assess(release, original, roles, truth="position")


def test_a_policy_may_state_the_roles(tmp_path, original):
    """Its kinds are those of the original: the release may have intervals where that has numbers."""
    release = written(tmp_path / "release.csv", CELLS["arx"])
    columns = {c.name: {"role": c.role, "kind": c.kind} for c in ROLES.columns}
    policy = {"method": {"name": "none"}, "columns": columns}
    found = shoal.assess(original, release, policy, truth="position")
    assert found.linkages["extents"].chances.tolist() == twin_chances()


def test_the_shell_reads_them(tmp_path, original):
    release = written(tmp_path / "release.csv", CELLS["anonypy"])
    said = shell("assess", original, release, "--truth", "position")
    assert said.code == 0
    assert "k reached: 2" in said.out
    assert "linked persons, extents" in said.out


def test_dates_are_read_as_years_months_and_days():
    days = ["2001-05-03", "2001-05-30", "2003-01-01", "2003-12-31"]
    table = pa.table({"day": pa.array(np.array(days, "datetime64[D]")), "s": list("abcd")})
    roles = Schema([Column("day", "quasi_identifier", "date"), Column("s", "sensitive")])
    for cells in (
        ["2001-05", "2001-05", "2003", "2003"],
        ["2001-05-01 - 2001-05-31"] * 2 + ["[2003-01-01, 2004-01-01["] * 2,
        ["<2002-01-01"] * 2 + [">=2003-01-01"] * 2,
    ):
        found = shoal.assess(table, pa.table({"day": cells, "s": list("abcd")}), roles, truth="position")
        assert found.linkages["extents"].chances.tolist() == [0.5] * 4
