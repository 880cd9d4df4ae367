"""The public reference sets: found, proved by content, and complained about without a cell."""

from __future__ import annotations

import socket
from pathlib import Path

import pyarrow as pa
import pytest

from shoal import datasets
from shoal.datasets.reference import ReferenceSet, column_digest
from shoal.errors import DatasetError

SECRET = "Zebediah"
TOY = ReferenceSet(
    name="toy",
    file="toy/toy.csv",
    n_records=3,
    digests={
        "name": column_digest(pa.chunked_array([["Ann", "Bo", SECRET]])),
        "income": column_digest(pa.chunked_array([[100_000, 7, -3]])),
    },
    origin="the toy shop.",
)
GOOD = f"name,income\nAnn,100000\nBo,7\n{SECRET},-3\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("SHOAL_DATA", str(tmp_path / "named"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path


def put(folder: Path, text: str) -> None:
    path = folder / TOY.file
    path.parent.mkdir(parents=True)
    path.write_text(text, newline="")


@pytest.mark.gate(but=("census-shape0", "tarragona-shape1", "eia-shape2"))
@pytest.mark.usefixtures("reference_data")
@pytest.mark.parametrize(
    ("name", "shape"),
    [
        ("census", (1080, 13)),
        ("tarragona", (834, 13)),
        ("eia", (4092, 11)),
        ("adult", (30_162, 9)),
        ("census_income", (99_762, 42)),
    ],
)
def test_published_sets_have_their_published_shape(name: str, shape: tuple[int, int]) -> None:
    assert name in datasets.available()
    assert getattr(datasets, name)().shape == shape


@pytest.mark.gate
@pytest.mark.usefixtures("reference_data")
def test_numbers_are_numbers() -> None:
    for table in (datasets.census(), datasets.tarragona(), datasets.eia()):
        assert set(table.schema.types) == {pa.int64()}
    assert datasets.adult().schema.field("age").type == pa.int64()
    income = datasets.census_income()
    assert income.schema.field("instance weight").type == pa.float64()
    assert income.schema.field("weeks worked in year").type == pa.int64()
    assert set(income["income"].unique().to_pylist()) == {"- 50000.", "50000+."}


@pytest.mark.usefixtures("reference_data")
def test_adult_values_are_leaves_of_their_taxonomies() -> None:
    adult = datasets.adult()
    for column, path in datasets.adult_taxonomies().items():
        leaves = {line.split(";")[0] for line in path.read_text().splitlines()}
        assert {str(value) for value in adult[column].unique().to_pylist()} <= leaves


@pytest.mark.parametrize("place", ["named", "cache/shoal"])
def test_both_folders_are_looked_into(folder: Path, place: str) -> None:
    put(folder / place, GOOD)
    assert TOY.load().column_names == ["name", "income"]


def test_the_named_folder_comes_first(folder: Path) -> None:
    put(folder / "named", GOOD)
    put(folder / "cache/shoal", "other")
    assert TOY.load().num_rows == 3


@pytest.mark.parametrize(
    "text",
    [
        GOOD.replace("\n", "\r\n"),
        GOOD.replace("100000", "1e+05"),
        GOOD.replace("Bo", " Bo "),
        f'"","name","income"\n1,"Ann",100000\n2,"Bo",7\n3,"{SECRET}",-3\n',
    ],
    ids=["line ends", "R's numbers", "blanks", "quotes and R's row names"],
)
def test_the_same_content_passes_however_it_is_written(folder: Path, text: str) -> None:
    put(folder / "named", text)
    table = TOY.load()
    assert table["income"].to_pylist() == [100_000, 7, -3]
    assert table["income"].type == pa.int64()


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        (GOOD.replace("7", "8"), "differ from the published ones: income"),
        (GOOD.replace("7", "7.5"), "differ from the published ones: income"),
        (GOOD.replace("Ann", "Anne"), "differ from the published ones: name"),
        (GOOD.replace("Bo,7\n", ""), "2 records, but the published set has 3"),
        (GOOD.replace("income", "incomes"), "columns income are missing"),
        (GOOD.replace("Bo,7", f"Bo,7,{SECRET}"), "cannot be read"),
        ("", "cannot be read"),
    ],
)
def test_other_content_is_refused_without_a_cell(folder: Path, text: str, complaint: str) -> None:
    put(folder / "named", text)
    with pytest.raises(DatasetError, match=complaint) as caught:
        TOY.load()
    assert SECRET not in str(caught.value)
    assert caught.value.__suppress_context__ or caught.value.__context__ is None


def test_a_missing_set_says_what_where_and_how(folder: Path) -> None:
    with pytest.raises(DatasetError) as caught:
        datasets.census()
    message = str(caught.value)
    for part in ("casc/census.csv", str(folder / "named"), str(folder / "cache"), "CASC", "sdcMicro"):
        assert part in message
    assert datasets.available() == ()


def test_a_missing_set_without_a_named_folder(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SHOAL_DATA")
    with pytest.raises(DatasetError, match=r"SHOAL_DATA \(not set\)"):
        datasets.adult()
    assert folder.is_dir()


def test_a_changed_taxonomy_is_refused(folder: Path) -> None:
    path = folder / "named/adult/hierarchy_sex.csv"
    path.parent.mkdir(parents=True)
    path.write_text("Man;*\nWoman;*\n")
    with pytest.raises(DatasetError, match="not the published hierarchy"):
        datasets.adult_taxonomies()


def test_no_test_can_call_home() -> None:
    with pytest.raises(pytest.fail.Exception, match="never calls home"):
        socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    socket.socket(socket.AF_UNIX).close()
