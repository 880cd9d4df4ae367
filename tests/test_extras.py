"""Extras: what is installed only where it is used. Without them everything else works, and errors name the extra."""

import ast
import os
import re
import subprocess
import sys
import tomllib
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

import shoal
from shoal.errors import EngineError, LinkageError

ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
EXTRAS = {
    name: found for name, found in PROJECT["optional-dependencies"].items() if name not in ("dev", "docs", "wheel")
}
ASKED_FOR = {"pandas", "tzdata"}  # by pyreadstat and pyspark; nothing here imports them
HIDDEN = (
    "altair",
    "vl_convert",
    "rapidfuzz",
    "pyreadstat",
    "openpyxl",
    "pandas",
    "sklearn",
    "pyspark",
    "starlette",
    "uvicorn",
)
POLICY = {"requirements": [{"name": "k_anonymity", "k": 3}], "columns": {"age": {"role": "quasi_identifier"}}}
HIDE = f"""
import sys
from importlib.machinery import PathFinder


class Rest(PathFinder):
    @classmethod
    def find_spec(cls, name, path=None, target=None):
        return None if name.split(".")[0] in {HIDDEN!r} else super().find_spec(name, path, target)


sys.meta_path[sys.meta_path.index(PathFinder)] = Rest
"""


def names(requirements: list[str]) -> set[str]:
    return {re.match(r"[\w.-]+", each)[0].lower() for each in requirements} - {"shoal"}


def imported() -> set[str]:
    """Distributions that the package imports, wherever in a file."""
    found = set()
    for file in (ROOT / "src" / "shoal").rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text())):
            if isinstance(node, ast.Import):
                found |= {alias.name.split(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                found.add(node.module.split(".")[0])
    known = packages_distributions()
    return {each.lower() for name in found - sys.stdlib_module_names for each in known.get(name, [name])} - {"shoal"}


def without_extras(code: str, folder: Path) -> str:
    """What a process prints that cannot import a library of any extra."""
    run = subprocess.run(
        [sys.executable, "-c", HIDE + code], cwd=folder, capture_output=True, text=True, env=os.environ
    )
    assert run.returncode == 0, run.stderr
    return run.stdout


@pytest.mark.gate
def test_every_library_of_an_extra_is_used():
    in_extras = set().union(*(names(found) for name, found in EXTRAS.items() if name != "studio"))
    assert in_extras - ASKED_FOR <= imported()


@pytest.mark.gate
def test_every_import_is_of_a_library_that_is_listed():
    listed = names(PROJECT["dependencies"]).union(*(names(found) for found in EXTRAS.values()))
    brought = {"markupsafe": "jinja2", "threadpoolctl": "scikit-learn", "click": "typer", "py4j": "pyspark"}
    assert {brought.get(name, name) for name in imported()} <= listed | {"polars"}  # whose dataframes a user passes


def test_all_holds_every_extra_but_spark():
    (everything,) = EXTRAS["all"]
    assert set(re.search(r"\[(.*)\]", everything)[1].split(",")) == set(EXTRAS) - {"all", "spark"}


def test_every_extra_that_is_named_exists():
    files = [*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md"), *(ROOT / "src").rglob("*.py")]
    named = {name for file in files for name in re.findall(r"shoal\[([a-z]+)\]", file.read_text())}
    errors = {
        name for file in (ROOT / "src").rglob("*.py") for name in re.findall(r"install\('(\w+)'\)", file.read_text())
    }
    assert named | errors <= set(PROJECT["optional-dependencies"])
    assert errors == set(EXTRAS) - {"all", "studio"}


@pytest.mark.gate
def test_without_extras_a_release_is_proved_and_told_as_markdown(tmp_path):
    code = """
import shoal
people = shoal.datasets.synthetic_census(400, seed=1).select(["age", "sex", "income"])
rules = {"age": {"role": "quasi_identifier"}, "sex": {"role": "quasi_identifier"}, "income": {"role": "sensitive"}}
policy = {"requirements": [{"name": "k_anonymity", "k": 4}], "columns": rules}
release = shoal.protect(people, policy)
release.write("out")
proof = shoal.verify("out/release.parquet", policy)
print(release._repr_html_(), proof.holds, shoal.mdav([[1.0], [2.0], [9.0], [8.0]], k=2).sizes)
"""
    assert without_extras(code, tmp_path) == "None True [2 2]\n"
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == [
        "manifest.json",
        "private.json",
        "release.parquet",
        "report.md",
    ]


@pytest.mark.gate
def test_without_extras_the_demo_runs_and_says_what_is_missing(tmp_path):
    code = """
import sys
from shoal.cli import main
sys.argv = ["shoal", "demo", "--persons", "1000"]
main()
"""
    said = without_extras(code, tmp_path)
    assert "pip install 'shoal[report]'" in said
    assert "The report is shoal-demo/report.md" in said.replace("\n", " ")
    assert not (tmp_path / "shoal-demo" / "report.html").exists()


@pytest.mark.parametrize(
    "draw",
    [
        lambda data, page: shoal.protect(data, POLICY, output=page.with_name("release.csv"), report=page),
        lambda data, page: shoal.assess(data, data, POLICY, report=page),
        lambda data, page: shoal.compare(data, POLICY, report=page),
        lambda data, page: shoal.profile(data, report=page),
        lambda data, page: shoal.mend(data, POLICY, report=page),
    ],
    ids=["protect", "assess", "compare", "profile", "mend"],
)
def test_a_page_with_charts_is_refused_before_any_work(tmp_path, monkeypatch, draw):
    data = tmp_path / "people.csv"
    data.write_text("age\n" + "30\n31\n" * 10)
    monkeypatch.setitem(sys.modules, "altair", None)
    monkeypatch.delattr("pyarrow.csv.read_csv")  # who reads a table has begun to work
    with pytest.raises(EngineError, match=r"pip install 'shoal\[report\]'"):
        draw(data, tmp_path / "page.html")
    assert list(tmp_path.iterdir()) == [data]


def test_texts_are_not_compared_without_rapidfuzz(monkeypatch):
    from shoal.linkage.string_similarity import string_similarity

    monkeypatch.setitem(sys.modules, "rapidfuzz", None)
    with pytest.raises(LinkageError, match=r"pip install 'shoal\[linkage\]'"):
        string_similarity(["a", "b"], [0], [1])
