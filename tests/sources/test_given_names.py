"""Files whose first line is a record get the names that are declared for them."""

import tomllib

import openpyxl
import pytest

import shoal
from shoal.errors import SourceError
from shoal.sources import ReadOptions, read
from survey_example import read_cells, shell

NAMES = ("age", "job", "income")
LINES = [(20 + i % 13, ("clerk", "nurse", "smith")[i % 3], 1000 + 37 * i) for i in range(60)]


def csv(folder):
    (folder / "d.data").write_text("".join(f"{age}, {job}, {income}\n" for age, job, income in LINES))
    return folder / "d.data"


def workbook(folder):
    book = openpyxl.Workbook()
    for line in LINES:
        book.active.append(line)
    book.save(folder / "d.xlsx")
    return folder / "d.xlsx"


@pytest.mark.parametrize("write", [csv, workbook])
def test_every_record_is_read_and_every_column_is_named(tmp_path, write):
    table = read(write(tmp_path), ReadOptions(names=NAMES)).table
    assert (tuple(table.column_names), len(table)) == (NAMES, len(LINES))
    with pytest.raises(SourceError, match="2 names are declared for its 3 columns"):
        read(write(tmp_path), ReadOptions(names=NAMES[:2]))


@pytest.mark.parametrize(
    ("options", "words"),
    [({"names": ["a", "a"]}, "different"), ({"names": ["a"], "header": True}, "first line is a record")],
)
def test_names_that_cannot_be(options, words):
    with pytest.raises(ValueError, match=words):
        ReadOptions(**options)


@pytest.mark.parametrize("write", [csv, workbook])
def test_init_asks_for_names_and_takes_them(tmp_path, write):
    data, policy = write(tmp_path), tmp_path / "p.toml"
    said = shell("init", data, "-o", policy, "--no-header")
    assert "--names column_1,column_2,column_3" in said.out
    assert "# please decide: the first line is a record" in policy.read_text()
    said = shell("init", data, "-o", policy, "--force", "--names", "age, job,income")
    assert (said.code, said.err) == (0, "")
    assert "first line is a record" not in said.out
    draft = tomllib.loads(policy.read_text())
    assert draft["source"]["names"] == list(NAMES)
    assert draft["columns"]["income"]["role"] == "sensitive"


@pytest.mark.parametrize("engine", ["memory", "duckdb"])
def test_a_release_has_the_names_in_its_first_line_and_is_proved(tmp_path, engine):
    data = csv(tmp_path)
    policy = shoal.propose(data, options=ReadOptions(names=NAMES))
    release = shoal.protect(data, policy, output=tmp_path / "r.csv", engine=engine, key=bytes(32))
    assert release.manifest.counts["n_released"] == len(LINES)
    assert tuple(read_cells(tmp_path / "r.csv")[0]) == NAMES
    assert shoal.verify(tmp_path / "r.csv", policy, engine=engine).holds
