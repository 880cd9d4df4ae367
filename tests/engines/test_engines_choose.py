"""Which engine is taken, and what is said of it before anything is done."""

import json
import re

import pytest

import shoal.engines.choose
import shoal.engines.memory_budget
from shoal.engines.choose import SourceSize, choose
from shoal.engines.memory_budget import LEAST_BYTES, Budget, free_memory, to_bytes
from shoal.errors import EngineError, PolicyError
from shoal.pipeline.protect.forecast import forecast
from survey_example import as_parquet, desk, shell, survey, write_csv


@pytest.mark.parametrize(
    ("text", "n_bytes"),
    [("2GB", 2 * 10**9), ("2 gb", 2 * 10**9), ("1.5GB", 1_500_000_000), ("2GiB", 2**31), ("900MB", 9 * 10**8), (7, 7)],
)
def test_amounts_of_memory(text, n_bytes):
    assert to_bytes(text) == n_bytes


@pytest.mark.parametrize("text", ["", "GB", "two GB", "-1GB", "2GX", True, "1e9"])
def test_what_is_no_amount(text):
    with pytest.raises(EngineError, match="is not an amount of memory"):
        to_bytes(text)


def test_too_little_is_refused_and_half_of_what_is_free_is_taken():
    with pytest.raises(EngineError, match=r"is too little. Allow at least 800 MB"):
        Budget.of("100MB")
    assert LEAST_BYTES <= Budget.of(None).memory <= max(LEAST_BYTES, free_memory())


def test_all_parts_together_stay_within_the_memory():
    budget = Budget.of("2GB")
    assert budget.database + budget.blocks + budget.counts < budget.memory
    assert budget.n_threads >= 1


@pytest.fixture
def csv(tmp_path):
    return write_csv(survey(), tmp_path / "survey.csv")


def test_the_size_of_the_source_decides(csv, tmp_path, monkeypatch):
    assert choose(csv, "auto", "1GB").name == "memory"
    monkeypatch.setattr(shoal.engines.choose, "source_size", lambda source, format_: SourceSize(10**9))
    assert choose(csv, "auto", "1GB").name == "duckdb"
    assert choose(csv, "auto", "20GB").name == "memory"
    assert choose(csv, "auto", "1GB", [tmp_path / "release.parquet"]).name == "duckdb"
    assert choose(csv, "auto", "1GB", [tmp_path / "release.sav"]).name == "memory"
    assert choose(csv, "auto", "1GB", in_file=False).name == "memory"
    assert choose(survey(), "auto", "1GB").name == "memory"


def test_large_tables_of_parquet_are_worked_on_by_processes_where_these_have_cores_and_memory(csv, monkeypatch):
    monkeypatch.setattr(shoal.engines.memory_budget.os, "cpu_count", lambda: 2)
    large = SourceSize(10**10, 10**7)
    monkeypatch.setattr(shoal.engines.choose, "source_size", lambda source, format_: large)
    assert choose(csv, "auto", "4GB").name == "processes"
    assert choose(csv, "auto", "1GB").name == "duckdb"
    assert choose(csv, "auto", "99GB").name == "memory"
    monkeypatch.setattr(shoal.engines.choose, "source_size", lambda source, format_: SourceSize(10**10))  # of a CSV
    assert choose(csv, "auto", "4GB").name == "duckdb"
    monkeypatch.setattr(shoal.engines.choose, "source_size", lambda source, format_: large)
    monkeypatch.setattr(shoal.engines.memory_budget.os, "cpu_count", lambda: 1)
    assert choose(csv, "auto", "4GB").name == "duckdb"


def test_the_size_of_a_file_is_told_without_reading_it(tmp_path, csv):
    assert choose(csv, "auto", None).n_bytes == csv.stat().st_size
    parquet = as_parquet(survey(), tmp_path / "survey.parquet")
    assert choose(parquet, "auto", None).n_bytes >= 8 * 40 * 11


def test_who_asks_gets_it_or_a_reason(csv):
    assert choose(csv, "duckdb", None).name == "duckdb"
    assert choose(csv, "memory", None).name == "memory"
    with pytest.raises(PolicyError, match=r"engine is 'dask'. It can be: auto, memory, duckdb, processes, spark"):
        choose(csv, "dask", None)
    with pytest.raises(EngineError, match="takes what the table needs"):
        choose(csv, "memory", "2GB")
    with pytest.raises(EngineError, match="master is that of Spark, and engine = 'duckdb'"):
        choose(csv, "duckdb", None, master="local[2]")


@pytest.mark.gate
def test_a_forecast_counts_the_records(tmp_path, csv):
    place = desk(tmp_path)
    found = forecast(csv, place.policy, memory="1GB", engine="duckdb")
    assert (found.engine, found.n_columns) == ("duckdb", 11)
    assert found.n_records == 40
    assert found.disk > 0
    parquet = as_parquet(survey(), tmp_path / "survey.parquet")
    assert forecast(parquet, place.policy).n_records == 40
    assert forecast(parquet, place.policy).disk == 0
    assert forecast(survey(), place.policy).n_records == 40


@pytest.mark.gate
def test_the_shell_says_what_it_would_do_and_does_nothing(tmp_path):
    place = desk(tmp_path)
    before = place.files()
    said = shell("protect", place.data, "-p", place.policy, "-o", place.release, "--dry-run", "--memory", "1GB")
    assert (said.code, said.err) == (0, "")
    assert re.search(
        r"records x 11 columns\nengine memory: there is enough memory\nabout .* of CPU time, .* GB of memory", said.out
    )
    assert place.files() == before
    said = shell("protect", place.data, "-p", place.policy, "--dry-run", "--json", "--engine", "duckdb")
    assert json.loads(said.out)["engine"] == "duckdb"
    assert shell("protect", place.data, "--dry-run").code == 2


@pytest.mark.gate
def test_the_shell_hands_memory_and_engine_on(tmp_path):
    place = desk(tmp_path)
    words = ["protect", place.data, "-p", place.policy, "-o", place.release]
    assert "not an amount of memory" in shell(*words, "--memory", "lots").err
    assert shell(*words, "--engine", "duckdb", "--memory", "1GB").code == 0
    assert json.loads(place.manifest.read_text())["engine"] == "duckdb"
    assert shell("verify", place.release, "-p", place.policy, "--memory", "1GB").code == 0
    assert shell("protect", "--replay", place.manifest, "--memory", "1GB").code == 0
