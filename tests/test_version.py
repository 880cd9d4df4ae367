"""The version is written down once, in src/shoal/__init__.py; whatever else names one agrees."""

import re
import tomllib
from pathlib import Path

import pytest

import shoal
from conftest import lacking
from survey_example import shell

ROOT = Path(__file__).parent.parent


def test_the_command_and_the_manifest_say_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where an older one is installed: what runs is what counts."""
    from shoal.release.manifest import versions

    monkeypatch.setattr("shoal.__version__", "9.8.7")
    assert shell("--version").out == "shoal 9.8.7\n"
    assert versions()["shoal"] == "9.8.7"


def test_the_citation_says_it() -> None:
    cited = re.search(r"^version: (.+)$", (ROOT / "CITATION.cff").read_text(), re.MULTILINE)
    assert cited is not None
    assert cited[1] == shoal.__version__


def test_the_changelog_begins_with_it() -> None:
    first = re.search(r"^## (\S+)", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)
    assert first is not None
    assert first[1] == shoal.__version__


def test_a_wheel_takes_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    try:
        from scikit_build_core.build import prepare_metadata_for_build_wheel
    except ImportError:
        lacking("build", "scikit-build-core is not installed")
    monkeypatch.chdir(ROOT)
    named = prepare_metadata_for_build_wheel(str(tmp_path), {})
    assert f"\nVersion: {shoal.__version__}\n" in (tmp_path / named / "METADATA").read_text()


def test_no_build_file_has_one_of_its_own() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert "version" in project["dynamic"]
    assert not re.search(r"project\([^)]*VERSION", (ROOT / "CMakeLists.txt").read_text())
