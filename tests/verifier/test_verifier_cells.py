"""What the verifier takes for one cell, and what it refuses to read."""

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import tomlkit

from shoal.verifier.refused import RefusedError
from shoal.verifier.verify import verify

K = {"name": "k_anonymity", "k": 5}


def policy(*rules, **columns):
    known = {"a": {"role": "quasi_identifier"}, "s": {"role": "sensitive"}} | columns
    return tomlkit.dumps({"columns": known, "requirements": list(rules or [K])})


def written(path, text):
    path.write_text(text, encoding="utf-8", newline="")
    return path


@pytest.mark.parametrize("missing", ["", '""'])
def test_an_empty_text_and_a_missing_cell_are_two_classes(tmp_path, missing):
    lines = ["a,s", *[f"{missing},u"] * 3, *[",u"] * 3, *["x,u"] * 5]
    proof = verify(policy(), written(tmp_path / "r.csv", "\n".join(lines) + "\n"))
    assert proof.k_reached == (5 if missing == "" else 3)


def test_zeros_of_both_signs_are_two_classes():
    table = pa.table({"a": [0.0] * 3 + [-0.0] * 3, "s": ["u"] * 6})
    assert verify(policy(a={"role": "quasi_identifier", "kind": "numeric"}), table).k_reached == 3


def test_what_is_no_number_is_no_amount_and_no_value():
    rule = {"name": "dominance", "column": "s", "share": 0.8}
    column = {"role": "sensitive", "kind": "numeric"}
    texts = pa.table({"a": ["x"] * 6, "s": ["1 000 000", "10", "10", "10", "10", "10"]})
    with pytest.raises(RefusedError, match="1 values that are no numbers"):
        verify(policy(rule, s=column), texts)
    incomes = pa.table({"a": ["x"] * 6, "s": [1000.0] * 3 + [float("nan")] * 3})
    two = {"name": "distinct_l_diversity", "column": "s", "l": 2}
    assert not verify(policy(two, s=column), incomes).holds


def test_a_folder_is_read_whole_or_refused(tmp_path):
    folder = tmp_path / "r.parts"
    folder.mkdir()
    for at in range(2):
        pq.write_table(pa.table({"a": ["x"] * 3, "s": ["u"] * 3}), folder / f"{at}.parquet")
    assert verify(policy(), folder).k_reached == 6
    pq.write_table(pa.table({"a": ["x"], "s": ["u"], "name": ["Ann"]}), folder / "2.parquet")
    with pytest.raises(RefusedError, match="different columns"):
        verify(policy(), folder)
    (folder / "2.parquet").rename(folder / "2.pq")
    with pytest.raises(RefusedError, match="no part of it"):
        verify(policy(), folder)


def test_a_name_is_no_pattern(tmp_path):
    """release[1].csv is that file, not release1.csv."""
    written(tmp_path / "release1.csv", "a,s\n" + "x,u\n" * 9)
    assert verify(policy(), written(tmp_path / "release[1].csv", "a,s\n" + "x,u\n" * 5)).n_records == 5


@pytest.mark.parametrize(
    "text",
    ["a,s\nx\n", "a,s\nx,u,v\n", 'a,s\n"x,u\n', "\ufeffa,s\nx,u\n", "a,s\nx,u\r\ny,u\n"],
    ids=["too few cells", "too many", "an open quote", "a byte order mark", "two kinds of line ends"],
)
def test_what_is_not_one_table_is_refused(tmp_path, text):
    with pytest.raises(RefusedError):
        verify(policy(), written(tmp_path / "r.csv", text))


@pytest.mark.parametrize(
    "lines",
    [
        'requirements = [{ name = "k_anonymity", k = 5, colums = ["a"] }]',
        "[warn]\nuniqe = 0.1",
        '[output]\nweights = "round"',
        '[local_suppression]\nblanks = "any"',
        'requirements = [{ name = "distinct_l_diversity", l = 2, column = "t" }]',
        'requirements = [{ name = "entropy_l_diversity", l = 2, column = "s", tolerance = "0%" }]',
        "[columns.A]\nrole = 'other'",
    ],
)
def test_what_the_verifier_does_not_know_it_does_not_prove(lines):
    columns = '[columns.a]\nrole = "quasi_identifier"\n[columns.s]\nrole = "sensitive"\nkind = "numeric"\n'
    first, then = (lines, "") if lines.startswith("requirements") else ("", lines)
    with pytest.raises(RefusedError):
        verify(f"{first}\n{columns}{then}", pa.table({"a": ["x"] * 5, "s": [1.0] * 5}))
