"""A draft policy is the same for a file and for a dataframe with its records."""

import polars as pl
import tomlkit

import shoal


def test_a_dataframe_gets_the_draft_of_its_file(tmp_path):
    frame = pl.DataFrame({"age": [30, 41, 52, 63], "diagnosis": ["a", "b", "a", "c"]})
    frame.write_parquet(tmp_path / "people.parquet")
    of_file, of_frame = shoal.propose(tmp_path / "people.parquet"), shoal.propose(frame, policy="mine.toml")
    assert tomlkit.parse(of_file.text).unwrap() == tomlkit.parse(of_frame.text).unwrap()
    assert of_file.suggestions == of_frame.suggestions
    assert "# Then: shoal.protect(table, 'mine.toml')" in of_frame.text


def test_a_draft_is_a_policy(tmp_path):
    (tmp_path / "people.csv").write_text("age,diagnosis\n30,a\n41,b\n52,a\n63,c\n70,c\n")
    (tmp_path / "policy.toml").write_text(shoal.propose(str(tmp_path / "people.csv")).text)
    assert shoal.protect(tmp_path / "people.csv", tmp_path / "policy.toml").manifest.counts["n_released"] == 5
