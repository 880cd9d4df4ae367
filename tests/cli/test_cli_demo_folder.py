"""The demo replaces an earlier demo, and nothing else."""

import pytest

from survey_example import shell


def test_a_folder_with_other_files_is_left_alone(tmp_path):
    (tmp_path / "policy.toml").write_text("mine")
    said = shell("demo", "--folder", tmp_path, "--persons", 1000)
    assert said.code == 2
    assert "contains files that do not belong to a demo" in said.err
    assert [file.name for file in tmp_path.iterdir()] == ["policy.toml"]
    assert (tmp_path / "policy.toml").read_text() == "mine"


@pytest.mark.gate
def test_a_demo_may_be_repeated(tmp_path):
    folder = tmp_path / "demo"
    for _ in range(2):
        assert shell("demo", "--folder", folder, "--persons", 1000).code == 0
    assert (folder / "report.html").exists()
