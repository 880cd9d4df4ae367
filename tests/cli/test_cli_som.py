"""shoal som: a map of a table, from the shell."""

import json

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from survey_example import desk, shell


@pytest.fixture
def people(tmp_path):
    chance = np.random.default_rng(0)
    path = tmp_path / "people.parquet"
    columns = {
        "person_id": np.arange(10_000, 10_200),
        "income": chance.normal(3e3, 9e2, 200),
        "hours": chance.normal(30, 9, 200),
    }
    hours = pa.array(columns["hours"], mask=np.arange(200) % 9 == 0)
    job = pa.array(["clerk", "nurse"] * 100)
    pq.write_table(pa.table({**columns, "hours": hours, "job": job}), path)
    return path


def test_a_map_of_the_numeric_columns(people, tmp_path):
    said = shell("som", people, "-o", tmp_path / "map.html", "--label", "job", "--json")
    assert (said.code, said.err) == (0, "")
    summary = json.loads(said.out)
    assert summary["n_records"] == 200
    assert summary["columns"] == ["income", "hours"]  # who a person is tells nothing about them
    assert (tmp_path / "map.html").stat().st_mode & 0o777 == 0o600  # it shows the original
    page = (tmp_path / "map.html").read_text()
    assert all(f"<b>{title}</b>" in page for title in ("Records", "Regions", "job", "income", "hours"))


@pytest.mark.gate
def test_columns_can_be_chosen_and_the_drawing_be_an_svg(people, tmp_path):
    said = shell("som", people, "-o", tmp_path / "map.svg", "-c", "hours")
    assert said.code == 0
    assert "177 records on 1 x 67 cells" in said.out  # 23 records know no hours
    assert (tmp_path / "map.svg").read_text().startswith("<svg")


def test_a_map_of_the_quasi_identifiers_of_a_policy(tmp_path):
    place = desk(tmp_path)
    said = shell("som", place.data, "-p", place.policy, "-o", tmp_path / "map.html", "--json")
    assert (said.code, said.err) == (0, "")
    assert json.loads(said.out)["columns"] == ["age", "grade", "born"]  # zip has no low and high
    assert shell("som", place.data, "-p", place.policy, "-o", tmp_path / "map.html").code == 2  # it is there
    assert shell("som", place.data, "-p", place.policy, "-o", place.data, "--force").code == 2  # never an input


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["-c", "hour"], "hour"),
        (["--label", "jobs"], "jobs"),
        (["-c", "job"], "job"),
        (["-c", "hours", "-p", "policy.toml"], "give --column or --policy"),
    ],
)
def test_bad_requests(people, tmp_path, words, complaint):
    said = shell("som", people, "-o", tmp_path / "map.html", *words)
    assert said.code == 2
    assert complaint in said.err
    assert not (tmp_path / "map.html").exists()


def test_a_table_without_numbers(tmp_path):
    (tmp_path / "words.csv").write_text("a,b\n" + "x,y\nz,w\n" * 9)
    said = shell("som", tmp_path / "words.csv", "-o", tmp_path / "map.html")
    assert said.code == 2
    assert "no numeric column" in said.err
