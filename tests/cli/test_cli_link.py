"""shoal link."""

import json

import numpy as np
import pyarrow as pa
import pytest

import shoal
from survey_example import shell, write_csv


@pytest.fixture
def files(tmp_path):
    chance = np.random.default_rng(0)
    table = pa.table({
        "pid": [f"p{i}" for i in range(50)],
        "age": chance.integers(18, 80, 50),
        "rent": chance.integers(300, 2000, 50) / 2,
        "town": chance.choice(["Ash", "Oak"], 50).tolist(),
    })  # fmt: skip
    released = table.set_column(1, "age", [table["age"].to_numpy() // 10 * 10]).take(list(range(40)))
    return write_csv(table, tmp_path / "o.csv"), write_csv(released, tmp_path / "r.csv")


def test_the_shell_says_what_python_says(files):
    said = shell("link", *files, "--id", "pid", "--json")
    assert said.code == 0
    assert json.loads(said.out) == json.loads(json.dumps(shoal.link(*files, id="pid").to_dict()))
    words = shell("link", *files, "--id", "pid").out
    assert "linked persons" in words
    assert "baseline" in words


def test_before_the_figure_it_is_said_what_a_blocking_left_out(files):
    window = ("--id", "pid", "--blocking", "sorted", "--block-key", "rent", "--window", 5)
    found = json.loads(shell("link", *files, *window, "--json").out)["blocking"]
    assert 0 < found["recall"] <= 1
    note, figure = shell("link", *files, *window).out.splitlines()[1:3]
    assert note == (
        f"note: Pairs outside the blocks were not compared ({100 * found['reduction_ratio']:.4g} % of all pairs). "
        f"Blocks hold {100 * found['recall']:.4g} % of the true pairs: nobody else can be found so."
    )
    assert figure.startswith("linked persons")
    assert "outside the blocks" not in shell("link", *files, "--id", "pid").out


def test_what_the_intruder_knows_can_be_said(files):
    said = shell("link", *files, "--id", "pid", "--known", "age", "--precision", "age=20", "--persons", 0.5, "-k", 3,
                 "--by", "rank", "--blocking", "sorted", "--json")  # fmt: skip
    found = json.loads(said.out)
    assert found["columns"] == ["age"]
    assert (found["n_known"], found["k"]) == (25, 3)
    assert found["blocking"]["recall"] > 0


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        ([], "it is not known which released record"),
        (["--id", "nobody"], "no column 'nobody'"),
        (["--id", "pid", "--precision", "age"], "column=width"),
        (["--id", "pid", "--precision", "age=old"], "column=width"),
        (["--id", "pid", "--by", "guess"], "It can be"),
    ],
)
def test_bad_words_are_told(files, words, complaint):
    said = shell("link", *files, *words)
    assert said.code == 2
    assert complaint in said.err
