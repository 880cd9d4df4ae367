"""shoal link: options of a blocking, several passes, the table of blockings and one-to-one links."""

import json

import numpy as np
import pytest
from typer.testing import CliRunner

from shoal.cli.commands import app


@pytest.fixture
def files(tmp_path):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(120, 3)).round(3)
    names = []
    for name, Y in (("original", X), ("released", (X + 0.2 * rng.normal(size=X.shape)).round(3))):
        path = tmp_path / f"{name}.csv"
        np.savetxt(path, Y, fmt="%.3f", delimiter=",", header="a,b,c d", comments="")
        names.append(str(path))
    return [*names, "--truth", "position"]


def shoal_link(*arguments):
    return CliRunner().invoke(app, ["link", *arguments])


def test_the_table_of_blockings(files):
    found = json.loads(shoal_link(*files, "--blocking-table", "--pairs", "1440", "--json").output)
    assert len(found["rows"]) == 38
    assert found["n_pairs"] == 1440
    text = shoal_link(*files, "--blocking-table", "--decimals", "1").output
    assert "power 1.2" in text
    assert "mean of sorted" in text


def test_blockings_above_the_budget_are_marked_and_come_last(tmp_path):
    rng = np.random.default_rng(0)
    path = tmp_path / "people.csv"
    cells = np.column_stack([rng.integers(0, 2, 120), rng.integers(0, 999, 120), rng.integers(0, 999, 120)])
    np.savetxt(path, cells, fmt="%s", delimiter=",", header="sex,age,rent", comments="")
    files = [str(path), str(path), "--truth", "position", "--blocking-table"]
    found = json.loads(shoal_link(*files, "--json").output)
    assert found["budget"] == 0.1
    above = {(row["method"], row["by"]) for row in found["rows"] if row["exceeds_budget"]}
    assert ("standard", "sex") in above
    assert ("standard", "age") not in above
    lines = shoal_link(*files).output.splitlines()
    assert lines[1] == "The budget is 10 % of all pairs. Blockings that keep more are marked 'above the budget'."
    marked = [line.endswith(", above the budget") for line in lines if line.startswith("  standard")]
    assert marked == sorted(marked)
    assert sum(marked) == sum(method == "standard" for method, _ in above) > 0
    assert not any(
        row["exceeds_budget"] for row in json.loads(shoal_link(*files, "--decimals", "1", "--json").output)["rows"]
    )


@pytest.mark.gate
def test_passes_of_any_mix(files):
    def n_pairs(*options):
        return json.loads(shoal_link(*files, *options, "--json").output)["blocking"]["n_pairs"]

    fuzzy = ["--blocking", "fuzzy", "--quantifier", "power 1.2", "--blocks", "5"]
    window = ["--blocking", "sorted", "--window", "0.1", "--block-key", "a"]
    assert n_pairs(*fuzzy) < n_pairs(*fuzzy, "--blocking", "sorted", "--window", "0.1")
    assert n_pairs(*window) < n_pairs("--blocking", "sorted", "--window", "60", "--block-key", "a")
    assert n_pairs("--blocking", "standard", "--block-key", "a+b") < n_pairs("--blocking", "standard")


def test_one_to_one(files):
    free, one = (json.loads(shoal_link(*files, *option, "--json").output) for option in ([], ["--one-to-one"]))
    assert one["risk"] >= free["risk"]
    assert "one to one" in one["notes"][-1]


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--window", "0.1"], "--window"),
        (["--pairs", "5"], "--blocking-table"),
        (["--blocking-table", "--blocking", "fuzzy"], "--blocking-table"),
        (["--blocking", "fuzzy", "--quantifier", "most"], "power 1.2"),
        (["--blocking", "sorted", "--window", "wide"], "--window"),
        (["--blocking", "fuzy"], "fuzzy"),
        (["--blocking", "standard", "--block-key", "z"], "'z'"),
    ],
)
def test_wrong_options(files, options, words):
    result = shoal_link(*files, *options)
    assert result.exit_code != 0
    assert words in f"{result.output} {result.exception}"
