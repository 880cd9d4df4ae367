"""Steps that need all records at once are refused where these cannot fit, before a byte is read."""

import os

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import shoal
from shoal.errors import EngineError
from shoal.pipeline.protect.forecast import forecast
from shoal.pipeline.protect.undivided_steps import listing_steps, undivided_steps
from shoal.policy import ReleasePlan, load
from survey_example import of_records, shell, survey_policy, write_policy

GENSEARCH = {"method": {"name": "gensearch"}}
NOISE = {"perturbations": [{"name": "noise", "columns": ["age"], "alpha": 0.1}]}
CUTS = ["[method] that cuts, with means or permuted values"]
HOUSEHOLDS = ["households or units that are grouped as a whole"]


def plan_of(policy):
    return ReleasePlan.of(load(policy))


UNDIVIDED = {
    "groups of records in blocks": (of_records(survey_policy()), []),
    "households as vectors": (survey_policy(), HOUSEHOLDS),
    "households that may be parted": (survey_policy(method={"split_households": True}), []),
    "local suppression": (
        of_records(survey_policy(method={"name": "none"}, local_suppression={})),
        ["[local_suppression]"],
    ),
    "noise": (of_records(survey_policy(**NOISE)), ["[[perturbations]]"]),
    "noise in strata": (of_records(survey_policy(**NOISE, within=["zip"])), []),
    "one block by policy": (of_records(survey_policy(blocking={"method": "none"})), ["[blocking] method = 'none'"]),
    "cuts as extents": (of_records(survey_policy(**GENSEARCH)), []),
    "cuts as means": (of_records(survey_policy(**GENSEARCH, output={"representation": "centroids"})), CUTS),
}


@pytest.mark.parametrize(("policy", "steps"), UNDIVIDED.values(), ids=UNDIVIDED)
def test_which_steps_need_the_whole_table_in_one_block(policy, steps):
    assert list(undivided_steps(plan_of(policy))) == steps


def test_which_steps_need_a_number_for_every_record():
    assert list(listing_steps(plan_of(of_records(survey_policy())))) == []
    assert list(listing_steps(plan_of(survey_policy()))) == ["[columns] household, a household or unit"]
    rounded = of_records(survey_policy(output={"weights": "rounded"}))
    assert list(listing_steps(plan_of(rounded))) == ["[output] weights"]


@pytest.fixture
def large_csv(tmp_path):
    """A file of 1 GB that is nowhere on the disk; whoever reads it finds no table."""
    path = tmp_path / "large.csv"
    path.touch()
    os.truncate(path, 10**9)
    return path


@pytest.mark.parametrize("engine", ["auto", "duckdb", "processes", "spark"])
def test_a_table_too_large_for_such_a_step_is_refused_before_it_is_read(tmp_path, large_csv, engine):
    with pytest.raises(EngineError, match=r"^households .* needs all records at once, and about 1 GB of them") as said:
        shoal.protect(large_csv, survey_policy(), output=tmp_path / "release.csv", engine=engine, memory="2GB")
    assert "Nothing was read. Use engine = 'memory' where there are about 8 GB of it" in str(said.value)
    assert [path.name for path in tmp_path.iterdir()] == ["large.csv"]


def test_a_forecast_refuses_it_as_well(tmp_path, large_csv):
    with pytest.raises(EngineError, match="needs all records at once"):
        forecast(large_csv, survey_policy(), memory="2GB")
    policy = write_policy(survey_policy(), tmp_path / "policy.toml")
    said = shell("protect", large_csv, "-p", policy, "--dry-run", "--memory", "2GB")
    assert (said.code, "Nothing was read" in said.err) == (2, True)


def test_numbers_of_more_records_than_memory_holds_are_refused_before_they_are_read(tmp_path):
    n, names = 13_000_000, survey_policy()["columns"]
    path = tmp_path / "many.parquet"
    pq.write_table(pa.table({"weight": pa.nulls(n, pa.int8())}), path)
    policy = {
        "columns": {"weight": names["weight"]},
        "output": {"weights": "rounded"},
        "requirements": [{"name": "k_anonymity", "k": 3}],
    }
    with pytest.raises(EngineError, match=r"\[output\] weights needs a number for each of 13,000,000 records"):
        shoal.protect(path, policy, output=tmp_path / "release.parquet", engine="duckdb", memory="800MB")
    assert [each.name for each in tmp_path.iterdir()] == ["many.parquet"]
