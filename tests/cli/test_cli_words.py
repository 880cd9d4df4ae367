"""Words of the shell: one thing is told as one, a folder is named, and a help says what is so."""

import errno
import os
import re
from pathlib import Path

import pyarrow as pa
import pytest

from shoal.gate.gate import Verdict
from shoal.pipeline.protect.forecast import forecast
from survey_example import as_parquet, shell, write_csv, write_policy

ONE = r"(?<![\d.,])1 (different |whole )*(records|classes|values|columns|cells|numbers|codes|groups|regions|seconds)\b"


@pytest.fixture
def alike(tmp_path):
    """Records that are all alike, on one column: one class, one value of each kind."""
    table = pa.table({"grade": [3] * 10, "zip": [1067] * 10, "town": ["Ax"] * 10})
    policy = {
        "requirements": [{"name": "k_anonymity", "k": 2}],
        "columns": {name: {"role": "quasi_identifier", "kind": "nominal"} for name in table.column_names},
    }
    return write_csv(table, tmp_path / "a.csv"), write_policy(policy, tmp_path / "p.toml")


def test_one_is_not_many(tmp_path, alike):
    data, policy = alike
    release = tmp_path / "r.csv"
    words = [
        ["init", data, "-o", tmp_path / "i.toml"],
        ["protect", data, "-p", policy, "--dry-run"],
        ["protect", data, "-p", policy, "-o", release],
        ["verify", release, "-p", policy],
    ]
    said = [shell(*each) for each in words]
    assert [each.code for each in said] == [0] * 4
    told = "\n".join(each.out for each in said) + (tmp_path / "i.toml").read_text()
    assert re.search(ONE, told) is None
    for one in (
        "about 1 second of CPU time,",
        "in 1 class, the smallest",
    ):
        assert one in told


def test_one_record_one_column_one_failing_class(tmp_path):
    data = as_parquet(pa.table({"a": ["x"]}), tmp_path / "a.parquet")
    foretold = str(forecast(data, {"columns": {"a": {"role": "quasi_identifier", "kind": "nominal"}}}))
    assert "1 record x 1 column\n" in foretold
    failing = Verdict("k_anonymity", 2, 1, False, 1, 1, 1, ("a",))
    assert "1 of 1 class fail, with 1 record" in str(failing)
    assert not str(failing).endswith("s")


@pytest.mark.parametrize(("n", "word"), [(0, "classes"), (1, "class"), (2, "classes"), (1000, "classes")])
def test_plural(n, word):
    from shoal.errors import plural

    assert plural(n, "class", "classes") == word
    assert plural(n, "record") == ("record" if n == 1 else "records")


READ_ONLY = OSError(errno.EROFS, "Read-only file system")


def test_a_demo_on_a_disk_that_takes_no_folder(tmp_path, monkeypatch):
    def refuse(*_, **__):
        raise READ_ONLY

    monkeypatch.setattr(Path, "mkdir", refuse)
    said = shell("demo", "--folder", tmp_path / "demo")
    assert (said.code, said.out) == (2, "")
    assert f"{tmp_path / 'demo'}: this folder cannot be created or written to (Read-only file system)" in said.err
    assert "--folder" in said.err


def test_a_demo_in_a_folder_that_takes_no_file(tmp_path, monkeypatch):
    monkeypatch.setattr(os, "access", lambda path, mode: not mode & os.W_OK or Path(path) != tmp_path)
    said = shell("demo", "--folder", tmp_path)
    assert (said.code, said.out) == (2, "")
    assert f"{tmp_path}: this folder cannot be created or written to" in said.err


@pytest.mark.parametrize(
    ("command", "default"),
    [("assess", "all quasi-identifiers"), ("link", "every column that both files share")],
)
def test_the_help_says_which_columns_an_intruder_knows(command, default):
    """They differ, and so do the shares of persons that are found."""
    told = " ".join(re.sub(r"[│|]", " ", shell(command, "--help").out).split())
    assert default in told
